/** What AI agents may do in all nodes, and the descriptions that a model gets from n8n's tools. */
import {
	isUsableByAgents,
	isIrreversible,
	type NodeName,
	operationById,
	type operations,
	resourcesOf,
} from '@bank/core';
import { docsOf } from '@bank/core/docs';
import {
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
	NodeHelpers,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { nodeNames } from '../scripts/names.ts';
import { descriptions, fieldOf } from './support/forms.ts';

const offeredOn = nodeNames.flatMap((node) =>
	resourcesOf(node).flatMap(({ value, operations: all }) =>
		all.map((operation) => ({ node, resource: value, operation })),
	),
);
const forAgents = offeredOn.filter(({ operation }) => isUsableByAgents(operation));

/** The form of a tool as n8n generates it (packages/cli/src/tool-generation/ai-tools.ts). */
const toolOf = (node: NodeName): INodeTypeDescription => ({ ...descriptions[node], name: `${node}Tool` });

/** The form of a tool with these choices: its parameters, and which of them are displayed. */
function opened(node: NodeName, values: INodeParameters = {}, description = toolOf(node)) {
	const one = { typeVersion: 1 } as INode;
	const parameters = NodeHelpers.getNodeParameters(description.properties, values, true, false, one, description) ?? {};
	const isShown = (field: INodeProperties | INodePropertyOptions) =>
		NodeHelpers.displayParameter(parameters, field, one, description, parameters);
	const fields = description.properties.filter(isShown);
	const choices = (name: string) =>
		((fields.find((field) => field.name === name)?.options ?? []) as INodePropertyOptions[]).filter(isShown);
	return { parameters, fields, choices };
}

test('a tool offers only operations that read or prepare', () => {
	const offered = nodeNames.flatMap((node) =>
		opened(node)
			.choices('resource')
			.flatMap(({ value: resource }) =>
				opened(node, { resource: String(resource) })
					.choices('operation')
					.map(({ value }) => `${node} ${String(resource)}.${String(value)}`),
			),
	);
	expect(offered.sort()).toEqual(forAgents.map(({ node, operation }) => `${node} ${operation.id}`).sort());
	expect(offered.length).toBeGreaterThan(20);
	expect(offered).toContain('bank payment.preparePackage');
	expect(offered.join()).not.toMatch(
		/webhook\.delete|cardLimit\.delete|sendPackage|resolve|directDebit\.debit|trip\.send|orderAccount/,
	);
});

test.each(nodeNames)('%s has a read as default operation of its tool', (node) => {
	const { resource, operation } = opened(node).parameters;
	expect(operationById(`${String(resource)}.${String(operation)}`).effect).toBe('read');
});

test('the default operation of a resource is a read, or one that is not irreversible', () => {
	const opening = offeredOn.map(({ node, resource }) => [
		`${resource}.${String(opened(node, { resource }, descriptions[node]).parameters.operation)}`,
		offeredOn.filter((other) => other.node === node && other.resource === resource).map(({ operation }) => operation),
	]) as [string, (typeof operations)[number][]][];
	for (const [id, all] of opening) {
		const chosen = all.find((operation) => operation.id === id);
		const reads = all.some(({ effect }) => effect === 'read' || effect === 'none');
		const mayBeTakenBack = all.some((operation) => !isIrreversible(operation));
		expect([id, chosen?.effect === 'read' || chosen?.effect === 'none']).toEqual([id, reads]);
		expect([id, chosen !== undefined && !isIrreversible(chosen)]).toEqual([id, mayBeTakenBack]);
	}
});

describe('the description for a model', () => {
	/** Operations that n8n finds for a tool. */
	const toldOf = (node: NodeName, resource: string, operation: string): string => {
		const { parameters } = opened(node, { resource, operation });
		return NodeHelpers.getToolDescriptionForNode({ parameters } as INode, { description: toolOf(node) } as never);
	};
	const described = forAgents.filter(({ operation }) => docsOf(operation).responseSummary !== undefined);

	it('has purpose, identifiers and response of each operation with a documented response', () => {
		expect(described.length).toBeGreaterThan(5);
		for (const { node, resource, operation } of described) {
			const words = toldOf(node, resource, operation.id.split('.')[1] ?? '');
			expect(words).toContain(docsOf(operation).description.replace(/\.$/, ''));
			expect(words).toContain(`Response: ${docsOf(operation).responseSummary}`);
			for (const name of Object.keys(operation.pathFields?.entries ?? {}))
				expect(words).toContain(` ${fieldOf(operation, name).displayName}: `);
		}
	});

	it('is the action if the response is not documented', () => {
		const others = forAgents.filter(({ operation }) => docsOf(operation).responseSummary === undefined);
		expect(others.length).toBeGreaterThan(10);
		for (const { node, resource, operation } of others)
			expect(toldOf(node, resource, operation.id.split('.')[1] ?? '')).toBe(
				`${operation.action} in ${descriptions[node].displayName}`,
			);
	});

	// n8n adds its own description field only to nodes without one.
	it('can be changed in every node', () => {
		for (const node of nodeNames) {
			const inNode = forAgents.filter((one) => one.node === node);
			const own = inNode.filter(({ operation }) => docsOf(operation).responseSummary !== undefined);
			// Without this field the model would get no description, because n8n's own field is missing.
			const without = inNode.filter((one) => !own.includes(one)).map(({ operation }) => operation.id);
			expect(own.length === 0 ? [] : without).toEqual([]);
			for (const { resource, operation } of own) {
				const { fields } = opened(node, { resource, operation: operation.id.split('.')[1] ?? '' });
				expect(fields.filter(({ name }) => name === 'toolDescription')).toHaveLength(1);
			}
		}
	});

	it('has no operation numbers and does not mention the sandbox', () => {
		for (const { node, resource, operation } of forAgents)
			expect(toldOf(node, resource, operation.id.split('.')[1] ?? '')).not.toMatch(/\bP\d+\b|sandbox/i);
	});

	it('is shown only for tools', () => {
		for (const node of nodeNames)
			for (const field of descriptions[node].properties.filter(({ name }) => name === 'toolDescription'))
				expect(field.displayOptions?.show?.['@tool']).toEqual([true]);
	});
});

test('actions have no articles, as n8n lists them', () => {
	for (const { operation } of offeredOn) expect(operation.action).not.toMatch(/\b(a|an|the)\b/i);
});
