/** The built package. Needs `build`, which turbo runs first. */
import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	globSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';

const packageDir = path.resolve(__dirname, '..');
const repository = path.resolve(packageDir, '../..');
const dist = path.join(packageDir, 'dist');
const load = createRequire(path.join(packageDir, 'package.json'));

const manifest = load('./package.json') as {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
};
const read = (file: string) => readFileSync(path.join(dist, file), 'utf8');
const json = <T>(file: string) => JSON.parse(read(file)) as T;
const scripts = globSync('**/*.js', { cwd: dist });

type Icon = { light: string; dark: string };
type Listed = { name: string; iconUrl: Icon };

const classOf = (file: string) => path.basename(file).replace(/\..*/, '');

const construct = <T>(file: string) =>
	new (existing((load(path.join(packageDir, file)) as Record<string, new () => T>)[classOf(file)]))();

/** A copy of the package in a temp folder, removed afterwards. */
function inCopy(use: (copy: string) => void): void {
	const temporary = mkdtempSync(path.join(tmpdir(), 'n8n-nodes-bank-'));
	try {
		// The build recognizes chunks by the folder names.
		const copy = path.join(temporary, 'packages/n8n-nodes-bank');
		cpSync(packageDir, copy, {
			recursive: true,
			filter: (file) => !/[\\/](node_modules|test|\.turbo|\.test-results)$/.test(file),
		});
		symlinkSync(path.join(packageDir, 'node_modules'), path.join(copy, 'node_modules'));
		use(copy);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

describe('classes', () => {
	it('package.json names every node and credential that was built', () => {
		const built = globSync(['nodes/**/*.node.js', 'credentials/**/*.credentials.js'], { cwd: dist });
		expect(built.map((file) => `dist/${file}`).sort()).toEqual(
			[...manifest.n8n.nodes, ...manifest.n8n.credentials].sort(),
		);
	});
});

describe('files', () => {
	it('require only their own files, n8n-workflow and crypto', () => {
		expect(scripts.length).toBeGreaterThan(10);
		for (const file of scripts) {
			for (const [, name = ''] of read(file).matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]\s*\)/g)) {
				const isThere = name.startsWith('.')
					? existsSync(path.resolve(dist, path.dirname(file), name))
					: ['n8n-workflow', 'node:crypto'].includes(name);
				expect({ file, name, isThere }).toEqual({ file, name, isThere: true });
			}
			expect(read(file)).not.toMatch(/\bimport\(/);
		}
	});

	it('contain no paths of the machine they were built on', () => {
		const strange = scripts.flatMap((file) =>
			['@bank/', repository, 'sourceMappingURL']
				.filter((text) => read(file).includes(text))
				.map((text) => [file, text]),
		);
		expect(strange).toEqual([]);
	});

	it('have the license of the package and the notices of exactly the bundled libraries', () => {
		expect(readFileSync(path.join(packageDir, 'LICENSE'), 'utf8')).toBe(
			readFileSync(path.join(repository, 'LICENSE'), 'utf8'),
		);
		// The bundler writes the name of the source file above each part.
		const origins = scripts.flatMap((file) =>
			[...read(file).matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/[^\n]*$|^\/\/ \\0(rolldown)\//gm)].map(
				([, library, bundler]) => library ?? bundler ?? '',
			),
		);
		const notices = read('THIRD_PARTY_NOTICES.md');
		const named = [...notices.matchAll(/^## (\S+) (\S+) \(MIT\)$/gm)].map(([, name = '']) => name);
		expect(named).toEqual([...new Set(origins)].sort());
		expect(named).toContain('valibot');
		for (const library of named) {
			const dir = path.join(packageDir, 'node_modules', library);
			const [licence = ''] = globSync('LICENSE*', { cwd: dir });
			expect(notices).toContain(readFileSync(path.join(dir, licence), 'utf8').trim());
		}
	});

	it('contain the form of an operation once, in the file that the editor reads', () => {
		const listed = json<INodeTypeDescription[]>('types/nodes.json');
		for (const file of manifest.n8n.nodes) {
			const { properties = [] } = listed.find(({ name }) => name.toLowerCase() === classOf(file).toLowerCase()) ?? {};
			const operations = properties.findIndex(({ name }) => name === 'operation');
			const help = properties.slice(Math.max(operations, 0)).flatMap(({ description }) => description ?? []);
			const code = readFileSync(path.join(packageDir, file), 'utf8');
			expect({ file, twice: help.filter((text) => code.includes(text)) }).toEqual({ file, twice: [] });
		}
	});

	it('are what the sources build to, byte for byte', () => {
		inCopy((copy) => {
			rmSync(path.join(copy, 'dist'), { recursive: true });
			execFileSync(process.execPath, [path.join(packageDir, 'build.mjs'), copy]);
			const files = (dir: string) => globSync('**/*.{js,json,md,svg}', { cwd: path.join(dir, 'dist') }).sort();
			// rolldown names each source file relative to the package, and the copy is elsewhere.
			const content = (dir: string, file: string) =>
				readFileSync(path.join(dir, 'dist', file), 'utf8').replace(/^\/\/ \.\..*$/gm, '');
			expect(files(copy)).toEqual(files(packageDir));
			for (const file of files(copy))
				expect({ file, text: content(copy, file) }).toEqual({ file, text: content(packageDir, file) });
		});
	});
});

describe('metadata for loading on first use', () => {
	it('is all that a class loads; the implementation is loaded when the node runs', () => {
		const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((file) => path.join(packageDir, file));
		const script = `
			for (const file of ${JSON.stringify(files)}) for (const type of Object.values(require(file))) new type();
			console.log(JSON.stringify(Object.keys(require.cache)));`;
		const loaded = JSON.parse(String(execFileSync(process.execPath, ['-e', script]))) as string[];
		const own = loaded.map((file) => path.relative(dist, file)).filter((file) => file.startsWith('shared'));
		expect(own.sort()).toEqual(['credentialTypes', 'fields'].map((name) => path.join('shared', `${name}.js`)));
	});

	it('describes each node as its class does', () => {
		const listed = json<INodeTypeDescription[]>('types/nodes.json');
		manifest.n8n.nodes.forEach((file, index) => {
			const { description } = construct<INodeType>(file);
			const own = JSON.parse(JSON.stringify(description)) as Record<string, unknown>;
			delete own['icon'];
			// n8n inserts the poll times first.
			if (description.polling)
				own['properties'] = [expect.objectContaining({ name: 'pollTimes' }), ...(own['properties'] as unknown[])];
			expect(listed[index]).toMatchObject({ ...own, communityNodePackageVersion: manifest.version });
		});
	});

	it('has two icons for each, at the path that n8n serves', () => {
		for (const { iconUrl } of [...json<Listed[]>('types/nodes.json'), ...json<Listed[]>('types/credentials.json')]) {
			expect(iconUrl.light).not.toBe(iconUrl.dark);
			for (const url of Object.values(iconUrl)) {
				expect(url.startsWith(`icons/${manifest.name}/dist/`)).toBe(true);
				expect(existsSync(path.join(packageDir, url.replace(`icons/${manifest.name}/`, '')))).toBe(true);
			}
		}
	});

	// n8n is installed separately (packages/host/n8n), and only where the host's tests run.
	const n8n = path.join(repository, 'packages/host/n8n/node_modules/n8n/package.json');
	(existsSync(n8n) ? it : it.skip)("equals what n8n's own tool writes", () => {
		const core = createRequire(realpathSync(n8n)).resolve('n8n-core');
		inCopy((copy) => {
			const files = ['known/nodes.json', 'known/credentials.json', 'types/nodes.json', 'types/credentials.json'];
			// n8n's tool needs only the forms of the classes, which are read from `types`.
			const forms = (kind: 'nodes' | 'credentials') =>
				json<INodeTypeDescription[]>(`types/${kind}.json`).map(({ name, properties, triggerPanel }) => ({
					name,
					properties,
					triggerPanel,
				}));
			const known = { nodes: forms('nodes'), credentials: forms('credentials') };
			for (const file of files) rmSync(path.join(copy, 'dist', file));
			for (const [kind, list] of Object.entries(known))
				writeFileSync(path.join(copy, `dist/types/${kind}.json`), JSON.stringify(list));
			const env = { ...process.env, N8N_USER_FOLDER: copy, N8N_ENCRYPTION_KEY: 'test' };
			execFileSync(process.execPath, [path.resolve(core, '../../bin/generate-metadata')], { cwd: copy, env });
			for (const file of files)
				expect({ file, text: readFileSync(path.join(copy, 'dist', file), 'utf8') }).toEqual({ file, text: read(file) });
		});
	});
});

describe('changesets', () => {
	const folder = path.join(repository, '.changeset');
	const changesets = globSync('*.md', { cwd: folder }).filter((file) => file !== 'README.md');

	/** Packages named in the head of a changeset: `"name": minor`. */
	const named = (text: string) =>
		[...(/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '').matchAll(/^["']?([^"':]+)["']?:/gm)].map(([, name]) => name);

	it('name only the published package, because one that names a private package releases nothing', () => {
		const wrong = changesets.filter(
			(file) => named(readFileSync(path.join(folder, file), 'utf8')).join() !== manifest.name,
		);
		expect(wrong).toEqual([]);
	});
});
