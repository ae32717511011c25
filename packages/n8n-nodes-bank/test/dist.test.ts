/** The built package. Needs `build`, which turbo runs first. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

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
const scripts = globSync('**/*.js', { cwd: dist });

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

it('package.json names every node and credential that was built', () => {
	const built = globSync(['nodes/**/*.node.js', 'credentials/**/*.credentials.js'], { cwd: dist });
	expect(built.map((file) => `dist/${file}`).sort()).toEqual(
		[...manifest.n8n.nodes, ...manifest.n8n.credentials].sort(),
	);
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

	it('are what the sources build to, byte for byte', () => {
		inCopy((copy) => {
			rmSync(path.join(copy, 'dist'), { recursive: true });
			const env = { ...process.env, TZ: 'Pacific/Auckland' };
			execFileSync(process.execPath, [path.join(packageDir, 'build.mjs'), copy], { env });
			const files = (dir: string) => globSync('**/*.{js,json,md,svg}', { cwd: path.join(dir, 'dist') }).sort();
			const content = (dir: string, file: string) => readFileSync(path.join(dir, 'dist', file), 'utf8');
			expect(files(copy)).toEqual(files(packageDir));
			for (const file of files(copy))
				expect({ file, text: content(copy, file) }).toEqual({ file, text: content(packageDir, file) });
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
