import { findInOperations } from './findInOperations.ts';
import { preparePackage } from './preparePackage.ts';
import { resolve } from './resolve.ts';
import { sendPackage } from './sendPackage.ts';

/** By the names of the form. */
export const payment = { sendPackage };

/** What the nodes offer besides, and the bank does not know of. */
export const ofNodes = { findInOperations, preparePackage, resolve };
