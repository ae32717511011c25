import { getMany } from './getMany.ts';

/** By name in the form. */
export const accountOperation = { getMany };
