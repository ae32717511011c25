// Writes dist/known/*.json and dist/types/*.json, so that n8n lists the nodes without loading them. The files equal those of
// `n8n-generate-metadata` in n8n-core (test/dist.test.ts compares), without its 400 packages. Features that no node of this
// package uses are not supported and throw.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** @param forms descriptions by name that nodes and credentials read from types/*.json while they are loaded here */
export async function writeMetadata(dir, forms = { nodes: {}, credentials: {} }) {
	await mkdir(path.join(dir, 'dist/types'), { recursive: true });
	for (const [kind, byName] of Object.entries(forms)) {
		const known = Object.entries(byName).map(([name, form]) => ({ name, ...form }));
		await writeFile(path.join(dir, `dist/types/${kind}.json`), JSON.stringify(known));
	}

	const require = createRequire(path.join(dir, 'package.json'));
	for (const file of Object.keys(require.cache))
		if (file.startsWith(path.join(dir, 'dist'))) delete require.cache[file];
	const { name: packageName, version, n8n } = require('./package.json');

	const instances = (files) =>
		files.map((file) => {
			const className = path.basename(file).split('.')[0];
			return { file, className, instance: new (require(path.join(dir, file))[className])() };
		});
	const iconsOf = (icon, file) => {
		const url = (value) => path.posix.join('icons', packageName, path.posix.dirname(file), value.replace('file:', ''));
		return typeof icon === 'string' ? url(icon) : { light: url(icon.light), dark: url(icon.dark) };
	};

	const nodes = instances(n8n.nodes).map(({ file, className, instance }) => {
		const { icon, ...rest } = completed(instance, require);
		const codexFile = path.join(dir, file.replace(/\.js$/, '.json'));
		const codex = existsSync(codexFile) && { codex: readCodex(codexFile) };
		const description = { ...rest, ...codex, iconUrl: iconsOf(icon, file), communityNodePackageVersion: version };
		return { name: rest.name, description, known: { className, sourcePath: file } };
	});

	const credentials = instances(n8n.credentials).map(({ file, className, instance }) => {
		const asks = ({ credentials: asked = [] }) => asked.some(({ name }) => name === instance.name);
		const users = nodes.filter(({ description }) => asks(description));
		const supportedNodes = users.map(({ name }) => name);
		const known = {
			className,
			sourcePath: file,
			extends: instance.extends,
			...(users.length > 0 && { supportedNodes }),
		};
		const type = { ...instance, iconUrl: iconsOf(instance.icon, file), supportedNodes };
		delete type.icon;
		// JSON has no functions; the editor only checks whether there is one.
		if (typeof instance.authenticate === 'function') type.authenticate = {};
		if (users.length > 0 && instance.httpRequestNode)
			type.httpRequestNode = { ...instance.httpRequestNode, hidden: true };
		return { name: instance.name, known, type };
	});

	const byName = (entries) => JSON.stringify(Object.fromEntries(entries), null, 2);
	const lines = (list) => `[\n${list.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`;
	const files = {
		'known/nodes.json': byName(nodes.map(({ name, known }) => [name, known])),
		'known/credentials.json': byName(credentials.map(({ name, known }) => [name, known])),
		'types/nodes.json': lines(nodes.map(({ description }) => description)),
		'types/credentials.json': lines(credentials.map(({ type }) => type)),
	};
	for (const [file, text] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(dir, 'dist', file)), { recursive: true });
		await writeFile(path.join(dir, 'dist', file), text);
	}
}

/** The description with the `pollTimes` that n8n adds to polling triggers. */
function completed(node, require) {
	const { description } = node;
	const programmatic = node.execute || node.trigger || node.webhook || description.polling;
	if (!programmatic || description.supportsCORS) {
		throw new Error(
			`${description.name}: declarative and CORS nodes need more than this script does. See n8n-core, directory-loader.js`,
		);
	}
	if (!description.polling) return description;
	return { ...description, properties: [pollTimes(require), ...description.properties] };
}

function readCodex(file) {
	const { categories, subcategories, alias, resources } = JSON.parse(readFileSync(file, 'utf8'));
	const { primaryDocumentation, credentialDocumentation } = resources;
	return { categories, subcategories, alias, resources: { primaryDocumentation, credentialDocumentation } };
}

const pollTimes = (require) => ({
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Poll Time' },
	default: { item: [{ mode: 'everyMinute' }] },
	description: 'Time at which polling should occur',
	placeholder: 'Add Poll Time',
	options: require('n8n-workflow').cronNodeOptions,
});
