/** The headers by which the gateway knows a partner. */
import { gatewayFault, gatewayHeadersOf } from '../src/index.ts';

const names = { gatewayClientIdHeader: 'X-GW-Client-Id', gatewayKeyHeader: 'x-gw-client-secret' };
const given = { useGateway: true, gatewayClientId: ' partner ', gatewayClientSecret: 'secret-1', ...names };

it('are sent by the names of part 5, or those that the user gives', () => {
	expect(gatewayHeadersOf(given)).toEqual({ 'X-GW-Client-Id': 'partner', 'x-gw-client-secret': 'secret-1' });
	expect(gatewayHeadersOf({ ...given, gatewayClientIdHeader: 'X-Id' })).toHaveProperty('X-Id', 'partner');
});

it('name the partner only where name and header are known', () => {
	expect(gatewayHeadersOf({ ...given, partnerName: 'Partner', partnerNameHeader: 'X-Partner-Name' })).toHaveProperty(
		'X-Partner-Name',
		'Partner',
	);
	expect(Object.keys(gatewayHeadersOf({ ...given, partnerName: 'Partner', partnerNameHeader: '' }))).toHaveLength(2);
	expect(
		Object.keys(gatewayHeadersOf({ ...given, partnerName: '', partnerNameHeader: 'X-Partner-Name' })),
	).toHaveLength(2);
});

it('carry a certificate where one is given, in the header of 5.8 or that of the user', () => {
	const certificate = { gatewayCertificate: ' MIIB== ', gatewayCertificateHeader: 'x-client-certificate' };
	expect(gatewayHeadersOf({ ...given, ...certificate })).toHaveProperty('x-client-certificate', 'MIIB==');
	expect(Object.keys(gatewayHeadersOf({ ...given, ...certificate, gatewayCertificate: '' }))).toHaveLength(2);
	expect(gatewayFault({ ...given, ...certificate, gatewayCertificate: 'MIIB\nAB==' })?.message).toMatch(/one line/);
});

it('are none where they are switched off', () => {
	expect(Object.keys(gatewayHeadersOf({ ...given, useGateway: false }))).toHaveLength(0);
	expect(gatewayFault({ useGateway: false })).toBeUndefined();
});

it('are the client ID alone beside a certificate, and not even that if it is not given', () => {
	expect(gatewayHeadersOf({ gatewayClientId: 'partner', gatewayClientIdHeader: 'x-gw-client-id' })).toEqual({
		'x-gw-client-id': 'partner',
	});
	expect(gatewayFault({ gatewayClientId: '', gatewayClientIdHeader: 'x-gw-client-id' })).toBeUndefined();
});

it.each([
	[{}, undefined],
	[{ gatewayClientId: '' }, /^Gateway Client ID is empty/],
	[{ gatewayClientSecret: '' }, /^Gateway Client Secret is empty/],
	[{ gatewayKeyHeader: '' }, /^Gateway Client Secret is given, but Client Secret Header is empty/],
	[{ gatewayClientIdHeader: 'X Id:' }, /^Client ID Header is not the name of a header/],
	[{ gatewayClientIdHeader: 'X Id' }, /^Client ID Header is not the name of a header/],
	[
		{ partnerName: 'Partner', partnerNameHeader: '' },
		/^Partner Name is given, but Partner Name Header is empty.*or clear Partner Name/,
	],
	[{ partnerName: '', partnerNameHeader: 'X-Partner-Name' }, undefined],
	[
		{ partnerName: 'Партнёр', partnerNameHeader: 'X-Partner-Name' },
		/^Partner Name has characters that no header can carry/,
	],
	[{ gatewayClientSecret: 'two\nlines' }, /^Gateway Client Secret has characters/],
])('with %j what is wrong is: %p', (changes, words) => {
	const said = gatewayFault({ ...given, ...changes })?.message;
	if (words === undefined) expect(said).toBeUndefined();
	else {
		expect(said).toMatch(words);
		// And what to do.
		expect(said).toMatch(/\. [A-Z].+\.$/);
	}
	expect(said ?? '').not.toContain('secret-1');
});
