import { operations, type Operation } from '@bank/core';

/** P1 to P11. */
export const isRest = ({ dialect }: Operation): boolean => dialect === undefined;
export const restOperations = operations.filter(isRest);
