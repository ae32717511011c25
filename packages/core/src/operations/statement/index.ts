import { orderAccount } from './orderAccount.ts';
import { orderCredit } from './orderCredit.ts';

/** By name in the form. */
export const statement = { orderCredit, orderAccount };
