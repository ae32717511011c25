import { type Operation, type Resource, resources as definitions, shapesOf } from '@bank/core';

/** What the docs describe: every operation in the shape that a new node has. Saved workflows may hold an earlier one. */

const newest = (operation: Operation): Operation => shapesOf(operation).at(-1)?.operation ?? operation;

export const resources: readonly Resource[] = definitions.map((resource) => ({
	...resource,
	operations: resource.operations.map(newest),
}));

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** P1 to P11, whose errors the description lists one by one. */
export const isRest = ({ dialect }: Operation): boolean => dialect === undefined;
export const restOperations = operations.filter(isRest);
