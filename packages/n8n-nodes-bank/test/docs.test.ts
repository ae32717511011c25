/** The committed docs are what the definitions give, and they are whole. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type Operation, operations } from '@bank/core';
import { AuthorizationCodeOAuth2Base, ClientCredentialsOAuth2Base } from '@bank/credentials';
import type { INodeProperties } from 'n8n-workflow';

import { BankAuthorizationCodeOAuth2Api } from '../credentials/BankAuthorizationCodeOAuth2Api.credentials';
import { BankClientCredentialsOAuth2Api } from '../credentials/BankClientCredentialsOAuth2Api.credentials';
import { faultCodes, flattened, generatedDocs } from '../scripts/docs';
import { generatedForms } from '../scripts/generate';
import { type JsonSchema, jsonSchemaOf } from '../scripts/openapi';

const repository = path.resolve(__dirname, '../../..');
const packageDir = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.resolve(repository, file), 'utf8');

const operationCases = operations.map((operation) => [operation.id, operation] as const);

describe('generated files', () => {
	it('are up to date: `pnpm generate` would change nothing', async () => {
		const files = new Map([...generatedForms(), ...(await generatedDocs())]);
		const stale = [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text).map(([file]) => path.relative(repository, file));
		expect(stale).toEqual([]);
	});

	it('are the same every time', async () => {
		expect([...(await generatedDocs())]).toEqual([...(await generatedDocs())]);
	});
});

/** The chapter of an operation in docs/reference.md. */
function chapterOf({ id }: Operation): string {
	const chapters = read('docs/reference.md').split('<a id="');
	return chapters.find((chapter) => chapter.startsWith(`${id.replace('.', '-').toLowerCase()}"`)) ?? '';
}

describe.each(operationCases)('reference: %s', (_, operation) => {
	const chapter = chapterOf(operation);
	const part = (title: string) => chapter.split(`\n### ${title}\n`)[1]?.split('\n### ')[0] ?? '';

	it('has its place, method, path and scope', () => {
		expect(chapter).toContain(`\`${operation.method} ${operation.path}\``);
		if (operation.scope !== undefined) expect(chapter).toContain(`\`${operation.scope}\``);
	});

	it('names every field with its place', () => {
		const groups = { path: operation.pathFields, query: operation.query, body: operation.body };
		const lines = part('Fields').split('\n');
		for (const [place, group] of Object.entries(groups)) {
			if (group === undefined) continue;
			for (const field of flattened(jsonSchemaOf(group))) {
				expect(lines.filter((line) => line.startsWith(`| \`${field.path}\` | ${place} | `))).toHaveLength(1);
			}
		}
	});

	it('gives every field of the request a meaning', () => {
		for (const group of [operation.pathFields, operation.query, operation.body]) {
			if (group !== undefined) expect(flattened(jsonSchemaOf(group)).filter(({ meaning }) => meaning === '')).toEqual([]);
		}
	});

	it('names every field of the answer', () => {
		if (operation.response === undefined) return;
		for (const field of flattened(jsonSchemaOf(operation.response))) expect(part('Answer')).toContain(`| \`${field.path}\` |`);
	});

	it('names every error', () => {
		for (const { status, code } of operation.errors) expect(part('Errors')).toContain(`| ${status} | \`${code}\` |`);
	});

	it('says what the form offers', () => {
		expect(part('Form')).toContain('| `options` |');
		for (const name of Object.keys(operation.pathFields?.entries ?? {})) expect(part('Form')).toContain(`| \`${name}\` |`);
	});
});

interface Described {
	operationId: string;
	security: Record<string, string[]>[];
	parameters?: { name: string; in: string; required: boolean; description: string; explode?: boolean; schema: JsonSchema }[];
	requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
	responses: Record<string, { description: string; content?: { 'application/json': { schema: JsonSchema; examples?: Record<string, unknown> } } }>;
}

const openApi = JSON.parse(read('docs/openapi.json')) as { paths: Record<string, Record<string, Described>> };

