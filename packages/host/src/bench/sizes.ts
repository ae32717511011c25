import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
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

/** Size of the forms that the editor loads, in characters of JSON per operation. */
async function perOperation(dir: string, isMeant: (name: string) => boolean): Promise<number> {
	const all = JSON.parse(await readFile(join(dir, 'dist/types/nodes.json'), 'utf8')) as Description[];
	const nodes = all.filter(({ name, group = [] }) => isMeant(name) && !group.includes('trigger'));
	const offered = nodes.flatMap(({ properties }) =>
		properties.flatMap(({ name, options = [] }) => (name === 'operation' ? options : [])),
	);
	return nodes.reduce((sum, node) => sum + JSON.stringify(node).length, 0) / offered.length;
}

export const sizeRows: Row[] = [
	{
		group: 'size',
		name: 'Tarball',
		against: '',
		target: '<= 165,000 bytes',
		unit: 'bytes',
		pairs: 1,
		warmUp: false,
		sides: () => Promise.resolve({ ours: tarball }),
	},
	{
		group: 'size',
		name: 'Descriptions sent to the editor, JSON per operation',
		against: "n8n's Stripe, Wise and PayPal nodes",
		target: '<= 1.3',
		pairs: 1,
		warmUp: false,
		async sides() {
			// n8n's dependencies are installed next to it.
			const base = join(await realpath(n8nDir), '../n8n-nodes-base');
			const three = ['stripe', 'wise', 'payPal'];
			return {
				ours: async () => await perOperation(nodesPackageDir, () => true),
				other: async () => await perOperation(base, (name) => three.includes(name)),
			};
		},
	},
];
