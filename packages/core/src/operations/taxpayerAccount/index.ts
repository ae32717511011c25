import { get } from './get.ts';

export const taxpayerAccountOperations = [get] as const;
