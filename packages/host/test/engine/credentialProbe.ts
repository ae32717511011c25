/**
 * The package with an additional node that sends a request as n8n's credential test does. The helper's error is what the test would
 * show (n8n, credentials-tester.service).
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const node = `
exports.CredentialProbe = class CredentialProbe {
	description = {
		displayName: 'Probe', name: 'credentialProbe', group: ['transform'], version: 1, description: '',
		defaults: { name: 'Probe' }, inputs: ['main'], outputs: ['main'],
		credentials: [
			{ name: 'bankClientCredentialsOAuth2Api' },
			{ name: 'bankAuthorizationCodeOAuth2Api' },
			{ name: 'bankGatewayApi' },
			{ name: 'bankHostToHostOAuth2Api' },
			{ name: 'bankMutualTlsApi' },
		],
		properties: [
			{ displayName: 'Type', name: 'type', type: 'string', default: '' },
			{ displayName: 'Request', name: 'request', type: 'json', default: '{}' },
		],
	};
	async execute() {
		const type = this.getNodeParameter('type', 0);
		const request = JSON.parse(this.getNodeParameter('request', 0));
		const sent = await this.helpers.httpRequestWithAuthentication.call(this, type, request);
		return [[{ json: { statusCode: sent.statusCode }, pairedItem: { item: 0 } }]];
	}
};
`;

export function writeCredentialProbe(packageDir: string, dir: string): string {
	cpSync(path.join(packageDir, 'dist'), path.join(dir, 'dist'), { recursive: true });
	const manifest = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[] };
	};
	manifest.n8n.nodes.push('dist/CredentialProbe.node.js');
	writeFileSync(path.join(dir, 'package.json'), JSON.stringify(manifest));
	writeFileSync(path.join(dir, 'dist/CredentialProbe.node.js'), node);
	return dir;
}
