/** Only the nodes of this package can use a restricted credential, even if n8n's own check would allow others. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { markOwnRequest } from '../src/index.ts';
import { pemCredential } from './support/certificates.ts';
import { FakeN8n } from './support/n8n.ts';
import { ClientCredentials, Gateway, HostToHost, MutualTls } from './support/types.ts';

const types = [
	['client credentials', ClientCredentials, '/api/pp/v1/operations', { limit: 1 }],
	['host to host', HostToHost, '/api/pp/v1/operations', { limit: 1 }],
	['gateway', Gateway, '/service/status', undefined],
	['mutual TLS', MutualTls, '/service/status', undefined],
] as const;

describe.each(types)('%s', (_name, Type, url, qs) => {
	const restrictions = { restrictUse: true, allowedOperations: 'read', allowedHttpRequestDomains: 'none' };
	const open = (changes: object = restrictions) => {
		const n8n = new FakeN8n(Type, {
			...pemCredential(),
			...(Type === Gateway ? { gatewayClientSecret: 'secret' } : {}),
			beginWith: Type === HostToHost ? 'refreshToken' : undefined,
			refreshToken: 'first',
			testPath: Type === ClientCredentials || Type === HostToHost ? undefined : 'service/status',
			...changes,
		});
		n8n.asks = { url: 'https://api.test/x' };
		return n8n;
	};

	it('sends the requests of the nodes, also again after a 401', async () => {
		const n8n = open();
		n8n.asks = markOwnRequest({ url: 'https://api.test/x' } as IHttpRequestOptions);
		n8n.takes = () => n8n.sent.length > 1;
		await n8n.request();
		expect(n8n.sent).toHaveLength(2);
	});

	it.each([{}, { allowedHttpRequestDomains: 'all' }, { httpRequestDomains: 'all' }])(
		'sends no request of another node (%j)',
		async (change) => {
			const n8n = open({ ...restrictions, ...change });
			await expect(n8n.request()).rejects.toThrow(/restricted|Restrict/);
			expect(n8n.sent).toEqual([]);
			await open({ restrictUse: false, ...change }).request();
		},
	);

	it('can be tested', async () => {
		const n8n = open();
		n8n.asks = { baseURL: 'https://api.test', url, qs };
		await n8n.test();
		expect(n8n.sent).toHaveLength(1);
	});

	it.each([
		{ method: 'POST' },
		{ url: 'https://api.test/api/b2cpay/jp/v1/payments' },
		{ body: { total: 1 } },
		{ qs: { limit: 100 } },
		{ url: 'https://api.test/api/b2cpay/jp/v1/payments', method: 'POST', body: '{}' },
	] as Partial<IHttpRequestOptions>[])('sends nothing else with the header of a test (%j)', async (change) => {
		const n8n = open();
		n8n.asks = { baseURL: 'https://api.test', url, qs, ...change };
		await expect(n8n.test()).rejects.toThrow(/restricted/);
		expect(n8n.sent).toEqual([]);
	});
});
