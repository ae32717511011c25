/** Saved workflows depend on parameter names, types and option values, so none may disappear or change unnoticed. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '@bank/core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { oracle, oracleOf } from '../../fixtures/src/oracle.ts';
import manifest from '../package.json';
import { nodeContract, operationContract } from '../scripts/publicContract.ts';

const snapshots = path.join(__dirname, '../__snapshots__');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(snapshots, file), 'utf8'));
const forms = Object.fromEntries(
	globSync('*.json', { cwd: path.join(snapshots, 'forms') }).map((file) => [
		path.basename(file, '.json'),
		read(`forms/${file}`),
	]),
);

const load = async <T>(files: readonly string[]) =>
	await Promise.all(
		files.map(async (file) => {
			const source = file.replace('dist/', '../').replace('.js', '.ts');
			const [Class] = Object.values((await import(source)) as Record<string, new () => T>);
			return new (existing(Class))();
		}),
	);
const described = async () => (await load<INodeType>(manifest.n8n.nodes)).map(({ description }) => description);

describe('the forms match the snapshots in __snapshots__. If the change is intended, run `npm run update-snapshots`:', () => {
	it.each([...new Set(oracle.map(({ node }) => node))])('operations of %s', async (node) => {
		const nodes = await described();
		const own = operations.filter(({ id }) => oracleOf(id).node === node);
		const inForm = Object.fromEntries(own.map((operation) => [operation.id, operationContract(operation, nodes)]));
		expect(inForm).toEqual(Object.fromEntries(own.map(({ id }) => [id, forms[id]])));
	});

	it('every snapshot belongs to an operation', () => {
		expect(Object.keys(forms).sort()).toEqual(operations.map(({ id }) => id as string).sort());
	});

	it('nodes, triggers and credentials', async () => {
		const actual = nodeContract(await described(), await load<ICredentialType>(manifest.n8n.credentials));
		expect(actual).toEqual(read('nodes.json'));
	});
});
