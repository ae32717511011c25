// Builds dist/: one CommonJS file per node and credential (n8n requires them), shared chunks, icons and codex.
// Not minified and without source maps, because n8n's reviewers and its scan read these files. Doc comments are removed (59 kB, 7 % of
// the package); every section names its source file.
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { rolldown } from 'rolldown';

import { bundledLibraries, noticesOf } from './scripts/build/notices.mjs';
import { withoutDocs } from './scripts/build/withoutDocs.mjs';

const inside = (...parts) => new RegExp(parts.join('[\\\\/]'));

/** Shared code, in chunks with stable names; the first match applies. */
const chunks = [
	{ name: 'vendor', test: inside('node_modules', '') },
	{ name: 'core', test: inside('packages', 'core', 'src', '') },
	{ name: 'credentials', test: inside('packages', 'credentials', 'src', '') },
	{ name: 'nodes', test: inside('nodes', 'shared', '') },
];

/**
 * Shortens exports and imports of chunks: one `Object.assign` instead of a five-line getter for each export (needed only for bindings
 * that change), and `$core.call` instead of `require_core.call`. This saves 24 kB and makes review easier.
 */
const plainExports = {
	name: 'plain-exports',
	renderChunk(code) {
		const getter =
			/Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);/g;
		const assigned = code.replace(getter, (_, name, local) => {
			if (new RegExp(`^let ${local.replaceAll('$', '\\$')}\\b`, 'm').test(code))
				throw new Error(`${local} changes after it was exported, which Object.assign would hide`);
			return `exports.${name} = ${local};`;
		});
		return assigned
			.replace(/(?:^exports\.[\w$]+ = [\w$]+;\n?){2,}/gm, (lines) => {
				const names = [...lines.matchAll(/^exports\.([\w$]+) = ([\w$]+);/gm)];
				const members = names.map(([, name, local]) => `\t${name === local ? name : `${name}: ${local}`}`);
				return `Object.assign(exports, {\n${members.join(',\n')}\n});\n`;
			})
			.replace(/\brequire_(?=\w)/g, '$$')
			.replace(/\/\* @__\w+__ \*\/\s/g, '');
	},
};

/**
 * Names the source file above its code, without the folder of libraries or package, so that each build gives the same
 * files.
 */
const withoutFolders = (code) =>
	code
		.replace(/^(\/\/(?:#region)? )(?:\.\.\/)+(?:.*\/)?node_modules\//gm, '$1node_modules/')
		.replace(/^(\/\/(?:#region)? )(?:\.\.\/)+(?:.*\/)?(core|credentials)\/src\//gm, '$1../$2/src/');

/** Builds dist and returns the bundled libraries. */
export async function build(dir) {
	const find = (pattern) => globSync(pattern, { cwd: dir }).sort();
	const entries = find(['nodes/*/*.node.ts', 'credentials/*.credentials.ts']);
	const bundle = await rolldown({
		cwd: dir,
		input: Object.fromEntries(
			entries.map((file) => [file.replaceAll('\\', '/').replace(/\.ts$/, ''), path.join(dir, file)]),
		),
		external: ['n8n-workflow', /^node:/],
		platform: 'node',
		tsconfig: false,
		// No module has side effects.
		treeshake: { moduleSideEffects: false },
		plugins: [withoutDocs(), plainExports],
		transform: { target: 'es2023' },
		// Only warnings about a slow build are off: a slow machine is no reason to fail.
		checks: { bundlerTimings: false },
		onLog(level, log, report) {
			// A warning, for example about an unresolved import, would be a failure in n8n.
			if (level === 'warn') throw new Error(log.message);
			report(level, log);
		},
	});
	const { output } = await bundle.generate({
		format: 'cjs',
		exports: 'named',
		strict: true,
		minify: false,
		keepNames: false,
		comments: { annotation: false, jsdoc: false },
		entryFileNames: '[name].js',
		// The implementation of a node goes next to its class.
		chunkFileNames: ({ facadeModuleId, moduleIds, name }) => {
			const own = /[\\/](nodes[\\/](?!shared[\\/])\w+[\\/]\w+)\.ts$/.exec(facadeModuleId ?? moduleIds[0]);
			return own === null ? `shared/${name}.js` : `${own[1].replaceAll('\\', '/')}.js`;
		},
		codeSplitting: { groups: chunks },
	});
	await bundle.close();

	// Removed only after a successful build.
	await rm(path.join(dir, 'dist'), { recursive: true, force: true });
	for (const { fileName, code } of output) {
		const file = path.join(dir, 'dist', fileName);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, withoutFolders(code));
	}
	for (const file of find(['{nodes,credentials}/**/*.svg', 'icons/*.svg', 'nodes/*/*.node.json'])) {
		await cp(path.join(dir, file), path.join(dir, 'dist', file));
	}
	// Output schemas for n8n's editor, without spaces: a third of the size.
	for (const file of find('nodes/*/__schema__/**/*.json')) {
		const target = path.join(dir, 'dist', file);
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, JSON.stringify(JSON.parse(await readFile(path.join(dir, file), 'utf8'))));
	}
	const libraries = bundledLibraries(output);
	await writeFile(path.join(dir, 'dist/THIRD_PARTY_NOTICES.md'), noticesOf(libraries));
	return libraries;
}

if (import.meta.main) {
	const started = performance.now();
	await build(path.resolve(process.argv[2] ?? import.meta.dirname));
	console.log(`built dist in ${Math.round(performance.now() - started)} ms`);
}
