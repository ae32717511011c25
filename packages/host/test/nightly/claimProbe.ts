import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkflowFile, WorkflowNode } from '../../src/n8nCli.ts';
import type { NodePackage } from '../../src/n8nProcess.ts';
import { nodesPackageDir } from '../../src/paths.ts';
import { chain, workflowOf } from '../../src/workflows.ts';

/** Log line of a probe that holds a claim. */
export const holding = (key: string) => `Claim Probe holds ${key}`;

/** Source of a node that only claims, as told by a webhook item or its parameters. */
const source = `
import { claimAll } from '${join(nodesPackageDir, 'nodes/shared/idempotency/claims.ts').replaceAll('\\', '/')}';

export class ClaimProbe {
	description = {
		displayName: 'Claim Probe', name: 'claimProbe', icon: 'file:probe.svg', group: ['transform'], version: 1, description: '',
		defaults: { name: 'Claim Probe' }, inputs: ['main'], outputs: ['main'],
		properties: [{ displayName: 'Order', name: 'order', type: 'json', default: '{}' }],
	};

	async execute() {
		const [first] = this.getInputData();
		const { claim = [], number = 1, hold } = first.json.body ?? JSON.parse(this.getNodeParameter('order', 0));
		const owned = claim.length === 0 ? [] : (await claimAll(this, claim.map((key) => ({ key, number })))).sort();
		if (hold === true) {
			console.log('${holding('')}' + claim[0]);
			// This promise never resolves.
			await new Promise(() => {});
		}
		return [[{ json: { owned }, pairedItem: { item: 0 } }]];
	}
}
`;

const manifest = {
	name: 'n8n-nodes-claim-probe',
	version: '0.0.1',
	n8n: { n8nNodesApiVersion: 1, nodes: ['dist/nodes/ClaimProbe/ClaimProbe.node.js'], credentials: [] },
};

export const claimProbe: WorkflowNode = {
	name: 'Probe',
	type: 'n8n-nodes-claim-probe.claimProbe',
	typeVersion: 1,
	parameters: {},
};

/** A package with the probe, built like the package of the nodes. */
export async function writeClaimProbe(dir: string): Promise<NodePackage> {
	const folder = join(dir, 'nodes/ClaimProbe');
	await mkdir(folder, { recursive: true });
	await writeFile(join(dir, 'package.json'), JSON.stringify(manifest));
	await writeFile(join(folder, 'ClaimProbe.node.ts'), source);
	await writeFile(join(folder, 'probe.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
	await symlink(join(nodesPackageDir, 'node_modules'), join(dir, 'node_modules'), 'junction');
	await promisify(execFile)(process.execPath, [join(nodesPackageDir, 'build.mjs'), dir]);
	return { name: manifest.name, dir };
}

/** What a probe does. */
export interface Order {
	/** Keys to claim. */
	claim?: string[];
	/** Number that the keys are claimed with; default 1. */
	number?: number;
	/** Whether the execution does not end after claiming. */
	hold?: boolean;
}

export interface Done {
	owned: string[];
}

/** Two probes that are called by webhook, each with its own URL, and one that is started manually. */
export function probeWorkflow(id: string, byHand: Order): WorkflowFile {
	const webhook = (name: string): WorkflowNode => ({
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: `${id}-${name}`,
		parameters: { httpMethod: 'POST', path: `${id}/${name}`, responseMode: 'lastNode', options: {} },
	});
	const manual: WorkflowNode = {
		name: 'byHand',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const probeAfter = (start: WorkflowNode) =>
		chain([start, { ...claimProbe, name: `Probe ${start.name}`, parameters: { order: JSON.stringify(byHand) } }]);
	return workflowOf(id, `Claims ${id}`, ...[webhook('first'), webhook('second'), manual].map(probeAfter));
}
