import { check } from './check.ts';

/** What the nodes offer, and the bank does not know of. */
export const ofConnection = { check };
