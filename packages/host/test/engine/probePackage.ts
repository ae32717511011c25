/** A package as small as one can be, to find out what the engine does. Written to a folder, because n8n loads files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const manifest = {
	name: 'n8n-nodes-probe',
	version: '0.0.1',
	n8n: { n8nNodesApiVersion: 1, nodes: ['dist/Probe.node.js'], credentials: ['dist/ProbeOAuth2Api.credentials.js'] },
};

const node = `
const { NodeApiError, NodeOperationError } = require('n8n-workflow');
exports.Probe = class Probe {
	description = {
		displayName: 'Probe', name: 'probe', group: ['transform'], version: 1, description: '', defaults: { name: 'Probe' },
		inputs: ['main'], outputs: ['main'], credentials: [{ name: 'probeOAuth2Api' }],
		properties: [
			{ displayName: 'Do', name: 'do', type: 'string', default: 'echo' },
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Value', name: 'value', type: 'string', default: '' },
		],
	};
	async execute() {
		const items = this.getInputData();
		const context = this.getContext('node');
		context.tries = (context.tries ?? 0) + 1;
		const action = this.getNodeParameter('do', 0);
		const out = (item, json, more) => ({ json, pairedItem: { item }, ...more });
		const failing = (shape) => [items.map((item, index) => (item.json.bad ? shape(index) : out(index, { ok: true })))];
		switch (action) {
			case 'echo':
				return [items.map((_, index) => {
					const value = this.getNodeParameter('value', index);
					return out(index, { value, mode: this.getMode(), tries: context.tries });
				})];
			case 'throw':
				throw new NodeOperationError(this.getNode(), 'Refused', { itemIndex: 0 });
			case 'throwOnce':
				if (context.tries < 2) throw new NodeOperationError(this.getNode(), 'Refused', { itemIndex: 0 });
				return [[out(0, { tries: context.tries })]];
			case 'plain':
				return failing((index) => out(index, { error: 'refused', message: 'Refused', details: { code: 'x' } }));
			case 'more':
				return failing((index) => out(index, { error: 'refused', code: 'x' }));
			case 'item':
				return failing((index) => out(index, { ...items[index].json }, { error: new NodeOperationError(this.getNode(), 'Refused') }));
			case 'count':
				return [[out(0, { error: 'refused', tries: context.tries })]];
			case 'request': {
				const options = { method: 'POST', url: this.getNodeParameter('url', 0), body: { a: 1 }, json: true };
				return [[out(0, await this.helpers.httpRequestWithAuthentication.call(this, 'probeOAuth2Api', options))]];
			}
		}
	}
};
`;

const credential = `
exports.ProbeOAuth2Api = class ProbeOAuth2Api {
	name = 'probeOAuth2Api';
	displayName = 'Probe OAuth2 API';
	extends = ['oAuth2Api'];
	properties = [
		{ displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'clientCredentials' },
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Token URL', name: 'accessTokenUrl', type: 'hidden', default: '={{$self["baseUrl"]}}/token' },
		{ displayName: 'Authentication', name: 'authentication', type: 'hidden', default: 'body' },
	];
};
`;

export function writeProbePackage(dir: string): string {
	mkdirSync(path.join(dir, 'dist'), { recursive: true });
	writeFileSync(path.join(dir, 'package.json'), JSON.stringify(manifest));
	writeFileSync(path.join(dir, 'dist/Probe.node.js'), node);
	writeFileSync(path.join(dir, 'dist/ProbeOAuth2Api.credentials.js'), credential);
	return dir;
}
