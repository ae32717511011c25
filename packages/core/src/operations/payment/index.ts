import { findInOperations } from './findInOperations.ts';
import { preparePackage } from './preparePackage.ts';
import { resolve } from './resolve.ts';
import { sendPackage } from './sendPackage.ts';

export const payment = { sendPackage };

/** Operations that the node provides and the bank's API does not have. */
export const localPayment = { findInOperations, preparePackage, resolve };
