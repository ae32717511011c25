import { create } from './create.ts';

export const loanApplicationOperations = [create] as const;
