/** The service details of a credential are part of its test. */
import { ping } from '../src/credentialHttp.ts';
import { credentialErrorOf, validateServiceDetails } from '../src/index.ts';

const credential = { environment: 'sandbox', sandboxBaseUrl: 'https://bank.example' };

it('the test of a credential sends nothing if its service details cannot be used, and names their keys', async () => {
	const http = jest.fn(() => Promise.reject(new Error('sent')));
	const serviceDetails = '{"trip.send": {"path": "//evil.example", "method": "GO"}}';
	await expect(ping(http as never, { ...credential, serviceDetails })).rejects.toThrow(
		/^Service Details: "trip\.send"\.method must be one of .* Templates: https:/,
	);
	expect(http).not.toHaveBeenCalled();
});

it('the message of a document with many mistakes names the first ones, in 300 characters', () => {
	const fields = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`a${index}`, { type: 'money' }]));
	const serviceDetails = JSON.stringify({ 'trip.send': { method: 'GO', fields } });
	const message = credentialErrorOf(() => validateServiceDetails({ ...credential, serviceDetails }))?.message ?? '';
	expect(message).toMatch(/^Service Details: "trip\.send"\.method must be one of .*: "GO" \(and 12 more\)/);
	expect(message.length).toBeLessThanOrEqual(300);
});

it('the service details cannot set a header that the credential sends', () => {
	const token = (name: string) => JSON.stringify({ 'profile.get': { token: { sendAs: 'header', name } } });
	const gateway = { ...credential, useGateway: true, gatewayClientId: 'id', gatewayClientIdHeader: 'X-Our-Id' };
	expect(() => validateServiceDetails({ ...gateway, serviceDetails: token('x-our-id') })).toThrow(
		'"profile.get".token.name must not be a header that belongs to the connection or the credential',
	);
	for (const serviceDetails of ['', undefined, token('X-User-Token')])
		expect(() => validateServiceDetails({ ...gateway, serviceDetails } as never)).not.toThrow();
});
