import { create } from './create.ts';

/** By name in the form. */
export const loanApplication = { create };
