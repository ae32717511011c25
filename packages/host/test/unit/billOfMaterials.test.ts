import { createHash } from 'node:crypto';

import { billOfMaterials } from '../../src/billOfMaterials.ts';

const library = { name: '@scope/library', version: '1.2.3', license: 'MIT', text: 'MIT License' };
const released = {
	name: 'n8n-nodes-bank',
	version: '4.5.6',
	description: 'nodes',
	license: 'MIT',
	tarball: Buffer.from('a tarball'),
};

it('names the tarball by its digest, and every library that was bundled into it', async () => {
	const bill = JSON.parse(await billOfMaterials(released, [library])) as unknown;

	expect(bill).toMatchObject({
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		metadata: {
			component: {
				name: 'n8n-nodes-bank',
				version: '4.5.6',
				purl: 'pkg:npm/n8n-nodes-bank@4.5.6',
				hashes: [{ alg: 'SHA-512', content: createHash('sha512').update('a tarball').digest('hex') }],
			},
		},
		components: [{ name: '@scope/library', version: '1.2.3', licenses: [{ license: { id: 'MIT' } }] }],
		dependencies: [
			{ ref: 'pkg:npm/%40scope/library@1.2.3' },
			{ ref: 'pkg:npm/n8n-nodes-bank@4.5.6', dependsOn: ['pkg:npm/%40scope/library@1.2.3'] },
		],
	});
});
