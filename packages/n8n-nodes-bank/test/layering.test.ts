/**
 * Rules that the import lint cannot check: core contains nothing about n8n, shared code has no special cases for single operations,
 * and which files use the network and n8n's storage.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import * as core from '@bank/core';

const packages = path.resolve(__dirname, '../..');
const sourcesOf = (pattern: string) =>
	globSync(pattern, { cwd: packages }).map((file) => ({ file, text: readFileSync(path.join(packages, file), 'utf8') }));
const withoutComments = (text: string) => text.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');

it('core does not mention n8n, not even in comments', () => {
	const sources = sourcesOf('core/src/**/*.ts');
	expect(sources.length).toBeGreaterThan(50);
	expect(sources.filter(({ text }) => /n8n/i.test(text)).map(({ file }) => file)).toEqual([]);
});

/** Operations by ID (`'payment.resolve'`), by name in core (`resolvePayment`) and by place (`definitions.payment`). */
const operationNames = [
	...core.resources.flatMap(({ operations }) => operations).map(({ id }) => `['"\`]${id}['"\`]`),
	...Object.entries(core)
		.filter(([, value]) => core.isRecord(value) && 'id' in value && 'effect' in value)
		.map(([name]) => name),
	String.raw`definitions\.\w+\.\w+`,
];

it.each([
	['shared code names no operation, quoted or not', 'nodes/shared/**/*.ts', ''],
	['scripts name no operation apart from the parts of its form', 'scripts/**/*.ts', '/forms/parts/'],
])('%s', (_rule, pattern, exception) => {
	const sources = sourcesOf(`n8n-nodes-bank/${pattern}`).filter(
		({ file }) => exception === '' || !file.includes(exception),
	);
	expect(sources.length).toBeGreaterThan(20);
	// Whether the code uses the name of an operation. A name that the file itself declares does not count.
	const isNamed = (name: string, code: string) =>
		new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(code) && !new RegExp(`(?:function|const) ${name}\\b`).test(code);
	const named = sources.flatMap(({ file, text }) =>
		operationNames.filter((name) => isNamed(name, withoutComments(text))).map((name) => `${file}: ${name}`),
	);
	expect(named).toEqual([]);
});

it('shipped code exports no function or value that only tests import', () => {
	const shipped = sourcesOf('{core,credentials}/src/**/*.ts').concat(sourcesOf('n8n-nodes-bank/nodes/**/*.ts'));
	const users = [
		...shipped,
		...sourcesOf('n8n-nodes-bank/{scripts,credentials}/**/*.ts'),
		...sourcesOf('{fixtures,host}/src/**/*.ts'),
	];
	const wordsOf = new Map(users.map(({ file, text }) => [file, new Set(withoutComments(text).match(/\w+/g))]));
	const unused = shipped.flatMap(({ file, text }) =>
		[...text.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)]
			.map(([, name = '']) => name)
			.filter((name) => !new RegExp(`typeof ${name}\\b`).test(text))
			.filter((name) => users.every((user) => user.file === file || wordsOf.get(user.file)?.has(name) !== true))
			.map((name) => `${file}: ${name}`),
	);
	expect(unused).toEqual([]);
});

const protection = ['idempotency/protect', 'idempotency/resolve'];

it.each([
	[
		'the network',
		/httpRequest|requestWithAuthentication|requestOAuth|\bfetch\(|\bhelpers\.request\b/,
		['http/bankHttpClient', 'inbound/probe'],
	],
	[
		'the storage of executions',
		/ProcessedAndRecord|removeProcessed|clearAllProcessed|getContext\(/,
		['pipeline/executionLedger'],
	],
	['the rules of the payment protocol', /paymentProtocol\.(?:createRun|step|look|judge|resolve)\b/, protection],
	[
		'the states of the payment log',
		/paymentProtocol\.logStates|'(?:preparing|sending|begun)'/,
		['idempotency/paymentLog'],
	],
])('only some files of the nodes use %s', (_what, words, users) => {
	const using = sourcesOf('n8n-nodes-bank/nodes/**/*.ts').filter(({ text }) => words.test(withoutComments(text)));
	expect(using.map(({ file }) => file).sort()).toEqual(users.map((name) => `n8n-nodes-bank/nodes/shared/${name}.ts`));
});
