import { run } from './run.ts';

/** By name in the form. */
export const unifiedCheck = { run };
