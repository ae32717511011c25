/**
 * Rules that the import lint cannot check: core contains nothing about n8n, shared code has no special cases for single operations,
 * and which files use the network and n8n's storage.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '@bank/core';

const packages = path.resolve(__dirname, '../..');
const sourcesOf = (pattern: string) =>
	globSync(pattern, { cwd: packages }).map((file) => ({ file, text: readFileSync(path.join(packages, file), 'utf8') }));
const withoutComments = (text: string) => text.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');

it('core does not mention n8n, not even in comments', () => {
	const sources = sourcesOf('core/src/**/*.ts');
	expect(sources.length).toBeGreaterThan(50);
	expect(sources.filter(({ text }) => /n8n/i.test(text)).map(({ file }) => file)).toEqual([]);
});

it('shared code and scripts name no operation, apart from the parts of its form', () => {
	const sources = sourcesOf('n8n-nodes-bank/{nodes/shared,scripts}/**/*.ts').filter(
		({ file }) => !file.includes('/forms/parts/'),
	);
	expect(sources.length).toBeGreaterThan(50);
	const named = sources.flatMap(({ file, text }) => {
		const code = withoutComments(text);
		return operations.filter(({ id }) => new RegExp(`['"\`]${id}['"\`]`).test(code)).map(({ id }) => `${file}: ${id}`);
	});
	expect(named).toEqual([]);
});

it.each([
	[
		'the network',
		/httpRequest|requestWithAuthentication|requestOAuth|\bfetch\(|\bhelpers\.request\b/,
		['http/bankHttpClient', 'inbound/probe'],
	],
	[
		'the storage of executions',
		/ProcessedAndRecord|removeProcessed|clearAllProcessed|getContext\(/,
		['idempotency/protection', 'pipeline/executionLedger'],
	],
])('only some files of the nodes use %s', (_what, words, users) => {
	const using = sourcesOf('n8n-nodes-bank/nodes/**/*.ts').filter(({ text }) => words.test(withoutComments(text)));
	expect(using.map(({ file }) => file).sort()).toEqual(users.map((name) => `n8n-nodes-bank/nodes/shared/${name}.ts`));
});
