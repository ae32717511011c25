import { getMany } from './getMany.ts';

export const accountOperationOperations = [getMany] as const;
