/** What n8n's helper throws, and what a payment makes of it: doubt is "unknown", never "nothing was sent". */
import { operationById } from '@bank/core';
import { CredentialFault } from '@bank/credentials';
import { type IExecuteFunctions, type IHttpRequestOptions } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { connect, type ConnectContext } from '../nodes/shared/run/connection.ts';
import { Network, type SendContext } from '../nodes/shared/run/send.ts';
import { credentials, origin } from './support/bank.ts';

const address = `${origin}/api/b2cpay/jp/v1/payments`;
const node = { credentials: { bankClientCredentialsOAuth2Api: { id: '1', name: 'My bank' } } };
const recipients = [{ amount: 1, phone: '+79000000001', nspkBankId: '1', paymentDescription: 'x', ric: 1 }];
const parameters = {
	resource: 'payment',
	operation: 'sendPackage',
	recipientsFrom: 'list',
	payments: () => recipients,
	partnerId: 1,
	inn: '7700000000',
	account: '1',
	signedBody: 's',
};

async function failing(thrown: unknown) {
	const context = fakeN8n({ parameters, credentials, node, continueOnFail: true });
	context.helpers.httpRequestWithAuthentication = () => Promise.reject(thrown as Error);
	const [output] = await new Bank().execute.call(context as unknown as IExecuteFunctions);
	return output?.[0]?.json.details as { outcome: string; code?: string; description: string };
}
const wrapped = (cause: object) => new Error('NodeApiError', { cause });
const axios = (more: object) => wrapped({ isAxiosError: true, config: { url: address }, message: 'broke', ...more });

it.each([
	['a refused connection', axios({ code: 'ECONNREFUSED' }), 'notSent', 'ECONNREFUSED'],
	['an unknown host', axios({ code: 'ENOTFOUND' }), 'notSent', 'ENOTFOUND'],
	['an untrusted certificate', axios({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }), 'notSent', 'SELF_SIGNED_CERT_IN_CHAIN'],
	['a reset', axios({ code: 'ECONNRESET' }), 'unknown', 'ECONNRESET'],
	['a broken connection without a code', axios({}), 'unknown', undefined],
	[
		'an answer that broke off',
		axios({ code: 'ERR_BAD_RESPONSE', response: { status: 200, headers: {}, data: '' } }),
		'unknown',
		'ERR_BAD_RESPONSE',
	],
	['a code nobody knows', axios({ code: 'ENEW' }), 'unknown', 'ENEW'],
	[
		'a fault in n8n itself, perhaps after sending',
		new TypeError('Cannot read properties of undefined'),
		'unknown',
		undefined,
	],
	['an answer that n8n cannot parse', new SyntaxError('Unexpected token < in JSON'), 'unknown', undefined],
	['nothing at all', {}, 'unknown', undefined],
	[
		'a reset by the token endpoint',
		wrapped({ isAxiosError: true, config: { url: `${origin}/token` }, code: 'ECONNRESET', message: 'broke' }),
		'notSent',
		'TOKEN',
	],
	['a refusal by the token endpoint', wrapped({ code: 'EAUTH', message: 'invalid_client' }), 'notSent', 'TOKEN'],
	[
		'a token that n8n cannot get',
		wrapped(new Error('Failed to acquire OAuth2 access token: invalid_client')),
		'notSent',
		'TOKEN',
	],
	[
		'a refusal by the token endpoint, in the words of the credential',
		wrapped(new CredentialFault('The bank does not accept Client ID or Client Secret (invalid_client)', 'Check both.')),
		'notSent',
		'TOKEN',
	],
	['a credential that is not connected', wrapped(new Error('OAuth credentials not connected')), 'notSent', 'TOKEN'],
])('after %s', async (_name, thrown, outcome, code) => {
	const details = await failing(thrown);
	expect(details.outcome).toBe(outcome);
	expect(details.code).toBe(code);
	expect(details.description).toMatch(
		outcome === 'unknown' ? /^It is UNKNOWN whether the payments were made/ : /^Nothing was sent, so no money moved/,
	);
	expect(details.description.includes('credential "My bank"')).toBe(code === 'TOKEN');
});

it('a 401 is an answer of the bank, not a fault', async () => {
	const details = await failing(axios({ response: { status: 401, headers: {}, data: { error: 'invalid_token' } } }));
	expect(details).toMatchObject({ outcome: 'rejected', httpStatus: 401, code: 'invalid_token' });
});

const inHandshake = { request: { socket: { secureConnecting: true } } };
const afterwards = { request: { socket: { secureConnecting: false } } };

