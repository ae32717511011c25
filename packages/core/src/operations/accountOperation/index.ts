import { getMany } from './getMany.ts';

export const accountOperation = { getMany };
