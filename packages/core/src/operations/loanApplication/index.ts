import { create } from './create.ts';

export const loanApplication = { create };