describe('OpenAPI', () => {
	it('is valid OpenAPI 3.1', () => {
		// In a process of its own: the validator is an ES module.
		const script = `import { Validator } from '@seriousme/openapi-schema-validator';
			const validator = new Validator();
			const result = await validator.validate(process.argv[1]);
			console.log(JSON.stringify({ version: validator.version, ...result }));`;
		const answer = execFileSync(process.execPath, ['--input-type=module', '--eval', script, path.join(repository, 'docs/openapi.json')], { cwd: packageDir, encoding: 'utf8' });
		expect(JSON.parse(answer)).toEqual({ version: '3.1', valid: true });
	});

	it('has every operation once and no other', () => {
		const found = Object.entries(openApi.paths).flatMap(([url, methods]) => Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${url}`));
		expect(found.sort()).toEqual(operations.map(({ id, method, path: url }) => `${id} ${method} ${url}`).sort());
	});

	it.each(operationCases)('%s has every field, error and scope', (_, operation) => {
		const described = openApi.paths[operation.path]?.[operation.method.toLowerCase()] as Described;
		expect(described.security).toEqual([{ [operation.auth]: operation.scope === undefined ? [] : [operation.scope] }]);

		const parameters = (described.parameters ?? []).map(({ name, in: place, required }) => ({ name, place, required }));
		const expected = (['pathFields', 'query'] as const).flatMap((key) => {
			const group = operation[key];
			return group === undefined ? [] : Object.keys(group.entries).map((name) => ({ name, place: key === 'query' ? 'query' : 'path', required: jsonSchemaOf(group).required?.includes(name) === true }));
		});
		expect(parameters).toEqual(expected);
		expect((described.parameters ?? []).filter(({ description }) => !description)).toEqual([]);

		expect(described.requestBody?.content['application/json'].schema).toEqual(operation.body === undefined ? undefined : jsonSchemaOf(operation.body));
		const success = described.responses['200']?.content?.['application/json'].schema;
		expect(success).toEqual(operation.response === undefined ? undefined : jsonSchemaOf(operation.response));

		for (const { status, code } of operation.errors) {
			const response = described.responses[String(status)];
			expect(response?.description).toContain(`\`${code}\``);
			expect(response?.content?.['application/json'].examples).toHaveProperty(code, expect.objectContaining({ value: { error: code } }));
		}
		expect(described.responses).toHaveProperty('default');
	});

	it('repeats the parameter for lists in the query, as the node does', () => {
		const lists = openApi.paths['/api/pp/v1/operations']?.get?.parameters?.filter(({ schema }) => schema.type === 'array');
		expect(lists).toMatchObject([{ name: 'accounts', style: 'form', explode: true }, { name: 'cards', style: 'form', explode: true }]);
	});
});

describe('hand-written docs', () => {
	const files = ['README.md', 'CONTRIBUTING.md', 'packages/n8n-nodes-bank/README.md', ...globSync('docs/**/*.md', { cwd: repository })];

	it.each(files)('%s has no dead link into the repository', (file) => {
		const links = [...read(file).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = '']) => link.replace('https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main', repository));
		const dead = links.filter((link) => {
			if (/^https?:/.test(link) || link.includes('docs/images/')) return false;
			const [target = '', anchor] = link.split('#');
			const there = target === '' ? path.join(repository, file) : path.resolve(repository, path.dirname(file), target);
			return !existsSync(there) || (anchor !== undefined && !anchorsOf(readFileSync(there, 'utf8')).has(anchor));
		});
		expect(dead).toEqual([]);
	});

	it('the credential types link to chapters that are there', () => {
		for (const { documentationUrl } of [new BankClientCredentialsOAuth2Api(), new BankAuthorizationCodeOAuth2Api()]) {
			const [file, anchor] = documentationUrl.replace('https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/', '').split('#');
			expect(anchorsOf(read(file as string))).toContain(anchor);
		}
	});

	it('every field of the credentials is explained', () => {
		const { properties: first } = new (class extends ClientCredentialsOAuth2Base {})();
		const { properties: second } = new (class extends AuthorizationCodeOAuth2Base {})();
		const shown = [...first, ...second].filter(({ type }: INodeProperties) => type !== 'hidden' && type !== 'notice');
		const text = read('docs/credentials.md');
		expect(shown.map(({ displayName }) => displayName).filter((name) => !text.includes(name))).toEqual([]);
	});

	it('every connection code of core is explained', () => {
		const source = read('packages/core/src/errors/noAnswer.ts');
		const known = [...source.matchAll(/^\t([A-Z][A-Z_]+): '|^\t([A-Z][A-Z_]+): "/gm)].map(([, single, double]) => single ?? double);
		expect([...faultCodes].sort()).toEqual(known.sort());
	});

	it('every fault and admin route of the sandbox is described', () => {
		const text = read('docs/sandbox.md');
		const kinds = [...read('packages/fixtures/src/sandbox/faults.ts').matchAll(/kind: v\.literal\('(\w+)'\)/g)].map(([, kind]) => kind);
		expect(kinds.length).toBeGreaterThan(5);
		expect(kinds.filter((kind) => !text.includes(`| \`${kind}\` |`))).toEqual([]);
		const routes = [...read('packages/fixtures/src/sandbox/routes/admin.ts').matchAll(/app\.\w+(?:<[^>]*>)?\('(\/_sandbox[^']*)'/g)].map(([, route = '']) => route.replace(':id', '{id}'));
		expect(routes.length).toBeGreaterThan(5);
		// `…/enable` stands beside `…/disable`.
		expect(routes.filter((route) => !text.includes(route) && !text.includes(`\`…/${route.split('/').pop()}\``))).toEqual([]);
	});
});

/** Anchors of headings, as GitHub makes them, and those set by hand. */
function anchorsOf(markdown: string): Set<string> {
	const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replace(/[^\w\s-]/g, '').replace(/\s/g, '-'));
	return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}
