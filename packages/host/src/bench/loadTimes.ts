import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { n8nDir, nodesPackageDir } from '../paths.ts';
import type { Row } from './measure.ts';

/** `require` of what a package brings, after n8n-workflow, which n8n has loaded anyway. Each in a new process. */

interface Loaded {
	dir: string;
	files: readonly string[];
}

/** n8n's nodes of three payment services, with their triggers and credentials. */
const theirs = {
	nodes: [
		'Stripe/Stripe',
		'Stripe/StripeTrigger',
		'Wise/Wise',
		'Wise/WiseTrigger',
		'PayPal/PayPal',
		'PayPal/PayPalTrigger',
	],
	credentials: ['StripeApi', 'WiseApi', 'PayPalApi'],
};

/** n8n lays what it depends on beside itself. */
export async function n8nNodesBase(): Promise<string> {
	return join(await realpath(n8nDir), '../n8n-nodes-base');
}

async function three(): Promise<Loaded> {
	const files = [
		...theirs.nodes.map((name) => `dist/nodes/${name}.node.js`),
		...theirs.credentials.map((name) => `dist/credentials/${name}.credentials.js`),
	];
	return { dir: await n8nNodesBase(), files };
}

async function ours(): Promise<Loaded> {
	const { n8n } = JSON.parse(await readFile(join(nodesPackageDir, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	return { dir: nodesPackageDir, files: [...n8n.nodes, ...n8n.credentials] };
}

async function timed({ dir, files }: Loaded): Promise<number> {
	const load = files.map((file) => `require(${JSON.stringify(`./${file}`)})`).join(';');
	const script = `require('n8n-workflow'); const start = performance.now(); ${load}; console.log(performance.now() - start)`;
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: dir });
	return Number(stdout);
}

export const loadingRows: Row[] = [
	{
		group: 'loading',
		name: 'Loading all nodes and credentials',
		against: "n8n's Stripe, Wise and PayPal files",
		target: '<= 0.5',
		pairs: 9,
		async sides() {
			const [mine, other] = [await ours(), await three()];
			return { ours: async () => await timed(mine), other: async () => await timed(other) };
		},
	},
	{
		group: 'loading',
		name: 'Loading the first node that is used',
		against: "n8n's Stripe node",
		target: '<= 1.0',
		pairs: 9,
		async sides() {
			const first = { dir: nodesPackageDir, files: ['dist/nodes/Bank/Bank.node.js'] };
			const stripe = { dir: await n8nNodesBase(), files: ['dist/nodes/Stripe/Stripe.node.js'] };
			return { ours: async () => await timed(first), other: async () => await timed(stripe) };
		},
	},
];
