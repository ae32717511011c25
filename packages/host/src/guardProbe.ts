import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkflowFile, WorkflowNode } from './n8nCli.ts';
import type { NodePackage } from './n8nProcess.ts';
import { nodesPackageDir } from './paths.ts';

/** What a probe that holds a claim prints. */
export const holding = (identity: string) => `Guard Probe holds ${identity}`;

/**
 * A node that does nothing but claim and release, to find out what n8n makes of it. What it is to do comes with the item of a webhook, or
 * stands in the node.
 */
const source = `
import { Guard } from '${join(nodesPackageDir, 'nodes/shared/guard/guard.ts').replaceAll('\\', '/')}';

export class GuardProbe {
	description = {
		displayName: 'Guard Probe', name: 'guardProbe', icon: 'file:probe.svg', group: ['transform'], version: 1, description: '',
		defaults: { name: 'Guard Probe' }, inputs: ['main'], outputs: ['main'],
		properties: [{ displayName: 'Order', name: 'order', type: 'json', default: '{}' }],
	};

	async execute() {
		const [first] = this.getInputData();
		const { claim, release, hold, guardWorkflow } = first.json.body ?? JSON.parse(this.getNodeParameter('order', 0));
		const guard = new Guard(this, { workflowId: guardWorkflow });
		const begun = performance.now();
		const { taken } = claim === undefined ? { taken: [] } : await guard.claim(claim);
		if (hold === true) {
			console.log('${holding('')}' + claim[0]);
			// As long as the process lives.
			await new Promise(() => {});
		}
		if (release !== undefined) await guard.release(release);
		const milliseconds = Math.round(performance.now() - begun);
		return [[{ json: { taken, milliseconds }, pairedItem: { item: 0 } }]];
	}
}
`;

const manifest = {
	name: 'n8n-nodes-guard-probe',
	version: '0.0.1',
	n8n: { n8nNodesApiVersion: 1, nodes: ['dist/nodes/GuardProbe/GuardProbe.node.js'], credentials: [] },
};

export const guardProbe: WorkflowNode = {
	name: 'Probe',
	type: 'n8n-nodes-guard-probe.guardProbe',
	typeVersion: 1,
	parameters: {},
};

/** Built as the nodes themselves are. */
export async function writeGuardProbe(dir: string): Promise<NodePackage> {
	const folder = join(dir, 'nodes/GuardProbe');
	await mkdir(folder, { recursive: true });
	await writeFile(join(dir, 'package.json'), JSON.stringify(manifest));
	await writeFile(join(folder, 'GuardProbe.node.ts'), source);
	await writeFile(join(folder, 'probe.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
	await symlink(join(nodesPackageDir, 'node_modules'), join(dir, 'node_modules'), 'junction');
	await promisify(execFile)(process.execPath, [join(nodesPackageDir, 'build.mjs'), dir]);
	return { name: manifest.name, dir };
}

/** What a probe is told to do. */
export interface Order {
	claim?: string[];
	release?: string[];
	/** Never ends after claiming. */
	hold?: boolean;
	guardWorkflow?: string;
}

export interface Done {
	taken: string[];
	milliseconds: number;
}

/** Two probes that are called, each at an address of its own, and one that is started by hand. */
export function guardWorkflow(id: string, byHand: Order = {}): WorkflowFile {
	const webhook = (name: string): WorkflowNode => ({
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: `${id}-${name}`,
		position: [0, 0],
		parameters: { httpMethod: 'POST', path: `${id}/${name}`, responseMode: 'lastNode', options: {} },
	});
	const manual: WorkflowNode = {
		name: 'byHand',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const starts = [webhook('first'), webhook('second'), manual];
	const probes = starts.map(({ name }): WorkflowNode => ({
		...guardProbe,
		name: `Probe ${name}`,
		position: [200, 0],
		parameters: { order: JSON.stringify(byHand) },
	}));
	return {
		id,
		name: `Guard ${id}`,
		nodes: [...starts, ...probes].map((node) => ({ ...node, id: `${id}-${node.name}` })),
		connections: Object.fromEntries(
			starts.map(({ name }) => [name, { main: [[{ node: `Probe ${name}`, type: 'main', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	};
}
