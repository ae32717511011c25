import { orderAccount } from './orderAccount.ts';
import { orderCredit } from './orderCredit.ts';

export const statementOperations = [orderCredit, orderAccount] as const;
