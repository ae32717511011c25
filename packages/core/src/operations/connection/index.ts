import { check } from './check.ts';

/** Operations of the node that the bank does not have. */
export const localConnectionOperations = { check };
