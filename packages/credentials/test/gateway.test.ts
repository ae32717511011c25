/** Gateway headers. */
import { credentialErrorOf } from '../src/index.ts';
import { validateGateway, gatewayHeadersOf } from '../src/gateway.ts';

const names = { gatewayClientIdHeader: 'X-GW-Client-Id', gatewayKeyHeader: 'x-gw-client-secret' };
const given = { useGateway: true, gatewayClientId: ' partner ', gatewayClientSecret: 'secret-1', ...names };

it('use the header names of part 5 or those that the user entered', () => {
	expect(gatewayHeadersOf(given)).toEqual({ 'X-GW-Client-Id': 'partner', 'x-gw-client-secret': 'secret-1' });
	expect(gatewayHeadersOf({ ...given, gatewayClientIdHeader: 'X-Id' })).toHaveProperty('X-Id', 'partner');
});

it('include the partner name only if name and header are set', () => {
	expect(gatewayHeadersOf({ ...given, partnerName: 'Partner', partnerNameHeader: 'X-Partner-Name' })).toHaveProperty(
		'X-Partner-Name',
		'Partner',
	);
	expect(Object.keys(gatewayHeadersOf({ ...given, partnerName: 'Partner', partnerNameHeader: '' }))).toHaveLength(2);
	expect(
		Object.keys(gatewayHeadersOf({ ...given, partnerName: '', partnerNameHeader: 'X-Partner-Name' })),
	).toHaveLength(2);
});

it('include a certificate if one is set, in the header of 5.8 or that of the user', () => {
	const certificate = { gatewayCertificate: ' MIIB== ', gatewayCertificateHeader: 'x-client-certificate' };
	expect(gatewayHeadersOf({ ...given, ...certificate })).toHaveProperty('x-client-certificate', 'MIIB==');
	expect(Object.keys(gatewayHeadersOf({ ...given, ...certificate, gatewayCertificate: '' }))).toHaveLength(2);
	expect(() => validateGateway({ ...given, ...certificate, gatewayCertificate: 'MIIB\nAB==' })).toThrow(/one line/);
});

it('are not sent if the gateway is turned off', () => {
	expect(Object.keys(gatewayHeadersOf({ ...given, useGateway: false }))).toHaveLength(0);
	expect(() => validateGateway({ useGateway: false })).not.toThrow();
});

it('are only the client ID with a certificate, if it is set', () => {
	expect(gatewayHeadersOf({ gatewayClientId: 'partner', gatewayClientIdHeader: 'x-gw-client-id' })).toEqual({
		'x-gw-client-id': 'partner',
	});
	expect(() => validateGateway({ gatewayClientId: '', gatewayClientIdHeader: 'x-gw-client-id' })).not.toThrow();
});

it.each([
	[{}, undefined],
	[{ gatewayClientId: '' }, /^Gateway Client ID is empty/],
	[{ gatewayClientSecret: '' }, /^Gateway Client Secret is empty/],
	[{ gatewayKeyHeader: '' }, /^Gateway Client Secret is set, but Client Secret Header is empty/],
	[{ gatewayClientIdHeader: 'Host' }, /^Client ID Header is a header that belongs to the connection/],
	[{ gatewayKeyHeader: 'proxy-authorization' }, /^Client Secret Header is a header that belongs to the connection/],
	[{ gatewayClientIdHeader: 'X Id' }, /^Client ID Header is not the name of a header/],
	[
		{ partnerName: 'Partner', partnerNameHeader: '' },
		/^Partner Name is set, but Partner Name Header is empty.*or clear Partner Name/,
	],
	[{ partnerName: '', partnerNameHeader: 'X-Partner-Name' }, undefined],
	[
		{ partnerName: 'Партнёр', partnerNameHeader: 'X-Partner-Name' },
		/^Partner Name contains characters that are not allowed in a header/,
	],
	[{ gatewayClientSecret: 'two\nlines' }, /^Gateway Client Secret contains characters/],
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
