import { run } from './run.ts';

export const unifiedCheck = { run };
