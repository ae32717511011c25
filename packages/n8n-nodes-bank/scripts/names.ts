import { type NodeName, type Operation, type Resource, resources } from '@bank/core';
import { docsOf } from '@bank/core/docs';

/** `bankChecks` -> `BankChecks`: the folder and the class of a node. */
export const className = (node: NodeName) => node.replace(/^./, (letter) => letter.toUpperCase());

/** `bankChecks` -> `Bank Checks`. docs.test.ts compares it with the display name. */
export const nodeTitle = (node: NodeName) => className(node).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** `Bank Checks` -> `docs/nodes/bank-checks.md`, the target of the node's *Docs* link. */
export const pageOfTitle = (title: string) => `docs/nodes/${title.toLowerCase().replaceAll(' ', '-')}.md`;
export const pageOf = (node: NodeName) => pageOfTitle(nodeTitle(node));

export const nodeNames = [...new Set(resources.map(({ node }) => node))];

/** The place in the API description: `P1` for `4, P1`, else unchanged, such as `4.15, step 3`; empty for local operations. */
export function numberOf(operation: Operation): string {
	if (operation.local === true) return '';
	const { spec } = docsOf(operation);
	return /P\d+/.exec(spec)?.[0] ?? spec;
}

/** Compares by place in the API description. */
export const bySpec = (a: Operation, b: Operation) =>
	docsOf(a).spec.localeCompare(docsOf(b).spec, 'en', { numeric: true });

/** The part of the API description: `4.15` for `4.15, step 3`. */
export const partOf = (operation: Operation): string => docsOf(operation).spec.replace(/,.*/, '');

export function byPart(operations: readonly Operation[]): [part: string, members: Operation[]][] {
	return [...Map.groupBy([...operations].sort(bySpec), partOf)];
}

export const byCallIndex = (a: Operation, b: Operation) => (a.callIndex ?? 0) - (b.callIndex ?? 0);

export function resourceWith(operation: Operation): Resource {
	const found = resources.find(({ operations: offered }) => offered.some(({ id }) => id === operation.id));
	if (found === undefined) throw new Error(`${operation.id} belongs to no resource`);
	return found;
}

export const titleOf = (operation: Operation) => `${resourceWith(operation).name}: ${operation.name}`;

const kebab = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** Whether another node has a resource of the same name. */
const isAmbiguous = ({ node, value }: Resource) =>
	resources.some((other) => other.value === value && other.node !== node);

/** `reference/card-limit.md`, below docs/, or `reference/courier-application.md` where the resource alone is ambiguous. */
export const referencePageOf = (resource: Resource) =>
	`reference/${isAmbiguous(resource) ? `${kebab(resource.node).replace('bank-', '')}-` : ''}${kebab(resource.value)}.md`;

export const referenceTitleOf = (resource: Resource) =>
	isAmbiguous(resource) ? `${resource.name} (${nodeTitle(resource.node)})` : resource.name;

/** Link to an operation in the reference, relative to docs/. */
export const referenceOf = (operation: Operation) =>
	`${referencePageOf(resourceWith(operation))}#${anchorOf(operation)}`;

/** Operation IDs are unique across nodes, resources are not. */
export const anchorOf = ({ id }: Operation) => id.replace('.', '-').toLowerCase();

const credentials: Record<Operation['auth'], string> = {
	clientCredentials: 'Client Credentials',
	authorizationCode: 'Authorization Code',
	gateway: 'Gateway',
	mutualTls: 'Mutual TLS',
	notShown: 'not shown',
};

export const credentialOf = (operation: Operation) =>
	operation.local === true && operation.auth === 'notShown' ? 'any' : credentials[operation.auth];

const asksScope = ({ auth, effect }: Operation) =>
	effect !== 'none' && (auth === 'clientCredentials' || auth === 'authorizationCode');

/** The scope of an operation; empty if the operation needs no token. */
export function scopeOf(operation: Operation): string {
	if (operation.scope !== undefined) return `\`${operation.scope}\``;
	return asksScope(operation) ? 'that of the subscribed event' : '';
}
