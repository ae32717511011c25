/** Saved workflows depend on parameter names, types and option values, so none may disappear or change unnoticed. */
import { operations } from '@bank/core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { oracle, oracleOf } from '../../fixtures/src/oracle.ts';
import manifest from '../package.json';
import { nodeContract, operationContract } from '../scripts/publicContract.ts';

const load = async <T>(files: readonly string[]) =>
	await Promise.all(
		files.map(async (file) => {
			const source = file.replace('dist/', '../').replace('.js', '.ts');
			const [Class] = Object.values((await import(source)) as Record<string, new () => T>);
			return new (existing(Class))();
		}),
	);
const described = async () => (await load<INodeType>(manifest.n8n.nodes)).map(({ description }) => description);

// A line with - breaks saved workflows.
describe('the forms match the snapshots. If the change is intended, run `npm run update-snapshots`:', () => {
	it.each([...new Set(oracle.map(({ node }) => node))])('operations of %s', async (node) => {
		const nodes = await described();
		const own = operations.filter(({ id }) => oracleOf(id).node === node);
		expect(
			Object.fromEntries(own.map((operation) => [operation.id, operationContract(operation, nodes)])),
		).toMatchSnapshot();
	});

	it('nodes, triggers and credentials', async () => {
		expect(nodeContract(await described(), await load<ICredentialType>(manifest.n8n.credentials))).toMatchSnapshot();
	});
});
