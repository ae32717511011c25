import { type NodeName, type Operation, operationName, type Resource, resources } from '@bank/core';

import { isOfNodes, offered } from './operationKinds.ts';

/** How docs and generated files call nodes, operations and credentials. */

/** `bankChecks` -> `BankChecks`: the folder and the class of a node. */
export const className = (node: NodeName) => node.replace(/^./, (letter) => letter.toUpperCase());

/** `bankChecks` -> `Bank Checks`. docs.test.ts compares it with the display name. */
export const nodeTitle = (node: NodeName) => className(node).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** `Bank Checks` -> `docs/nodes/bank-checks.md`: the page that the *Docs* link of a node leads to. */
export const pageOfTitle = (title: string) => `docs/nodes/${title.toLowerCase().replaceAll(' ', '-')}.md`;
export const pageOf = (node: NodeName) => pageOfTitle(nodeTitle(node));

export const nodeNames = [...new Set(resources.map(({ node }) => node))];

/** Where the description says so, as the tables write it: `P1` of `4, P1`, `4.15, step 3`. */
export function numberOf(operation: Operation): string {
	if (isOfNodes(operation)) return "the node's own";
	return /P\d+/.exec(operation.spec)?.[0] ?? operation.spec;
}

/** The order of the description. */
export const bySpec = (a: Operation, b: Operation) => a.spec.localeCompare(b.spec, 'en', { numeric: true });

/** `4.15` of `4.15, step 3`. */
export const partOf = ({ spec }: Operation) => spec.split(',')[0] ?? spec;

export function byPart(operations: readonly Operation[]): [part: string, members: Operation[]][] {
	return [...grouped([...operations].sort(bySpec), partOf)];
}

/** The services, by their part of the description, each in the order of its calls. */
export function callingOrders(operations: readonly Operation[]): Map<string, Operation[]> {
	return grouped(
		operations.filter(({ dialect }) => dialect !== undefined).sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0)),
		partOf,
	);
}

export function grouped<T>(members: readonly T[], keyOf: (member: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const member of members) groups.set(keyOf(member), [...(groups.get(keyOf(member)) ?? []), member]);
	return groups;
}

export function resourceWith(operation: Operation): Resource {
	const found = resources.find((resource) => offered(resource).some(({ id }) => id === operation.id));
	if (found === undefined) throw new Error(`${operation.id} belongs to no resource`);
	return found;
}

export const titleOf = (operation: Operation) => `${resourceWith(operation).name}: ${operation.name}`;

/** Ids are unique over all nodes, resources are not. */
export const anchorOf = ({ id }: Operation) => id.replace('.', '-').toLowerCase();
export const valueOf = (operation: Operation) => `${resourceWith(operation).value}: ${operationName(operation)}`;

/** How the bank knows who asks. */
export const authentications = {
	clientCredentials: 'Client Credentials Flow',
	authorizationCode: 'Authorization Code Flow',
	gateway: 'Gateway',
	mutualTls: 'Mutual TLS',
	notShown: 'not shown',
} as const satisfies Record<Operation['auth'], string>;

export function credentialOf(operation: Operation): string {
	if (operation.auth !== 'notShown') return authentications[operation.auth].replace(' Flow', '');
	return isOfNodes(operation) ? 'any' : 'any, as the bank tells you';
}

const asksScope = ({ auth, effect }: Operation) =>
	effect !== 'none' && (auth === 'clientCredentials' || auth === 'authorizationCode');

/** Empty where there is no token, or nothing is asked with it. */
export function scopeOf(operation: Operation): string {
	if (operation.scope !== undefined) return `\`${operation.scope}\``;
	return asksScope(operation) ? 'that of the subscribed event' : '';
}
