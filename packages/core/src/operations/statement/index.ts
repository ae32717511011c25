import { orderAccount } from './orderAccount.ts';
import { orderCredit } from './orderCredit.ts';

/** By the names of the form. */
export const statement = { orderCredit, orderAccount };
