/** The committed docs match the definitions and are complete. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { heldBackCodes, operations, resources } from '@bank/core';
import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { errorSections, oracleOf } from '../../fixtures/src/oracle.ts';
import { generatedDocs } from '../scripts/docs/generateDocs';
import { gapsOf } from '../scripts/docs/gaps';
import { generatedForms, orphans } from '../scripts/generate';
import { pageOfTitle, titleOf } from '../scripts/names';
import { ownedFiles, ownerOf } from '../scripts/docs/owner';
import { errorChapters } from '../scripts/docs/reference';
import { generatedSchemas } from '../scripts/outputSchemas';

const repository = path.resolve(__dirname, '../../..');
const packageDir = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.resolve(repository, file), 'utf8');

describe('generated files', () => {
	it('are up to date: `pnpm generate` would change nothing', async () => {
		const schemas = await generatedSchemas(path.join(packageDir, 'nodes'));
		const files = new Map([...(await generatedForms()), ...schemas, ...(await generatedDocs()), ...ownedFiles()]);
		const stale = [...files]
			.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
			.map(([file]) => file);
		expect([...stale, ...orphans(files)].map((file) => path.relative(repository, file))).toEqual([]);
	});

	it('name no owner but that of package.json, the one file to edit', () => {
		const manifest = 'packages/n8n-nodes-bank/package.json';
		const to = { repository: 'someone/their-nodes', author: 'Someone Else' };
		const from = ownerOf(read(manifest));
		const replaced = ownedFiles(from, to);
		const [owner = '', name = ''] = from.repository.split('/');
		const { email } = (JSON.parse(read(manifest)) as { author: { email: string } }).author;
		const traces = [from.repository, `@${owner}/`, `${owner}.github.io`, `/${name}/main/`, from.author, email];
		const left = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
			.split('\0')
			.filter((file) => /\.(?!png$|svg$|ico$)\w+$|CODEOWNERS|LICENSE/.test(file) && file !== manifest)
			// Not published under a name. releasePlan.mjs lists the placeholders that it refuses.
			.filter((file) => !/^(?:pnpm-lock\.yaml|tools\/releasePlan\.mjs)$/.test(file))
			.flatMap((file) => {
				const text = replaced.get(path.resolve(repository, file)) ?? read(file);
				return traces.filter((trace) => text.includes(trace)).map((trace) => `${file}: ${trace}`);
			});
		expect(replaced.size).toBeGreaterThan(20);
		expect(left).toEqual([]);
	});
});

it('what is not shown of an operation is what the API description lacks', () => {
	for (const operation of operations)
		expect([operation.id, gapsOf(operation)]).toEqual([operation.id, oracleOf(operation.id).notShown]);
});

it('no two operations have the same title in the reference', () => {
	const titles = resources.flatMap((resource) => resource.operations.map(titleOf));
	expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

it.each(errorSections)('docs/errors.md has every error of section $section', ({ section, errors, statuses = [] }) => {
	const anchor = errorChapters[section] ?? '';
	const chapters = read('docs/errors.md').split('\n### ');
	const chapter = chapters.find((text) => anchorsOf(`### ${text}`).has(anchor)) ?? '';
	const listed = [...errors.map(({ status, code }) => code ?? status), ...statuses].map(String);
	expect(listed.filter((error) => !chapter.includes(error))).toEqual([]);
});

describe('OpenAPI', () => {
	it('is valid OpenAPI 3.1', () => {
		// In a separate process, because the validator is an ES module.
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
});

describe('hand-written docs', () => {
	const files = [
		'README.md',
		'CONTRIBUTING.md',
		'SECURITY.md',
		'bench/README.md',
		'deploy/README.md',
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

	const codices = globSync('nodes/*/*.node.json', { cwd: packageDir });

	it.each(codices)('the Docs link of %s leads to a page with a worked example', (file) => {
		const { resources } = JSON.parse(readFileSync(path.join(packageDir, file), 'utf8')) as {
			resources: { primaryDocumentation: { url: string }[] };
		};
		const [{ url } = { url: '' }] = resources.primaryDocumentation;
		const site = 'https://n8n-nodes-bank.github.io/n8n-nodes-bank/';
		// n8n's editor appends a query to the URL, so an anchor would be lost.
		expect(url).not.toContain('#');
		const title = path
			.basename(file)
			.replace('.node.json', '')
			.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
		expect(url.replace(site, 'docs/')).toBe(pageOfTitle(title).replace('.md', ''));
		const page = read(pageOfTitle(title));
		expect(page).toMatch(new RegExp(`^# ${title}$`, 'm'));
		expect(page).toMatch(/^## Worked example: /m);
	});

	it('every example is in the gallery, with its name and picture', () => {
		const gallery = read('docs/examples.md');
		const files = globSync('examples/*.json', { cwd: repository });
		expect(files.length).toBeGreaterThan(15);
		const missing = files.filter((file) => {
			const { name } = JSON.parse(read(file)) as { name: string };
			const image = `images/examples/${path.basename(file, '.json')}.png`;
			const cell = `| [${name}](../${file.replaceAll('\\', '/')})<br>[![${name}](${image})](${image}) |`;
			return !gallery.includes(cell) || !existsSync(path.join(repository, 'docs', image));
		});
		expect(missing).toEqual([]);
	});

	it('every page but the generated ones is reachable from the front page of the repository', () => {
		const reached = new Set<string>();
		const follow = (file: string) => {
			if (reached.has(file) || !existsSync(path.join(repository, file))) return;
			reached.add(file);
			for (const [, link = ''] of read(file).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g))
				if (!link.startsWith('http')) follow(path.join(path.dirname(file), link));
		};
		follow('README.md');
		const pages = globSync('docs/{,nodes/}*.md', { cwd: repository });
		expect(pages.filter((page) => page !== 'docs/index.md' && !reached.has(page))).toEqual([]);
	});

	it('every picture is there, and every picture is shown', () => {
		const shown = files.flatMap((file) =>
			[...read(file).matchAll(/!\[[^\]]+\]\([^)]*?images\/([\w./-]+)\)/g)].map(([, image = '']) => image),
		);
		expect([...new Set(shown)].sort()).toEqual(
			globSync('**/*.png', { cwd: path.join(repository, 'docs/images') })
				.map((image) => image.replaceAll('\\', '/'))
				.sort(),
		);
	});

	it("the package's page has the chapters that n8n asks for, in their order", () => {
		const chapters = [...read('packages/n8n-nodes-bank/README.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
		expect(chapters).toEqual([
			'Installation',
			'Operations',
			'Credentials',
			'Compatibility',
			'Usage',
			'Resources',
			'Version history',
		]);
	});

	it('every credential type is named on the page of the package and among the credentials', async () => {
		const names = await Promise.all(credentials.map(async (name) => (await loaded(name)).displayName));
		for (const file of ['docs/credentials.md', 'packages/n8n-nodes-bank/README.md'])
			expect(names.filter((name) => !read(file).includes(name))).toEqual([]);
	});

	it('every code of a payment that is not sent is explained', () => {
		const text = read('docs/errors.md');
		expect(heldBackCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
	});

	it('every fault and admin route of the sandbox is described', () => {
		const text = read('docs/sandbox.md');
		const kinds = [
			...read('packages/fixtures/src/sandbox/faults/fault.ts').matchAll(/kind: v\.literal\('(\w+)'\)/g),
		].map(([, kind]) => kind);
		expect(kinds.length).toBeGreaterThan(5);
		expect(kinds.filter((kind) => !text.includes(`| \`${kind}\` |`))).toEqual([]);
		const routes = [
			...read('packages/fixtures/src/sandbox/routes/admin.ts').matchAll(/app\.\w+(?:<[^>]*>)?\('(\/_sandbox[^']*)'/g),
		].map(([, route = '']) => route.replace(':id', '{id}'));
		expect(routes.length).toBeGreaterThan(5);
		// `…/enable` is listed with `…/disable` in one row.
		expect(
			routes.filter((route) => !text.includes(route) && !text.includes(`\`…/${route.split('/').pop()}\``)),
		).toEqual([]);
	});
});

/** Anchors of headings as GitHub creates them, and explicit ones. */
function anchorsOf(markdown: string): Set<string> {
	const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
		title
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);
	return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}
