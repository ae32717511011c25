import { orderAccount } from './orderAccount.ts';
import { orderCredit } from './orderCredit.ts';

export const statement = { orderCredit, orderAccount };
