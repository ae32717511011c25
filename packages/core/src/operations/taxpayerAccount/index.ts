import { get } from './get.ts';

/** By name in the form. */
export const taxpayerAccount = { get };