it.each([
	[
		'a key that does not fit',
		wrapped(Object.assign(new Error('key values mismatch'), { code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' })),
		'CERTIFICATE',
	],
	['a PFX that does not open, for which OpenSSL has no code', wrapped(new Error('mac verify failure')), 'CERTIFICATE'],
	[
		'a certificate that the bank refuses',
		axios({ code: 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', message: 'SSL alert number 42', ...afterwards }),
		'CERTIFICATE_REFUSED',
	],
	[
		'a certificate that the bank misses',
		axios({ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', message: 'SSL alert number 116', ...afterwards }),
		'CERTIFICATE_REFUSED',
	],
	[
		'an alert that is not about certificates',
		axios({ code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', message: 'SSL alert number 80', ...afterwards }),
		'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
	],
	['a reset in the handshake', axios({ code: 'ECONNRESET', ...inHandshake }), 'TLS'],
	['a reset after the handshake', axios({ code: 'ECONNRESET', ...afterwards }), 'ECONNRESET'],
	['an untrusted bank', axios({ code: 'SELF_SIGNED_CERT_IN_CHAIN', ...inHandshake }), 'SELF_SIGNED_CERT_IN_CHAIN'],
	['a stop in the handshake', axios({ code: 'ERR_CANCELED', ...inHandshake }), 'ERR_CANCELED'],
])('%s has a code by which it is known whether anything was sent', async (_name, thrown, code) => {
	expect((await failing(thrown)).code).toBe(code);
});

describe('what n8n is asked for', () => {
	const address = { environment: 'sandbox', sandboxBaseUrl: `${origin}/` };
	const gateway = {
		useGateway: true,
		gatewayClientId: 'partner',
		gatewayClientIdHeader: 'X-GW-Client-Id',
		gatewayClientSecret: 'secret',
		gatewayKeyHeader: 'x-gw-client-secret',
	};

	async function asked(credentialType: string, credential: object, tokenExpiredStatus?: number) {
		const requests: unknown[][] = [];
		const read = jest.fn(async () => ({ ...address, ...credential }));
		const context = {
			getNode: () => ({ name: 'Bank', parameters: {} }),
			getCredentials: read,
			helpers: {
				httpRequestWithAuthentication: async (...given: unknown[]) => (
					requests.push(given),
					{ statusCode: 200, headers: {}, body: '{}' }
				),
			},
		} as unknown as ConnectContext & SendContext;
		const { send } = new Network(context, await connect(context, credentialType), 60);
		const operation = {
			...operationById('taxpayerAccount.get'),
			...(tokenExpiredStatus === undefined ? {} : { tokenExpiredStatus }),
		};
		for (let time = 0; time < 2; time++)
			await send({ operation, prepared: { method: 'GET', url: '/x', headers: { Accept: 'a' } } as never });
		expect(read).toHaveBeenCalledTimes(1);
		const [type, request, options] = requests[0]!;
		expect(type).toBe(credentialType);
		return { request: request as IHttpRequestOptions, options };
	}

	it.each([
		['bankAuthorizationCodeOAuth2Api', { oauth2: { tokenExpiredStatusCode: [401] } }, [401]],
		['bankClientCredentialsOAuth2Api', { preAuthenticationRetryStatusCode: [401] }, [401]],
		['bankHostToHostOAuth2Api', { preAuthenticationRetryStatusCode: [401] }, [401]],
		// Nothing to renew: n8n would only send the request again.
		['bankGatewayApi', { preAuthenticationRetryStatusCode: [] }, []],
		['bankMutualTlsApi', { preAuthenticationRetryStatusCode: [] }, []],
	])('of %s: what makes it renew a token', async (type, options, statuses) => {
		const found = await asked(type, {});
		expect(found.options).toEqual(options);
		expect(found.request.ignoreHttpStatusErrors).toEqual({ ignore: true, except: statuses });
	});

	it('another status of the operation renews a token as well, where there is one', async () => {
		expect((await asked('bankAuthorizationCodeOAuth2Api', {}, 419)).options).toEqual({
			oauth2: { tokenExpiredStatusCode: [401, 419] },
		});
		expect(await asked('bankHostToHostOAuth2Api', {}, 419)).toMatchObject({
			options: { preAuthenticationRetryStatusCode: [401, 419] },
			request: { ignoreHttpStatusErrors: { except: [401, 419] } },
		});
		expect((await asked('bankGatewayApi', {}, 419)).options).toEqual({ preAuthenticationRetryStatusCode: [] });
	});

	it("certificate and gateway headers are added to what n8n's own OAuth2 sends, and to nothing else", async () => {
		const { request } = await asked('bankAuthorizationCodeOAuth2Api', gateway);
		expect(request.headers).toEqual({ Accept: 'a', 'X-GW-Client-Id': 'partner', 'x-gw-client-secret': 'secret' });
		expect((await asked('bankGatewayApi', gateway)).request.headers).toEqual({ Accept: 'a' });
	});

	it.each([
		['bankGatewayApi', { ...gateway, gatewayClientSecret: '' }, 'Gateway Client Secret is empty'],
		['bankMutualTlsApi', { useCertificate: true }, 'Client Certificate is empty'],
		[
			'bankClientCredentialsOAuth2Api',
			{ useCertificate: true, clientCertificate: 'hello' },
			'Client Certificate holds no certificate in PEM',
		],
		['bankAuthorizationCodeOAuth2Api', { bankCa: 'hello' }, 'CA of the Bank holds no certificate in PEM'],
		['bankHostToHostOAuth2Api', { sandboxBaseUrl: 'bank.test' }, 'The credential has no usable base URL'],
	])('is nothing by %s with %j', async (type, credential, message) => {
		await expect(asked(type, credential)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message,
			description: expect.stringMatching(/^Open the credential\. .*Nothing was sent\.$/),
		});
	});
});
