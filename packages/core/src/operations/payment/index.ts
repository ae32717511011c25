import { sendPackage } from './sendPackage.ts';

/** By the names of the form. */
export const payment = { sendPackage };
