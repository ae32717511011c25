import { hasAddress, type Operation, type WithAddress } from '../operation.ts';
import * as definitions from './definitions.ts';
import { type NodeName, type Resource, resources } from './resources.ts';

export { check as checkConnection } from './connection/check.ts';
export { event as eventOperations } from './event/index.ts';
export { findInOperations } from './payment/findInOperations.ts';
export { preparePackage } from './payment/preparePackage.ts';
export { resolve as resolvePayment } from './payment/resolve.ts';
export { type NodeName, type Resource, resources } from './resources.ts';

export { definitions };
export type Definitions = typeof definitions;

/** The bank's operations. */
export const operations: readonly Operation[] = resources
	.flatMap((resource) => resource.operations)
	.filter(({ local }) => local !== true);

/** P1 to P11, which are fully described. */
export const restOperations: readonly WithAddress[] = operations
	.filter(({ dialect }) => dialect === undefined)
	.filter(hasAddress);

export const resourcesOf = (node: NodeName): readonly Resource[] =>
	resources.filter((resource) => resource.node === node);

export function findOperation(id: string): Operation | undefined {
	return operations.find((candidate) => candidate.id === id);
}

/** Whether the operation only changes records of earlier payments: it never sends anything to the bank. */
export const changesRecordsOnly = (id: string): boolean =>
	resources.some(({ operations: own }) =>
		own.some((operation) => operation.id === id && operation.effect === 'none' && operation.irreversible === true),
	);

/** For IDs that are literals in the code. */
export function operationById(id: string): Operation {
	const operation = findOperation(id);
	if (operation === undefined) throw new Error(`There is no operation "${id}"`);
	return operation;
}
