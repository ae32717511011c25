import { get } from './get.ts';

/** By the names of the form. */
export const taxpayerAccount = { get };
