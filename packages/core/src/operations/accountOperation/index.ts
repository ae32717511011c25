import { getMany } from './getMany.ts';

/** By the names of the form. */
export const accountOperation = { getMany };
