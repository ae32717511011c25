import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { otherLicenses, vulnerabilities } from '../../src/bundledCode.ts';

const library = { name: 'library', version: '1.2.3', license: 'MIT' };
const advisory = {
	id: 1,
	title: 'Prototype pollution',
	url: 'https://advisories.test/1',
	severity: 'high',
	vulnerable_versions: '<2.0.0',
};
const packument = {
	name: 'library',
	'dist-tags': { latest: '2.0.0' },
	versions: { '1.2.3': { name: 'library', version: '1.2.3' }, '2.0.0': { name: 'library', version: '2.0.0' } },
};

/** Runs a call with a registry that answers `npm audit` with this response, and returns the packages that npm asked about. */
async function withRegistry<T>(status: number, advisories: object, call: (url: string) => Promise<T>) {
	let asked: unknown;
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			if (request.method === 'POST') asked = JSON.parse(gunzipSync(Buffer.concat(parts)).toString());
			response
				.writeHead(request.method === 'POST' ? status : 200, { 'content-type': 'application/json' })
				.end(JSON.stringify(request.method === 'POST' ? advisories : packument));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const result = await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
	server.close();
	server.closeAllConnections();
	return { result, asked };
}

it.each([
	['a vulnerability', 200, { library: [advisory] }, ['library: Prototype pollution https://advisories.test/1 (high)']],
	['none', 200, {}, []],
	['no answer', 405, {}, undefined],
])('npm audit: %s', async (_, status, advisories, expected) => {
	const { result, asked } = await withRegistry(status, advisories, (url) => vulnerabilities([library], url));
	expect(result).toEqual(expected);
	expect(asked).toEqual({ library: ['1.2.3'] });
});

it.each(['GPL-3.0-only', 'MIT OR GPL-2.0', 'SEE LICENSE IN x', ''])(
	'the license "%s" may ask for more than a notice',
	(license) => {
		expect(otherLicenses([library, { ...library, license }])).toEqual([`library 1.2.3: ${license}`]);
	},
);
