/** The paths, commands and properties named in the docs for contributors exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import repositoryManifest from '../../../package.json';

const repository = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const contributing = read('CONTRIBUTING.md');
const chapter = (title: string) => contributing.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

/** Whether a path exists. Placeholders such as `<resource>` match any name. */
function isThere(name: string, root = '.'): boolean {
	const pattern = name.replace(/<\w+>/g, '*');
	return globSync(pattern, { cwd: path.join(repository, root) }).length > 0;
}

/** Inline code, without code blocks. */
function codeIn(markdown: string): string[] {
	const text = markdown.replace(/^ *```[^]*?^ *```$/gm, '');
	return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe('paths', () => {
	it('in the folder overview of CONTRIBUTING.md', () => {
		const [, map = ''] = chapter('Folders').split('```');
		let package_ = '';
		const named = map.split('\n').flatMap((line) => {
			const [, indent, name = ''] = /^( *)(\S+) {2}/.exec(line) ?? /^( *)(\S+)$/.exec(line) ?? [];
			if (name === '') return [];
			if (indent === '') package_ = name.startsWith('packages/') ? name.split('/').slice(0, 2).join('/') : name;
			return [indent === '' ? name : `${package_}/${name}`];
		});
		expect(named.length).toBeGreaterThan(25);
		expect(named.filter((name) => !isThere(name))).toEqual([]);
		const folders = globSync('packages/*/package.json', { cwd: repository }).map((file) => path.dirname(file));
		expect(folders.filter((folder) => !named.some((name) => name.startsWith(folder)))).toEqual([]);
	});

	/** Folders that paths in a file may be relative to, besides the root of the repository. */
	const documents: [file: string, ...roots: string[]][] = [
		['CONTRIBUTING.md', 'packages/n8n-nodes-bank'],
		['packages/fixtures/README.md', 'packages/fixtures', 'packages/fixtures/src/sandbox'],
	];

	/** Not paths of the repository: build output, URLs, packages. */
	const others = /^(?:@|packages\/site\/dist|\/|\.{3}\/|dist\/|\.mutation|deliveryapi\/)|:\/\/|[{ ]/;

	it.each(documents)('in the text of %s', (file, ...roots) => {
		const paths = codeIn(read(file)).filter((code) => code.includes('/') && !others.test(code));
		expect(paths.length).toBeGreaterThan(1);
		expect(paths.filter((name) => !['.', ...roots].some((root) => isThere(name, root)))).toEqual([]);
	});
});

describe('commands', () => {
	const scripts = Object.keys(repositoryManifest.scripts);
	const patterns = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'packages/*/{,*/}README.md'];
	const documents = globSync(patterns, { cwd: repository });

	it('in the docs exist', () => {
		const named = documents.flatMap((file) =>
			[...read(file).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, task, short = '']) => [
				file,
				task ?? short,
			]),
		);
		expect(named.length).toBeGreaterThan(30);
		expect(named.filter(([, task = '']) => !scripts.includes(task))).toEqual([]);
	});

	it('are all described in CONTRIBUTING.md', () => {
		const [commands = ''] = contributing.split('### Watch mode');
		const missing = scripts.filter((task) => !new RegExp(`npm (?:run )?${task}[\` ]`).test(commands));
		expect(missing).toEqual([]);
	});

	it('are tasks of tools/run.mjs', () => {
		const [, tasks = ''] = /const tasks = \{(.*?)\n\};/s.exec(read('tools/run.mjs')) ?? [];
		const known = [...tasks.matchAll(/^\t'?([\w:-]+)'?[,:]/gm)].map(([, task]) => task);
		expect(known.sort()).toEqual([...scripts].sort());
		for (const [task, command] of Object.entries(repositoryManifest.scripts))
			expect(command).toBe(`node tools/run.mjs ${task}`);
	});

	it('that run a file run one that exists', () => {
		const files = [...contributing.matchAll(/\bnode (\S+\.(?:mjs|ts))/g)].map(([, file = '']) => file);
		expect(files.length).toBeGreaterThan(0);
		expect(files.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
	});
});

describe('facts of the code', () => {
	it('the version of n8n listed as tested is the one that the tests run', () => {
		const { dependencies } = JSON.parse(read('packages/host/n8n/package.json')) as { dependencies: { n8n: string } };
		const rows = (file: string) =>
			[...read(file).matchAll(/^\| (2\.\d+\.\d+)(?: from npm[^|]*)? \|/gm)].map(([, version]) => version);
		for (const file of ['docs/compatibility.md', 'packages/n8n-nodes-bank/README.md'])
			expect([file, rows(file)[0]]).toEqual([file, dependencies.n8n]);
		for (const file of ['deploy/README.md', 'deploy/.env.example'])
			expect(read(file).match(/\b2\.\d+\.\d+\b/g)).toEqual(expect.arrayContaining([dependencies.n8n]));
	});

	it('properties that may be absent from a definition', () => {
		const table = chapter('Adding an operation with undocumented details');
		const rows = [...table.matchAll(/^\| .*?`(\w+)`/gm)].map(([, name]) => name);
		expect(rows).toEqual(expect.arrayContaining(['method', 'path', 'response', 'auth']));
		const vocabulary = read('packages/core/src/operation.ts');
		expect(rows.filter((name) => !new RegExp(`^\t${name}\\??:`, 'm').test(vocabulary))).toEqual([]);
	});
});
