// Builds dist/: one CommonJS file per node and credential (n8n requires them), shared chunks, icons, codex and metadata.
// Readable on purpose: no minification, no source maps. n8n's reviewers and its scan read exactly these files. What stood above each
// function is in the source that every section names: those comments and the libraries' own would be 59 kB, 7 % of the package.
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { rolldown } from 'rolldown';

import { writeMetadata } from './scripts/metadata.mjs';
import { bundledLibraries, noticesOf } from './scripts/notices.mjs';
import { withoutDocs } from './scripts/withoutDocs.mjs';

const inside = (...parts) => new RegExp(parts.join('[\\\\/]'));

/** Named by what is in them, so that file names stay the same from release to release. The first match counts. */
const chunks = [
	{ name: 'vendor', test: inside('node_modules', '') },
	{ name: 'core', test: inside('packages', 'core', 'src', '') },
	{ name: 'credentials', test: inside('packages', 'credentials', 'src', '') },
	{ name: 'nodes', test: inside('nodes', 'shared', '') },
];

/**
 * What a chunk exports, as an assignment each instead of a getter of five lines: rolldown writes getters for bindings that change,
 * and there are none. A reviewer reads less, and the package is 12 kB smaller.
 */
const plainExports = {
	name: 'plain-exports',
	renderChunk(code) {
		const getter =
			/Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);/g;
		return code.replace(getter, (_, name, local) => {
			if (new RegExp(`^let ${local.replaceAll('$', '\\$')}\\b`, 'm').test(code))
				throw new Error(`${local} changes after it was exported: whoever imports it would not see that`);
			return `exports.${name} = ${local};`;
		});
	},
};

const formPattern = 'nodes/*/descriptions/generated/operationFields.ts';
const nodeOf = (file) => camelCase(file.split(/[\\/]/).at(-4));
const camelCase = (name) => name.charAt(0).toLowerCase() + name.slice(1);

/** The form of each node with operations, from the sources as they are now. */
async function readForms(dir) {
	const files = globSync(formPattern, { cwd: dir }).sort();
	const forms = await Promise.all(
		files.map(async (file) => {
			const bundle = await rolldown({ cwd: dir, input: file, external: ['n8n-workflow'], tsconfig: false });
			const { output } = await bundle.generate({ format: 'esm' });
			await bundle.close();
			const { operationFields } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
			return [nodeOf(file), operationFields];
		}),
	);
	return Object.fromEntries(forms);
}

/**
 * n8n's editor reads the forms from types/nodes.json, and the same text again in the nodes would be a fifth of the package: so they
 * read theirs from there. It is the end of a node's properties.
 */
const formsOf = (forms) => ({
	name: 'forms-once',
	resolveId: (source) => (source.endsWith('types/nodes.json') ? { id: source, external: true } : undefined),
	load(id) {
		if (!path.matchesGlob(id, `**/${formPattern}`)) return undefined;
		const name = nodeOf(id);
		return `const nodes = require('../../types/nodes.json');
			export const operationFields = nodes.find((node) => node.name === '${name}').properties.slice(-${forms[name].length});`;
	},
});

/** Answers with the libraries of which something is in dist. */
export async function build(dir) {
	const find = (pattern) => globSync(pattern, { cwd: dir }).sort();
	const forms = await readForms(dir);
	const entries = find(['nodes/*/*.node.ts', 'credentials/*.credentials.ts']);
	const bundle = await rolldown({
		cwd: dir,
		input: Object.fromEntries(
			entries.map((file) => [file.replaceAll('\\', '/').replace(/\.ts$/, ''), path.join(dir, file)]),
		),
		external: ['n8n-workflow', /^node:/],
		platform: 'node',
		tsconfig: false,
		plugins: [formsOf(forms), withoutDocs(), plainExports],
		transform: { target: 'es2023' },
		onLog(level, log, report) {
			// An import that does not resolve would be left in dist and fail in n8n.
			if (level === 'warn') throw new Error(log.message);
			report(level, log);
		},
	});
	const { output } = await bundle.generate({
		format: 'cjs',
		exports: 'named',
		strict: true,
		minify: false,
		keepNames: true,
		comments: { jsdoc: false },
		entryFileNames: '[name].js',
		chunkFileNames: 'shared/[name].js',
		codeSplitting: { groups: chunks },
	});
	await bundle.close();

	// Only now: what does not build leaves the last dist where it is.
	await rm(path.join(dir, 'dist'), { recursive: true, force: true });
	for (const { fileName, code } of output) {
		const file = path.join(dir, 'dist', fileName);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, code);
	}
	for (const file of find(['{nodes,credentials}/**/*.svg', 'icons/*.svg', 'nodes/*/*.node.json'])) {
		await cp(path.join(dir, file), path.join(dir, 'dist', file));
	}
	// What n8n's editor shows of an operation before it has run. Nobody reads it in dist: without spaces it is a third as big.
	for (const file of find('nodes/*/__schema__/**/*.json')) {
		const target = path.join(dir, 'dist', file);
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, JSON.stringify(JSON.parse(await readFile(path.join(dir, file), 'utf8'))));
	}
	const libraries = bundledLibraries(output);
	await writeFile(path.join(dir, 'dist/THIRD_PARTY_NOTICES.md'), noticesOf(libraries));
	await writeMetadata(dir, forms);
	return libraries;
}

if (import.meta.main) {
	const started = performance.now();
	await build(path.resolve(process.argv[2] ?? import.meta.dirname));
	console.log(`built dist in ${Math.round(performance.now() - started)} ms`);
}
