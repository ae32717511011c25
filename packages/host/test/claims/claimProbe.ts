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

/** Source of a node that only claims and releases keys, as told by a webhook item or its parameters. */
const source = `
import { ClaimStore } from '${join(nodesPackageDir, 'nodes/shared/idempotency/claimStore.ts').replaceAll('\\', '/')}';

export class ClaimProbe {
	description = {
		displayName: 'Claim Probe', name: 'claimProbe', icon: 'file:probe.svg', group: ['transform'], version: 1, description: '',
		defaults: { name: 'Claim Probe' }, inputs: ['main'], outputs: ['main'],
		properties: [{ displayName: 'Order', name: 'order', type: 'json', default: '{}' }],
	};

	async execute() {
		const [first] = this.getInputData();
		const { claim, release, attempt = 'first', hold, shareWith } = first.json.body ?? JSON.parse(this.getNodeParameter('order', 0));
		const own = this.getWorkflow().id;
		const store = new ClaimStore(this, shareWith === undefined ? [own] : [own, shareWith]);
		const owned = claim === undefined ? [] : [...(await store.claim({ keys: claim, attempt })).owned].sort();
		if (hold === true) {
			console.log('${holding('')}' + claim[0]);
			// Never resolves.
			await new Promise(() => {});
		}
		const won = new Map(store.workflowIds.map((id) => [id, release]));
		const released = release === undefined ? [] : await store.release(attempt, won);
		return [[{ json: { owned, released }, pairedItem: { item: 0 } }]];
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

/** Built like the nodes. */
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

/** Instructions for a probe. */
export interface Order {
	claim?: string[];
	release?: string[];
	/** See ClaimStore.release. */
	attempt?: string;
	/** Does not end after claiming. */
	hold?: boolean;
	/** Another workflow in which the keys are claimed too. */
	shareWith?: string;
}

export interface Done {
	owned: string[];
	released: string[];
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
