// `npm run new:operation <resource>.<operation>`: writes the skeletons of a new operation. Facts of the API description are marked
// TODO; a test lists those that are left.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

import { format, resolveConfig } from 'prettier';

import { findOperation, resources } from '../../packages/core/src/index.ts';
import {
	definitionFile,
	definitionRow,
	handlerFile,
	handlerRow,
	indexFile,
	oracleOf,
	resourceEntry,
	sampleOf,
} from './skeletons.mjs';

const root = join(import.meta.dirname, '../..');
const operationsDir = join(root, 'packages/core/src/operations');
const sandboxDir = join(root, 'packages/fixtures/src/sandbox');

const nodes = [...new Set(resources.map(({ node }) => node))];

const usage = `Usage: npm run new:operation <resource>.<operation> [folder | node]

  <resource>.<operation>  in the words of the form, such as statement.orderAccount
  [folder]                of packages/core/src/operations, where two services have a resource of that name
  [node]                  that a new resource belongs to: ${nodes.join(', ')}`;

/** Invalid arguments. */
class UsageError extends Error {}

try {
	const wanted = await readArguments(process.argv.slice(2));
	const files = filesOf(wanted);
	await write(files);
	console.log(report(wanted, files));
} catch (error) {
	if (!(error instanceof UsageError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}

/** Reads the arguments: id, folder or node. */
async function readArguments([id, where, ...more]) {
	if (id === undefined || id.startsWith('-') || more.length > 0) throw new UsageError(usage);
	const [, resource, name] = /^([a-z][A-Za-z0-9]*)\.([a-z][A-Za-z0-9]*)$/.exec(id) ?? [];
	if (name === undefined)
		throw new UsageError(
			`"${id}" is not <resource>.<operation>: two words that begin with a small letter, such as statement.orderAccount.\n\n${usage}`,
		);
	const places = await foldersOf(resource);
	const common = { id, resource, name, identifier: identifierOf(resource, name) };
	if (places.length === 0) {
		if (nodes.includes(where)) return { ...common, node: where };
		throw new UsageError(
			`There is no resource "${resource}". The resources: ${[...new Set(resources.map(({ value }) => value))].sort().join(', ')}.
For a new one, name its node: npm run new:operation ${id} ${nodes[0]} (or ${nodes.slice(1).join(', ')})`,
		);
	}
	if (findOperation(id) !== undefined) throw new UsageError(`There is an operation ${id} already.`);
	const chosen = where === undefined ? places : places.filter((place) => place.folder === where);
	if (chosen.length !== 1)
		throw new UsageError(
			`The resource "${resource}" is in ${places.map((place) => place.folder).join(' and in ')} of packages/core/src/operations. ` +
				`Name one: npm run new:operation ${id} ${places[0].folder}`,
		);
	return { ...common, ...chosen[0] };
}

/** Folders of packages/core/src/operations with a resource of this name, and its node. */
async function foldersOf(resource) {
	const indexes = globSync('*/index.ts', { cwd: operationsDir }).sort();
	const modules = await Promise.all(indexes.map((index) => import(pathToFileURL(join(operationsDir, index)).href)));
	return indexes.flatMap((index, at) => {
		const own = new Set(Object.values(modules[at][resource] ?? {}));
		const found = resources.find(
			({ value, operations }) => value === resource && operations.some((one) => own.has(one)),
		);
		return found === undefined ? [] : [{ folder: dirname(index), node: found.node }];
	});
}

/** A valid identifier: `delete` becomes `deleteWebhook`. */
function identifierOf(resource, name) {
	try {
		new Script(`'use strict'; let ${name};`);
		return name;
	} catch {
		return `${name}${resource[0].toUpperCase()}${resource.slice(1)}`;
	}
}

/** Path -> text of new files (`fresh`) and changed files (`added`). */
function filesOf(wanted) {
	return wanted.folder === undefined ? codeOfNewResource(wanted) : codeOf(wanted);
}

/**
 * Oracle and sample. Only an operation with a documented response needs them; for others they follow from the
 * definition.
 */
function factsOf(wanted) {
	const json = `${wanted.id.replace('.', '/')}.json`;
	return {
		[join(root, 'packages/fixtures/oracle', json)]: oracleOf(wanted),
		[join(root, 'packages/fixtures/samples', json)]: sampleOf(wanted),
	};
}

function codeOf(wanted) {
	const { resource, name, identifier, folder, node } = wanted;
	const index = join(operationsDir, folder, 'index.ts');
	const indexText = readFileSync(index, 'utf8');
	// Operations without documented responses are the rows of a table. A new operation is one more row and no other
	// file.
	if (indexText.includes('defineOperation('))
		return { added: { [index]: withEntry(indexText, resource, definitionRow(wanted, indexText)) }, fresh: {} };
	const handlers = join(sandboxDir, node === 'bank' ? 'handlers' : 'services', `${folder}.ts`);
	const line = identifier === name ? name : `${name}: ${identifier}`;
	return {
		added: {
			[index]: withImport(withEntry(indexText, resource, line), `import { ${identifier} } from './${name}.ts';`),
			[handlers]: withEntry(readFileSync(handlers, 'utf8'), resource, handlerRow(wanted)),
		},
		fresh: { [join(operationsDir, folder, `${name}.ts`)]: definitionFile(wanted), ...factsOf(wanted) },
	};
}

/** The code of the first operation of a resource, and the entries in the lists of resources. */
function codeOfNewResource(wanted) {
	const { resource, name, node } = wanted;
	const folder = join(operationsDir, resource);
	const [definitions, listed] = ['definitions.ts', 'resources.ts'].map((file) => join(operationsDir, file));
	const code = {
		added: {
			[definitions]: `${readFileSync(definitions, 'utf8')}export { ${resource} } from './${resource}/index.ts';\n`,
			[listed]: withResource(readFileSync(listed, 'utf8'), node, resourceEntry(wanted)),
		},
		fresh: { [join(folder, 'index.ts')]: indexFile(wanted) },
	};
	if (node !== 'bank') return code;
	const handlers = join(sandboxDir, 'handlers/index.ts');
	return {
		added: {
			...code.added,
			[handlers]: withImport(
				withEntry(readFileSync(handlers, 'utf8'), 'handlers', resource),
				`import { ${resource} } from './${resource}.ts';`,
			),
		},
		fresh: {
			...code.fresh,
			[join(folder, `${name}.ts`)]: definitionFile(wanted),
			[join(sandboxDir, 'handlers', `${resource}.ts`)]: handlerFile(wanted),
			...factsOf(wanted),
		},
	};
}

/** Inserts an entry after the last resource of the node. */
function withResource(text, node, entry) {
	const end = text.indexOf('),\n', text.lastIndexOf(`'${node}',`)) + '),\n'.length;
	return `${text.slice(0, end)}${entry}\n${text.slice(end)}`;
}

/** Appends an entry to `export const <name> = { … }`. */
function withEntry(text, name, entry) {
	const declaration = new RegExp(`(export const ${name}\\b[^=]*= \\{)(.*|[^]*?\\n)\\};`);
	if (!declaration.test(text)) throw new Error(`Found no \`export const ${name} = {…}\` in\n${text}`);
	return text.replace(declaration, (_, begin, entries) => `${begin}${entries.replace(/,?\s*$/, '')},\n${entry},\n};`);
}

/** Inserts an import after the existing ones. */
function withImport(text, line) {
	const { index, 0: last } = [...text.matchAll(/^import [^]*?;\n/gm)].at(-1);
	const at = index + last.length;
	return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
}

/** Writes all files, or none if a new file exists already. */
async function write({ added, fresh }) {
	const there = Object.keys(fresh).filter((path) => existsSync(path));
	if (there.length > 0)
		throw new UsageError(`Nothing was written, because this is there already: ${there.map(shown).join(', ')}`);
	const formatted = await Promise.all(
		Object.entries({ ...fresh, ...added }).map(async ([path, text]) => [
			path,
			await format(text, { ...(await resolveConfig(path)), filepath: path }),
		]),
	);
	for (const [path, text] of formatted) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

function shown(path) {
	return relative(root, path).replaceAll('\\', '/');
}

function report({ id }, { added, fresh }) {
	const listed = (title, files) => [title, ...Object.keys(files).map((path) => `  ${shown(path)}`)].join('\n');
	const isRow = Object.keys(fresh).length === 0;
	const facts = isRow ? '' : ' Copy the facts of the oracle from the description and not from the definition.';
	return `${isRow ? '' : `${listed('Written:', fresh)}\n`}${listed('Added to:', added)}

Replace each TODO with a fact from the API description. Omit what it does not show: CONTRIBUTING.md, "Adding an operation with
undocumented details".${facts}

Then run npm run format, npm run generate and npm run update-snapshots, read the form in the diff, add a changeset, and run npm test.

jest complete in packages/fixtures lists what is left to do for ${id}.`;
}
