import { check } from './check.ts';

/** Operations that the node provides and the bank's API does not have. */
export const localConnectionOperations = { check };
