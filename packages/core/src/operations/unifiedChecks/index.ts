import { run } from './run.ts';

/** By the names of the form. */
export const unifiedCheck = { run };
