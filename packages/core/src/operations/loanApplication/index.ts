import { create } from './create.ts';

/** By the names of the form. */
export const loanApplication = { create };
