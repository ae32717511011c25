import { findInOperations } from './findInOperations.ts';
import { preparePackage } from './preparePackage.ts';
import { resolve } from './resolve.ts';
import { sendPackage } from './sendPackage.ts';

/** By name in the form. */
export const payment = { sendPackage };

/** Operations of the node that the bank does not have. */
export const localPaymentOperations = { findInOperations, preparePackage, resolve };
