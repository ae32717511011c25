import { operations, type Operation, type Resource, resources } from '@bank/core';

/** All operations that the form offers for a resource. */
export const offered = ({ operations: described, localOperations = [] }: Resource): readonly Operation[] => [
	...described,
	...localOperations,
];

const localOperations = resources.flatMap((resource) => resource.localOperations ?? []);
/** Whether the node performs it without an operation of the bank's API. */
export const isOfNodes = (operation: Operation): boolean => localOperations.includes(operation);

/** P1 to P11. */
export const isRest = ({ dialect }: Operation): boolean => dialect === undefined;
export const restOperations = operations.filter(isRest);
