/** Gateway headers. */
import { credentialErrorOf } from '../src/index.ts';
import { validateGateway, gatewayHeadersOf } from '../src/gateway.ts';

const names = { gatewayClientIdHeader: 'X-GW-Client-Id', gatewayKeyHeader: 'x-gw-client-secret' };
const given = { useGateway: true, gatewayClientId: ' partner ', gatewayClientSecret: 'secret-1', ...names };

const sent = { 'X-GW-Client-Id': 'partner', 'x-gw-client-secret': 'secret-1' };
const named = { partnerName: 'Partner', partnerNameHeader: 'X-Partner-Name' };
const certified = { gatewayCertificate: ' MIIB== ', gatewayCertificateHeader: 'x-client-certificate' };

it.each<[object, object]>([
	[{}, sent],
	[{ gatewayKeyHeader: 'X-Key' }, { 'X-GW-Client-Id': 'partner', 'X-Key': 'secret-1' }],
	[named, { ...sent, 'X-Partner-Name': 'Partner' }],
	[{ ...named, partnerNameHeader: '' }, sent],
	[{ ...named, partnerName: '' }, sent],
	[certified, { ...sent, 'x-client-certificate': 'MIIB==' }],
	[{ ...certified, gatewayCertificate: '' }, sent],
	[{ useGateway: false }, {}],
])('with %j are %j', (changes, headers) => expect(gatewayHeadersOf({ ...given, ...changes })).toEqual(headers));

it('the headers are only the client ID with a certificate, if it is set', () => {
	const alone = { gatewayClientId: 'partner', gatewayClientIdHeader: 'x-gw-client-id' };
	expect(gatewayHeadersOf(alone)).toEqual({ 'x-gw-client-id': 'partner' });
	expect(() => validateGateway({ ...alone, gatewayClientId: '' })).not.toThrow();
});

it.each([
	[{}, undefined],
	[{ useGateway: false, gatewayClientId: '' }, undefined],
	[{ ...certified, gatewayCertificate: 'MIIB\u0007AB==' }, /^Certificate in Header contains .* one line/],
	[{ gatewayClientId: '' }, /^Gateway Client ID is empty/],
	[{ gatewayClientSecret: '' }, /^Gateway Client Secret is empty/],
	[{ gatewayKeyHeader: '' }, /^Gateway Client Secret is set, but Client Secret Header is empty/],
	[{ gatewayClientIdHeader: 'Host' }, /^Client ID Header is a header of the connection/],
	[{ gatewayKeyHeader: 'proxy-authorization' }, /^Client Secret Header is a header of the connection/],
	[{ gatewayClientIdHeader: 'X Id' }, /^Client ID Header is not the name of a header/],
	[
		{ ...named, partnerNameHeader: '' },
		/^Partner Name is set, but Partner Name Header is empty.*or clear Partner Name/,
	],
	[{ ...named, partnerName: '' }, undefined],
	[{ ...named, partnerName: 'Партнёр' }, /^Partner Name contains characters that are not allowed in a header/],
	[{ gatewayClientSecret: 'two\u0007lines' }, /^Gateway Client Secret contains characters/],
])('%j is reported as %p', (changes, words) => {
	const said = credentialErrorOf(() => validateGateway({ ...given, ...changes }))?.message;
	if (words === undefined) expect(said).toBeUndefined();
	else {
		expect(said).toMatch(words);
		// The message continues with advice.
		expect(said).toMatch(/\. [A-Z].+\.$/);
	}
	expect(said ?? '').not.toContain('secret-1');
});
