/** What n8n's helper throws, and what a payment makes of it: doubt is "unknown", never "nothing was sent". */
import { type IExecuteFunctions } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { credentials, origin } from './support/bank.ts';

const address = `${origin}/api/b2cpay/jp/v1/payments`;
const node = { credentials: { bankClientCredentialsOAuth2Api: { id: '1', name: 'My bank' } } };
const recipients = [{ amount: 1, phone: '+79000000001', nspkBankId: '1', paymentDescription: 'x', ric: 1 }];
const parameters = { resource: 'payment', operation: 'sendPackage', recipientsFrom: 'list', payments: () => recipients, partnerId: 1, inn: '7700000000', account: '1', signedBody: 's' };

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
	['an answer that broke off', axios({ code: 'ERR_BAD_RESPONSE', response: { status: 200, headers: {}, data: '' } }), 'unknown', 'ERR_BAD_RESPONSE'],
	['a code nobody knows', axios({ code: 'ENEW' }), 'unknown', 'ENEW'],
	['a fault in n8n itself, perhaps after sending', new TypeError('Cannot read properties of undefined'), 'unknown', undefined],
	['an answer that n8n cannot parse', new SyntaxError('Unexpected token < in JSON'), 'unknown', undefined],
	['nothing at all', {}, 'unknown', undefined],
	['a reset by the token endpoint', wrapped({ isAxiosError: true, config: { url: `${origin}/token` }, code: 'ECONNRESET', message: 'broke' }), 'notSent', 'TOKEN'],
	['a refusal by the token endpoint', wrapped({ code: 'EAUTH', message: 'invalid_client' }), 'notSent', 'TOKEN'],
	['a token that n8n cannot get', wrapped(new Error('Failed to acquire OAuth2 access token: invalid_client')), 'notSent', 'TOKEN'],
	['a credential that is not connected', wrapped(new Error('OAuth credentials not connected')), 'notSent', 'TOKEN'],
])('after %s', async (_name, thrown, outcome, code) => {
	const details = await failing(thrown);
	expect(details.outcome).toBe(outcome);
	expect(details.code).toBe(code);
	expect(details.description).toMatch(outcome === 'unknown' ? /^It is UNKNOWN whether the payments were made/ : /^Nothing was sent, so no money moved/);
	expect(details.description.includes('credential "My bank"')).toBe(code === 'TOKEN');
});

it('a 401 is an answer of the bank, not a fault', async () => {
	const details = await failing(axios({ response: { status: 401, headers: {}, data: { error: 'invalid_token' } } }));
	expect(details).toMatchObject({ outcome: 'rejected', httpStatus: 401, code: 'invalid_token' });
});
