import { deleteLimit } from './delete.ts';
import { getMany } from './getMany.ts';

/** By name in the form. */
export const cardLimit = { getMany, delete: deleteLimit };
