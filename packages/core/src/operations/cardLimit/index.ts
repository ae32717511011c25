import { deleteLimit } from './delete.ts';
import { getMany } from './getMany.ts';

export const cardLimitOperations = [getMany, deleteLimit] as const;
