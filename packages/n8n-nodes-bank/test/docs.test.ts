/** The committed docs are what the definitions give, and they are whole. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import {
	cardIssuance,
	connectionCodes,
	courier,
	type Dialect,
	entryScore,
	fields,
	finalStages,
	isAddressOpen,
	messageTables,
	type Operation,
	operations,
	profile,
	stages,
	unifiedChecks,
} from '@bank/core';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';

import { generatedDocs } from '../scripts/docs';
import { gapsOf } from '../scripts/gaps';
import { generatedForms } from '../scripts/generate';
import { anchorOf, callingOrders, className, nodeNames, nodeTitle, titleOf } from '../scripts/names';
import { type JsonSchema, jsonSchemaOf, openApiOperations } from '../scripts/openapi';
import { errorChapters, flattened } from '../scripts/reference';

const repository = path.resolve(__dirname, '../../..');
const packageDir = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.resolve(repository, file), 'utf8');

const operationCases = operations.map((operation) => [operation.id, operation] as const);

describe('generated files', () => {
	it('are up to date: `pnpm generate` would change nothing', async () => {
		const files = new Map([...(await generatedForms()), ...(await generatedDocs())]);
		const stale = [...files]
			.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
			.map(([file]) => path.relative(repository, file));
		expect(stale).toEqual([]);
	});

	it('are the same every time', async () => {
		expect([...(await generatedDocs())]).toEqual([...(await generatedDocs())]);
	});
});

/** The chapter of an operation in docs/reference.md. */
function chapterOf({ id }: Operation): string {
	const chapters = read('docs/reference.md').split('<a id="');
	return (
		chapters.find((chapter) => chapter.startsWith(`${id.replace('.', '-').toLowerCase()}"`))?.split('\n## ')[0] ?? ''
	);
}

describe.each(operationCases)('reference: %s', (_, operation) => {
	const chapter = chapterOf(operation);
	const part = (title: string) => chapter.split(`\n#### ${title}\n`)[1]?.split('\n#### ')[0] ?? '';

	it('has its place, method, path and scope, as far as they are shown', () => {
		if (!isAddressOpen(operation)) expect(chapter).toContain(`\`${operation.method} ${operation.path}\``);
		else expect(chapter).toContain(operation.path === undefined ? 'not shown' : `\`${operation.path}\``);
		if (operation.scope !== undefined) expect(chapter).toContain(`\`${operation.scope}\``);
	});

	it('says what is not shown, and the form offers what asks for it', () => {
		const gaps = gapsOf(operation);
		for (const { what } of gaps) expect(part('Not shown')).toContain(`| ${what} |`);
		expect(part('Not shown') === '').toBe(gaps.length === 0);
		const labels = gaps
			.flatMap(({ instead }) => [...instead.matchAll(/\*([^*]+)\*/g)].map(([, label]) => label))
			.filter((label) => !['Authentication', 'Webhook Scopes'].includes(label as string));
		for (const label of labels) expect(part('Form')).toContain(`| ${label} |`);
	});

	it('closing a gap takes it away', () => {
		const { payload: _, nameless: __, accessToken: ___, ...rest } = operation;
		const closed = {
			...rest,
			auth: 'gateway',
			scope: 'any',
			method: 'GET',
			path: '/',
			response: fields({}),
			dialect: courier,
		} as unknown as Operation;
		expect(gapsOf(closed)).toEqual([]);
	});

	it('names every field with its place', () => {
		const groups = {
			path: operation.pathFields,
			query: operation.query,
			body: operation.body,
			'payload, under the name that you give': operation.nameless,
		};
		const lines = part('Fields').split('\n');
		for (const [place, group] of Object.entries(groups)) {
			if (group === undefined) continue;
			for (const field of flattened(jsonSchemaOf(group))) {
				expect(lines.filter((line) => line.startsWith(`| \`${field.path}\` | ${place} | `))).toHaveLength(1);
			}
		}
	});

	it('gives every field of the request a meaning', () => {
		for (const group of [operation.pathFields, operation.query, operation.body, operation.nameless]) {
			if (group !== undefined)
				expect(flattened(jsonSchemaOf(group)).filter(({ meaning }) => meaning === '')).toEqual([]);
		}
	});

	it('names every field of the answer', () => {
		if (operation.response === undefined) return;
		for (const field of flattened(jsonSchemaOf(operation.response)))
			expect(part('Answer')).toContain(`| \`${field.path}\` |`);
	});

	it('names every error', () => {
		for (const { status, code } of operation.errors) expect(part('Errors')).toContain(`| ${status} | \`${code}\` |`);
		if (operation.dialect !== undefined)
			expect(part('Errors')).toContain(`(errors.md#${errorChapters[operation.dialect.spec]})`);
	});

	it('says what the form offers', () => {
		expect(part('Form')).toContain('| `options` |');
		for (const name of Object.keys(operation.pathFields?.entries ?? {}))
			expect(part('Form')).toContain(`| \`${name}\` |`);
	});
});

