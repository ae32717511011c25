/** Names are promises: saved workflows hold them, so none may go or change unseen. */
import { operationById, operations } from '@bank/core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { nodeOracle, oracle, oracleOf } from '../../fixtures/src/oracle.ts';
import manifest from '../package.json';
import { nodePromises, type Promises, promisesOf } from '../scripts/promises.ts';

const load = async <T>(files: readonly string[]) =>
	await Promise.all(
		files.map(async (file) => {
			const source = file.replace('dist/', '../').replace('.js', '.ts');
			const [Class] = Object.values((await import(source)) as Record<string, new () => T>);
			return new (existing(Class))();
		}),
	);
const described = async () => (await load<INodeType>(manifest.n8n.nodes)).map(({ description }) => description);

describe('the promised names (packages/fixtures/oracle). Is the difference meant, run `npm run accept`:', () => {
	it.each([...new Set(oracle.map(({ node }) => node))])('of the operations of %s', async (node) => {
		const nodes = await described();
		const own = operations.filter(({ id }) => oracleOf(id).node === node);
		const inForm = Object.fromEntries(own.map((operation) => [operation.id, promisesOf(operation, nodes)]));
		expect(inForm).toEqual(Object.fromEntries(own.map(({ id }) => [id, oracleOf(id).form])));
	});

	it('of nodes, triggers and credentials', async () => {
		expect(nodePromises(await described(), await load<ICredentialType>(manifest.n8n.credentials))).toEqual(nodeOracle);
	});
});

describe('what a workflow holds of a form', () => {
	const promised = (properties: object[]): Promises => {
		const displayOptions = { show: { resource: ['webhook'], operation: ['get'] } };
		const own = [{ name: 'operation' }, ...properties.map((property) => ({ displayOptions, ...property }))];
		const node = { name: 'bank', version: 1, properties: own } as unknown as INodeType['description'];
		return promisesOf(operationById('webhook.get'), [node]);
	};

	it('are names at every depth, with type and values', () => {
		expect(
			promised([
				{ name: 'ids', type: 'string', typeOptions: { multipleValues: true } },
				{ name: 'options', type: 'collection', options: [{ name: 'timeout', type: 'number' }] },
				{
					name: 'files',
					type: 'fixedCollection',
					options: [{ name: 'file', values: [{ name: 'field', type: 'string' }] }],
				},
				{ name: 'object', type: 'options', options: [{ value: 'b' }, { value: 'a' }] },
				{ name: 'words', type: 'notice' },
			]),
		).toEqual({
			ids: 'string[]',
			options: 'collection',
			'options.timeout': 'number',
			files: 'fixedCollection',
			'files.file.field': 'string',
			object: 'options a|b',
		});
	});

	it('are those of the operation alone, one for all conditions on which it appears', () => {
		expect(
			promised([
				{ name: 'a', type: 'options', options: [{ value: 'x' }] },
				{ name: 'a', type: 'options', options: [{ value: 'w' }] },
				{ name: 'a', type: 'string' },
				{ name: 'b', type: 'string', displayOptions: { show: { resource: ['webhook'], operation: ['update'] } } },
				{ name: 'c', type: 'string', displayOptions: { show: { resource: ['payment'], operation: ['get'] } } },
			]),
		).toEqual({ a: 'options w|x or string' });
	});
});
