import { operations, type Operation, type Resource, resources } from '@bank/core';

/** All that the form offers of a resource: what is the bank's first. */
export const offered = ({ operations: described, ofNodes = [] }: Resource): readonly Operation[] => [
	...described,
	...ofNodes,
];

const ofNodes = resources.flatMap((resource) => resource.ofNodes ?? []);
/** Whether the node does it by itself, and the description of the bank does not know of it. */
export const isOfNodes = (operation: Operation): boolean => ofNodes.includes(operation);

/** P1 to P11, whose errors the description lists one by one. */
export const isRest = ({ dialect }: Operation): boolean => dialect === undefined;
export const restOperations = operations.filter(isRest);
