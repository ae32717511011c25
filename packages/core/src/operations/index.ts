import { hasAddress, type Operation, type WithAddress } from '../operation.ts';
import { ofConnection } from './connection/index.ts';
import { ofNodes } from './payment/index.ts';
import { type NodeName, type Resource, resources } from './resources.ts';

export { type Definitions, definitions, type NodeName, type Resource, resources } from './resources.ts';

/** Of the bank, as its description has them. */
export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** P1 to P11, of which the description shows method, path, fields and errors. */
export type RestOperation = WithAddress;

export const restOperations: readonly RestOperation[] = resources
	.filter(({ node }) => node === 'bank')
	.flatMap((resource) => resource.operations)
	.filter(hasAddress);

/** All that the nodes offer of a resource, what the bank does not know of included. */
export const offeredOf = ({ operations: described, ofNodes: own = [] }: Resource): readonly Operation[] => [
	...own,
	...described,
];

/** What a node offers, what the bank does not know of included. */
export function resourcesOf(node: NodeName): readonly Resource[] {
	return resources
		.filter((resource) => resource.node === node)
		.map((resource) => ({ ...resource, operations: offeredOf(resource) }));
}

/** What the nodes offer besides: it prepares what an operation would send, or reads what another answers. */
export const { findInOperations, preparePackage, resolve: resolvePayment } = ofNodes;
export const { check: checkConnection } = ofConnection;

export function findOperation(id: string): Operation | undefined {
	return operations.find((candidate) => candidate.id === id);
}

/** For ids that stand in the code. */
export function operationById(id: string): Operation {
	const operation = findOperation(id);
	if (operation === undefined) throw new Error(`There is no operation "${id}"`);
	return operation;
}
