import { deleteLimit } from './delete.ts';
import { getMany } from './getMany.ts';

export const cardLimit = { getMany, delete: deleteLimit };
