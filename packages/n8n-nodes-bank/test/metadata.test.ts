/** What scripts/metadata.mjs writes, for a package made up here: a node of several classes, as n8n's VersionedNodeType has them. */
import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
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

import { type DescribedNode, versionFaults } from '../../../tools/lint/versions.ts';

const packageDir = path.resolve(__dirname, '..');
const repository = path.resolve(packageDir, '../..');
const written = ['known/nodes.json', 'known/credentials.json', 'types/nodes.json', 'types/credentials.json'];

const node = `
const { VersionedNodeType } = require('n8n-workflow');
const base = {
	displayName: 'Thing', name: 'thing', group: ['transform'], description: 'Does things', defaultVersion: 2,
	icon: { light: 'file:thing.svg', dark: 'file:thing.dark.svg' },
};
const common = { ...base, defaults: { name: 'Thing' }, inputs: ['main'], outputs: ['main'] };
const field = (name, displayOptions) =>
	({ displayName: name, name, type: 'string', default: '', ...(displayOptions && { displayOptions }) });
class ThingV1 {
	description = {
		...common, version: [1, 1.1],
		credentials: [{ name: 'thingApi', required: true }],
		properties: [field('old', { show: { '@version': [{ _cnd: { lt: 1.1 } }] } }), field('same')],
	};
	async execute() { return [[]]; }
}
class ThingV2 {
	description = { ...common, version: 2, properties: [field('new')] };
	async execute() { return [[]]; }
}
exports.Thing = class Thing extends VersionedNodeType {
	constructor() { super({ 1: new ThingV1(), 1.1: new ThingV1(), 2: new ThingV2() }, base); }
};
`;
const credential = `
exports.ThingApi = class ThingApi {
	name = 'thingApi';
	displayName = 'Thing API';
	icon = { light: 'file:thing.svg', dark: 'file:thing.dark.svg' };
	properties = [];
};
`;

let dir: string;
beforeAll(() => {
	dir = mkdtempSync(path.join(tmpdir(), 'n8n-nodes-made-up-'));
	const files = {
		'package.json': JSON.stringify({
			name: 'n8n-nodes-made-up',
			version: '1.2.3',
			n8n: { nodes: ['dist/nodes/Thing/Thing.node.js'], credentials: ['dist/credentials/ThingApi.credentials.js'] },
		}),
		'dist/nodes/Thing/Thing.node.js': node,
		'dist/nodes/Thing/Thing.node.json': JSON.stringify({ categories: ['Finance'], resources: {} }),
		'dist/credentials/ThingApi.credentials.js': credential,
	};
	for (const [file, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
		writeFileSync(path.join(dir, file), text);
	}
	symlinkSync(path.join(packageDir, 'node_modules'), path.join(dir, 'node_modules'));
	const script = `import('${packageDir}/scripts/metadata.mjs').then(({ writeMetadata }) => writeMetadata(process.argv[1]))`;
	execFileSync(process.execPath, ['-e', script, dir]);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const read = (file: string) => readFileSync(path.join(dir, 'dist', file), 'utf8');
const described = () => JSON.parse(read('types/nodes.json')) as DescribedNode[];

describe('a node of several classes', () => {
	it('is described once for each class, the one of several versions once as well', () => {
		expect(described().map(({ version }) => version)).toEqual([[1, 1.1], 2]);
		expect(described().map(({ name, defaultVersion }) => [name, defaultVersion])).toEqual([
			['thing', 2],
			['thing', 2],
		]);
	});

	it('has in each what n8n adds: codex, icon, and the version of the package', () => {
		for (const one of described())
			expect(one).toMatchObject({
				codex: { categories: ['Finance'] },
				iconUrl: {
					light: 'icons/n8n-nodes-made-up/dist/nodes/Thing/thing.svg',
					dark: 'icons/n8n-nodes-made-up/dist/nodes/Thing/thing.dark.svg',
				},
				communityNodePackageVersion: '1.2.3',
			});
	});

	it('is one node: known by one class, and one user of the credential that one of its versions asks for', () => {
		expect(JSON.parse(read('known/nodes.json'))).toEqual({
			thing: { className: 'Thing', sourcePath: 'dist/nodes/Thing/Thing.node.js' },
		});
		expect(JSON.parse(read('known/credentials.json'))).toMatchObject({ thingApi: { supportedNodes: ['thing'] } });
	});

	// n8n itself is installed apart (packages/host/n8n), only where the tests of the host run.
	const n8n = path.join(repository, 'packages/host/n8n/node_modules/n8n/package.json');
	(existsSync(n8n) ? it : it.skip)("is described as n8n's own tool does", () => {
		const own = Object.fromEntries(written.map((file) => [file, read(file)]));
		const core = createRequire(realpathSync(n8n)).resolve('n8n-core');
		const env = { ...process.env, N8N_USER_FOLDER: dir, N8N_ENCRYPTION_KEY: 'test' };
		execFileSync(process.execPath, [path.resolve(core, '../../bin/generate-metadata')], { cwd: dir, env });
		for (const file of written) expect({ file, text: own[file] }).toEqual({ file, text: read(file) });
	});
});

describe('the check of a package before it is published', () => {
	const versioned = (version: number | number[], more: Partial<DescribedNode> = {}): DescribedNode => ({
		name: 'thing',
		version,
		...more,
	});
	const when = (...conditions: (number | { _cnd: Record<string, unknown> })[]) => ({
		displayOptions: { show: { '@version': conditions } },
	});

	it('finds nothing wrong where every field is shown by some version', () => {
		expect(versionFaults(described())).toEqual([]);
		const properties = [
			{ name: 'a', type: 'string', ...when({ _cnd: { lt: 2 } }) },
			{ name: 'a', type: 'string', ...when({ _cnd: { between: { from: 2, to: 3 } } }) },
			{ name: 'a', type: 'string', ...when({ _cnd: { gte: 4 } }, 3) },
		];
		expect(versionFaults([versioned([1, 2, 3, 4], { defaultVersion: 4, properties })])).toEqual([]);
	});

	it.each([
		['a version that there is twice', [versioned([1, 2]), versioned(2)], 'thing has one of the versions 1, 2, 2 twice'],
		[
			'a new node that does not begin with the newest',
			[versioned([1, 2], { defaultVersion: 1 })],
			'thing begins with version 1, and 2 is the newest',
		],
		[
			'a field that no version shows',
			[versioned([1, 2], { properties: [{ name: 'a', type: 'string', ...when({ _cnd: { gte: 3 } }) }] })],
			'thing: no version of 1, 2 shows a',
		],
		[
			'an option of a collection that no version shows',
			[
				versioned(1, {
					properties: [{ name: 'options', type: 'collection', options: [{ name: 'b', type: 'number', ...when(2) }] }],
				}),
			],
			'thing: no version of 1 shows options.b',
		],
		[
			'a column of a table that no version shows',
			[
				versioned(1, {
					properties: [
						{
							name: 'rows',
							type: 'fixedCollection',
							options: [{ name: 'row', values: [{ name: 'c', type: 'string', ...when({ _cnd: { gte: 2 } }) }] }],
						},
					],
				}),
			],
			'thing: no version of 1 shows rows.c',
		],
	])('finds %s', (_name, nodes, fault) => {
		expect(versionFaults(nodes)).toEqual([fault]);
	});
});
