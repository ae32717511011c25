import { type Operation, type Resource, resources as definitions, shapesOf } from '@bank/core';

/** What the docs describe: every operation in the shape that a new node has. Saved workflows may hold an earlier one. */

const newest = (operation: Operation): Operation => shapesOf(operation).at(-1)?.operation ?? operation;

export const resources: readonly Resource[] = definitions.map((resource) => ({
	...resource,
	operations: resource.operations.map(newest),
	ofNodes: resource.ofNodes?.map(newest) ?? [],
}));

/** All that the form offers of a resource: what is the bank's first. */
export const offered = ({ operations: described, ofNodes = [] }: Resource): readonly Operation[] => [
	...described,
	...ofNodes,
];

const ofNodes = resources.flatMap((resource) => resource.ofNodes ?? []);
/** Whether the node does it by itself, and the description of the bank does not know of it. */
export const isOfNodes = (operation: Operation): boolean => ofNodes.includes(operation);

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** P1 to P11, whose errors the description lists one by one. */
export const isRest = ({ dialect }: Operation): boolean => dialect === undefined;
export const restOperations = operations.filter(isRest);
