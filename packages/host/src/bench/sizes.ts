import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { n8nDir, nodesPackageDir } from '../paths.ts';
import type { Row } from './measure.ts';

async function tarball(): Promise<number> {
	const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: nodesPackageDir });
	const [packed] = JSON.parse(stdout) as { size: number }[];
	return packed?.size ?? Number.NaN;
}

interface Description {
	name: string;
	group?: string[];
	properties: { name: string; options?: unknown[] }[];
}

function ownNodes(): Description[] {
	const require = createRequire(join(nodesPackageDir, 'package.json'));
	const { n8n } = require('./package.json') as { n8n: { nodes: string[] } };
	type Loaded = Record<string, new () => { description: Description }>;
	return n8n.nodes.flatMap((file) =>
		Object.values(require(`./${file}`) as Loaded).map((Node) => new Node().description),
	);
}

/** n8n's own nodes with these names. n8n's dependencies are installed next to n8n. */
async function nodesOfN8n(names: readonly string[]): Promise<Description[]> {
	const file = join(await realpath(n8nDir), '../n8n-nodes-base/dist/types/nodes.json');
	const all = JSON.parse(await readFile(file, 'utf8')) as Description[];
	return all.filter(({ name }) => names.includes(name));
}

/** Size of the forms that the editor loads, in characters of JSON per operation. */
function perOperation(all: readonly Description[]): number {
	const nodes = all.filter(({ group = [] }) => !group.includes('trigger'));
	const offered = nodes.flatMap(({ properties }) =>
		properties.flatMap(({ name, options = [] }) => (name === 'operation' ? options : [])),
	);
	return nodes.reduce((sum, node) => sum + JSON.stringify(node).length, 0) / offered.length;
}

export const sizeRows: Row[] = [
	{
		name: 'Tarball',
		against: '',
		target: '<= 203,000 bytes',
		unit: 'bytes',
		pairs: 1,
		warmUp: false,
		sides: () => Promise.resolve({ ours: tarball }),
	},
	{
		name: 'Descriptions sent to the editor, JSON per operation',
		against: "n8n's Stripe, Wise and PayPal nodes",
		target: '<= 1.3',
		pairs: 1,
		warmUp: false,
		sides: () =>
			Promise.resolve({
				ours: () => Promise.resolve(perOperation(ownNodes())),
				other: async () => perOperation(await nodesOfN8n(['stripe', 'wise', 'payPal'])),
			}),
	},
];
