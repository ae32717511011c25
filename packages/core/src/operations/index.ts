import { hasAddress, type Operation, type WithAddress } from '../operation.ts';
import { localConnectionOperations } from './connection/index.ts';
import { localPaymentOperations } from './payment/index.ts';
import { type NodeName, type Resource, resources } from './resources.ts';

export { type Definitions, definitions, type NodeName, type Resource, resources } from './resources.ts';

/** The bank's operations. */
export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** P1 to P11, which are fully described. */
export type RestOperation = WithAddress;

export const restOperations: readonly RestOperation[] = resources
	.filter(({ node }) => node === 'bank')
	.flatMap((resource) => resource.operations)
	.filter(hasAddress);

/** The bank's operations of a resource and the local ones. */
export const allOperationsOf = ({
	operations: described,
	localOperations: own = [],
}: Resource): readonly Operation[] => [...own, ...described];

/** The resources of a node, with local operations. */
export function resourcesOf(node: NodeName): readonly Resource[] {
	return resources
		.filter((resource) => resource.node === node)
		.map((resource) => ({ ...resource, operations: allOperationsOf(resource) }));
}

/** Operations that the nodes provide and the bank's API does not have. */
export const { findInOperations, preparePackage, resolve: resolvePayment } = localPaymentOperations;
export const { check: checkConnection } = localConnectionOperations;

export function findOperation(id: string): Operation | undefined {
	return operations.find((candidate) => candidate.id === id);
}

/** For IDs that are literals in the code. */
export function operationById(id: string): Operation {
	const operation = findOperation(id);
	if (operation === undefined) throw new Error(`There is no operation "${id}"`);
	return operation;
}
