import { deleteLimit } from './delete.ts';
import { getMany } from './getMany.ts';

/** By the names of the form. */
export const cardLimit = { getMany, delete: deleteLimit };
