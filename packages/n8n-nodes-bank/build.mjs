// Builds dist/: one CommonJS file per node and credential (n8n requires them), shared chunks, icons, codex and metadata.
// Not minified and without source maps, because n8n's reviewers and its scan read these files. Doc comments are removed (59 kB, 7 % of
// the package); every section names its source file.
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { rolldown } from 'rolldown';

import { writeMetadata } from './scripts/build/metadata.mjs';
import { bundledLibraries, noticesOf } from './scripts/build/notices.mjs';
import { withoutDocs } from './scripts/build/withoutDocs.mjs';

const inside = (...parts) => new RegExp(parts.join('[\\\\/]'));

/**
 * Chunks with stable names; the first match applies. n8n needs the first two and the file of a class to load it. The rest is loaded
 * when the node runs (`import()`).
 */
const chunks = [
	{ name: 'fields', test: inside('nodes', 'shared', '(?:authentication|form[\\\\/]loadMethods)\\.ts$') },
	{ name: 'credentialTypes', test: inside('packages', 'credentials', 'src', '(?:types|forms)', '') },
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
			.replaceAll('/* @__PURE__ */ ', '');
	},
};

const nodeForms = ['nodes/*/descriptions/generated/operationFields.ts', 'nodes/*/description.ts'];
const credentialForms = 'node_modules/@bank/credentials/src/forms/index.ts';
const nodeOf = (file) => camelCase(/nodes[\\/](\w+)[\\/](?:descriptions[\\/]generated[\\/])?\w+\.ts$/.exec(file)[1]);
const camelCase = (name) => name.charAt(0).toLowerCase() + name.slice(1);

/** The exports of a source module. */
async function exportsOf(dir, file) {
	const bundle = await rolldown({ cwd: dir, input: file, external: ['n8n-workflow', /^node:/], tsconfig: false });
	const { output } = await bundle.generate({ format: 'esm' });
	await bundle.close();
	return await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/** The form fields of each node and credential type, by name. */
async function readForms(dir) {
	const files = globSync(nodeForms, { cwd: dir }).sort();
	const nodes = await Promise.all(
		files.map(async (file) => {
			const { operationFields, triggerFields, triggerPanel } = await exportsOf(dir, file);
			return [nodeOf(file), { properties: operationFields ?? triggerFields, triggerPanel }];
		}),
	);
	const { forms } = await exportsOf(dir, credentialForms);
	const credentials = Object.entries(forms).map(([name, properties]) => [name, { properties }]);
	return { nodes: Object.fromEntries(nodes), credentials: Object.fromEntries(credentials) };
}

/**
 * Nodes and credentials read their forms from types/*.json, which n8n's editor needs anyway: a copy in the code would be a fifth of the
 * package. The form of a node is the last part of its properties.
 */
const formsOf = ({ nodes }) => ({
	name: 'forms-once',
	resolveId: (source) => (/types\/\w+\.json$/.test(source) ? { id: source, external: true } : undefined),
	load(id) {
		if (path.matchesGlob(id, '**/packages/credentials/src/forms/index.ts'))
			return `const types = require('../types/credentials.json');
				export const forms = Object.fromEntries(types.map(({ name, properties }) => [name, properties]));`;
		if (!nodeForms.some((pattern) => path.matchesGlob(id, `**/${pattern}`))) return undefined;
		const name = nodeOf(id);
		const { properties, triggerPanel } = nodes[name];
		const fields = `const nodes = require('../../types/nodes.json');
			const node = nodes.find((node) => node.name === '${name}');`;
		const [form, panel] =
			triggerPanel === undefined ? ['operationFields', ''] : ['triggerFields', 'export const { triggerPanel } = node;'];
		return `${fields} ${panel} export const ${form} = node.properties.slice(-${properties.length});`;
	},
});

/** Builds dist and returns the bundled libraries. */
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
		// No module has side effects.
		treeshake: { moduleSideEffects: false },
		plugins: [formsOf(forms), withoutDocs(), plainExports],
		transform: { target: 'es2023' },
		// A warning about slow plugins says how busy the machine is.
		checks: { bundlerTimings: false },
		onLog(level, log, report) {
			// For example an unresolved import, which would fail in n8n.
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
		await writeFile(file, code);
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
	await writeMetadata(dir, forms);
	return libraries;
}

if (import.meta.main) {
	const started = performance.now();
	await build(path.resolve(process.argv[2] ?? import.meta.dirname));
	console.log(`built dist in ${Math.round(performance.now() - started)} ms`);
}