describe.each(nodeNames)('reference of the node %s', (name) => {
	const load = async () => {
		const module = (await import(`../nodes/${className(name)}/${className(name)}.node`)) as Record<
			string,
			new () => INodeType
		>;
		return new (module[className(name)] as new () => INodeType)().description;
	};

	it('calls it as n8n does', async () => {
		expect((await load()).displayName).toBe(nodeTitle(name));
	});

	it('names the fields above the resource', async () => {
		const chapter =
			read('docs/reference.md')
				.split(`\n## ${nodeTitle(name)}\n`)[1]
				?.split('\n<a id="')[0] ?? '';
		const above = (await load()).properties.filter(
			({ name: field, displayOptions }) => field !== 'resource' && displayOptions?.show?.resource === undefined,
		);
		for (const { displayName, name: field } of above) expect(chapter).toContain(`*${displayName}* (\`${field}\`)`);
	});
});

it('no anchor of the reference stands twice', () => {
	const anchors = [...read('docs/reference.md').matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
	expect(anchors).toHaveLength(operations.length);
	expect(new Set(anchors).size).toBe(anchors.length);
	const titles = operations.map((operation) => titleOf(operation));
	expect(new Set(titles).size).toBe(titles.length);
});

describe('docs/partner-services.md', () => {
	const text = read('docs/partner-services.md');
	const between = (name: string) => text.split(`<!-- ${name}:start -->`)[1]?.split(`<!-- ${name}:end -->`)[0] ?? '';

	it('has every operation of the partner services once, in the order of its calls', () => {
		const orders = callingOrders(operations);
		expect([...orders.values()].flat()).toHaveLength(operations.filter(({ dialect }) => dialect !== undefined).length);
		for (const [part, members] of orders) {
			const links = [...between(part).matchAll(/reference\.md#([\w-]+)\)/g)].map(([, anchor]) => anchor);
			expect([part, links]).toEqual([part, members.map(anchorOf)]);
		}
	});

	it.each(operationCases)('%s: every gap, and only those', (_, operation) => {
		const rows = between('gaps')
			.split('\n')
			.filter((line) => line.includes(`reference.md#${anchorOf(operation)})`));
		const gaps = gapsOf(operation).map(({ what }) => what);
		expect(rows.map((row) => row.split(' | ').at(-1)?.replace(/ \|$/, ''))).toEqual(
			gaps.length === 0 ? [] : [gaps.join(', ')],
		);
	});

	it('names every deadline and every stage', () => {
		for (const { deadline } of operations)
			if (deadline !== undefined) expect(text).toContain(`| \`${deadline.field}\` |`);
		for (const stage of Object.keys(stages))
			expect(text).toMatch(new RegExp(`\\| \`${stage}\` \\| .* \\| ${finalStages.includes(stage) ? 'yes' : 'no'} \\|`));
	});
});

describe('docs/errors.md', () => {
	const chapters = read('docs/errors.md').split('\n### ');
	const chapter = (dialect: Dialect) =>
		chapters.find((text) => anchorsOf(`### ${text}`).has(errorChapters[dialect.spec] ?? '')) ?? '';

	it.each(Object.entries({ courier, unifiedChecks, entryScore, cardIssuance, profile }))(
		'%s: every error of its section',
		(_, dialect) => {
			expect(dialect.listed.length).toBeGreaterThan(0);
			const rows = chapter(dialect).split('\n');
			for (const { status, code, what } of dialect.listed) {
				const cells = [
					...(status === undefined ? [] : [String(status)]),
					...(code === undefined ? [] : [`\`${code}\``]),
				].map((cell) => `| ${cell} `);
				expect(
					rows.filter(
						(row) => cells.every((cell) => row.includes(cell)) && row.toLowerCase().includes(what.toLowerCase()),
					),
				).not.toEqual([]);
			}
		},
	);

	it('every message code of the checks, for each table', () => {
		const rows = chapter(unifiedChecks).split('\n');
		for (const [name, codes] of Object.entries(messageTables)) {
			const check = name === 'shared' ? 'all others' : `\`${name}\``;
			for (const code of Object.keys(codes))
				expect(rows.filter((row) => row.startsWith(`| ${check} | \`${code}\` |`))).toHaveLength(1);
		}
	});

	it('names every operation whose errors nobody lists', () => {
		const text = chapter({ spec: '7' } as Dialect);
		for (const { id, dialect } of operations) if (dialect?.listed.length === 0) expect(text).toContain(`\`${id}\``);
	});
});

interface Described {
	operationId: string;
	security?: Record<string, string[]>[];
	parameters?: {
		name: string;
		in: string;
		required: boolean;
		description: string;
		explode?: boolean;
		schema: JsonSchema;
	}[];
	requestBody?: { description?: string; required: boolean; content: Record<string, { schema?: JsonSchema }> };
	responses: Record<
		string,
		{
			description: string;
			content?: { 'application/json': { schema?: JsonSchema; examples?: Record<string, unknown> } };
		}
	>;
	'x-not-shown'?: string[];
}

const openApi = JSON.parse(read('docs/openapi.json')) as {
	info: { description: string };
	tags: { name: string }[];
	paths: Record<string, Record<string, Described>>;
};
const describedCases = openApiOperations.map((operation) => [operation.id, operation] as const);

describe('OpenAPI', () => {
	it('is valid OpenAPI 3.1', () => {
		// In a process of its own: the validator is an ES module.
		const script = `import { Validator } from '@seriousme/openapi-schema-validator';
			const validator = new Validator();
			const result = await validator.validate(process.argv[1]);
			console.log(JSON.stringify({ version: validator.version, ...result }));`;
		const answer = execFileSync(
			process.execPath,
			['--input-type=module', '--eval', script, path.join(repository, 'docs/openapi.json')],
			{ cwd: packageDir, encoding: 'utf8' },
		);
		expect(JSON.parse(answer)).toEqual({ version: '3.1', valid: true });
	});

	it('has every operation once whose method and path are shown, and names the others', () => {
		const found = Object.entries(openApi.paths).flatMap(([url, methods]) =>
			Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${url}`),
		);
		expect(found.sort()).toEqual(
			operations
				.filter((operation) => !isAddressOpen(operation))
				.map(({ id, method, path: url }) => `${id} ${method} ${url}`)
				.sort(),
		);
		for (const operation of operations)
			expect(openApi.info.description.includes(operation.id)).toBe(isAddressOpen(operation));
		expect(new Set(openApi.tags.map(({ name }) => name)).size).toBe(openApi.tags.length);
	});

	it.each(describedCases)('%s has every field, error and scope', (_, operation) => {
		const described = openApi.paths[operation.path]?.[operation.method.toLowerCase()] as Described;
		const gateway = { gatewayClientId: [], gatewayClientSecret: [] };
		const known =
			operation.auth === 'gateway'
				? gateway
				: { [operation.auth]: operation.scope === undefined ? [] : [operation.scope] };
		expect(described.security).toEqual(operation.auth === 'notShown' ? undefined : [known]);

		const parameters = (described.parameters ?? []).map(({ name, in: place, required }) => ({ name, place, required }));
		const expected = (['pathFields', 'query'] as const).flatMap((key) => {
			const group = operation[key];
			return group === undefined
				? []
				: Object.keys(group.entries).map((name) => ({
						name,
						place: key === 'query' ? 'query' : 'path',
						required: jsonSchemaOf(group).required?.includes(name) === true,
					}));
		});
		expect(parameters).toEqual(expected);
		expect((described.parameters ?? []).filter(({ description }) => !description)).toEqual([]);

		expect(described.requestBody !== undefined).toBe(operation.body !== undefined || operation.payload !== undefined);
		expect(described.requestBody?.content['application/json']?.schema).toEqual(
			operation.body === undefined ? undefined : jsonSchemaOf(operation.body),
		);
		for (const name of Object.keys(operation.nameless?.entries ?? {}))
			expect(described.requestBody).toMatchObject({
				required: true,
				description: expect.stringContaining(`\`${name}\``) as string,
			});
		const success = described.responses['200']?.content?.['application/json'].schema;
		expect(success).toEqual(operation.response === undefined ? undefined : jsonSchemaOf(operation.response));
		if (operation.dialect !== undefined) {
			expect(described['x-not-shown']).toEqual(gapsOf(operation).map(({ what }) => what));
			for (const { status } of operation.dialect.listed) expect(described.responses).toHaveProperty(String(status));
		}

		for (const { status, code } of operation.errors) {
			const response = described.responses[String(status)];
			expect(response?.description).toContain(`\`${code}\``);
			expect(response?.content?.['application/json'].examples).toHaveProperty(
				code,
				expect.objectContaining({ value: { error: code } }),
			);
		}
		expect(described.responses).toHaveProperty('default');
	});

	it('repeats the parameter for lists in the query, as the node does', () => {
		const lists = openApi.paths['/api/pp/v1/operations']?.get?.parameters?.filter(
			({ schema }) => schema.type === 'array',
		);
		expect(lists).toMatchObject([
			{ name: 'accounts', style: 'form', explode: true },
			{ name: 'cards', style: 'form', explode: true },
		]);
	});
});

describe('hand-written docs', () => {
	const files = [
		'README.md',
		'CONTRIBUTING.md',
		'packages/n8n-nodes-bank/README.md',
		...globSync('docs/**/*.md', { cwd: repository }),
	];

	it.each(files)('%s has no dead link into the repository', (file) => {
		const links = [...read(file).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = '']) =>
			link.replace('https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main', repository),
		);
		const dead = links.filter((link) => {
			if (/^https?:/.test(link) || link.includes('docs/images/')) return false;
			const [target = '', anchor] = link.split('#');
			const there = target === '' ? path.join(repository, file) : path.resolve(repository, path.dirname(file), target);
			return !existsSync(there) || (anchor !== undefined && !anchorsOf(readFileSync(there, 'utf8')).has(anchor));
		});
		expect(dead).toEqual([]);
	});

	const credentials = globSync('credentials/*.credentials.ts', { cwd: packageDir }).map((file) =>
		path.basename(file, '.credentials.ts'),
	);
	const loaded = async (name: string) => {
		const module = (await import(`../credentials/${name}.credentials`)) as Record<string, new () => ICredentialType>;
		return new (module[name] as new () => ICredentialType)();
	};

	it.each(credentials)('%s links to a chapter that is there', async (name) => {
		const { documentationUrl = '' } = await loaded(name);
		const [file, anchor] = documentationUrl
			.replace('https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/', '')
			.split('#');
		expect(anchorsOf(read(file as string))).toContain(anchor);
	});

	it.each(credentials)('every field of %s is explained', async (name) => {
		const shown = (await loaded(name)).properties.filter(
			({ type }: INodeProperties) => type !== 'hidden' && type !== 'notice',
		);
		const text = read('docs/credentials.md');
		expect(shown.length).toBeGreaterThan(0);
		expect(shown.map(({ displayName }) => displayName).filter((label) => !text.includes(label))).toEqual([]);
	});

	it('every credential type is named in the READMEs', async () => {
		const names = await Promise.all(credentials.map(async (name) => (await loaded(name)).displayName));
		for (const file of ['README.md', 'packages/n8n-nodes-bank/README.md'])
			expect(names.filter((name) => !read(file).includes(name))).toEqual([]);
	});

	it('every connection code of core is explained', () => {
		const text = read('docs/errors.md');
		expect(connectionCodes.length).toBeGreaterThan(20);
		expect(connectionCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
	});

	it('every fault and admin route of the sandbox is described', () => {
		const text = read('docs/sandbox.md');
		const kinds = [...read('packages/fixtures/src/sandbox/fault.ts').matchAll(/kind: v\.literal\('(\w+)'\)/g)].map(
			([, kind]) => kind,
		);
		expect(kinds.length).toBeGreaterThan(5);
		expect(kinds.filter((kind) => !text.includes(`| \`${kind}\` |`))).toEqual([]);
		const routes = [
			...read('packages/fixtures/src/sandbox/routes/admin.ts').matchAll(/app\.\w+(?:<[^>]*>)?\('(\/_sandbox[^']*)'/g),
		].map(([, route = '']) => route.replace(':id', '{id}'));
		expect(routes.length).toBeGreaterThan(5);
		// `…/enable` stands beside `…/disable`.
		expect(
			routes.filter((route) => !text.includes(route) && !text.includes(`\`…/${route.split('/').pop()}\``)),
		).toEqual([]);
	});
});

/** Anchors of headings, as GitHub makes them, and those set by hand. */
function anchorsOf(markdown: string): Set<string> {
	const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
		title
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);
	return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}
