/** Which values are known as secrets, names and numbers: what is known goes out of the words of others. */
import { carriedBy, knownOf } from '../src/index.ts';

const carried = (body: Record<string, unknown>, more: { url?: string; headers?: Record<string, string> } = {}) =>
	carriedBy(
		{ method: 'POST', url: more.url ?? '/x', headers: {}, input: { path: {}, query: {}, body } },
		more.headers ?? {},
	);

const nothing = { secrets: [], names: [], numbers: [] };

describe('of a person is', () => {
	it.each([
		['name', 'Ann'],
		['name', 'McDonald Ann'],
		['name', 'Ann McDonald'],
		['name', 'deMarco Ann'],
		['name', 'ann.LEE_1983'],
		['name', 'LEE_1983.ann'],
		['name', 'LEE_ann'],
		['note', 'Petrov'],
		['note', 'for 12'],
		['note', '12 for'],
		['note', 'ann@company.test'],
		['note', 'квартира'],
		['note', '+7 900 123-45-67 at night'],
		['note', 'see https://company.test/a-rather-long-page-name'],
	])('%s: %s', (key, text) => expect(carried({ [key]: text }).names).toContain(text));

	it('every word of a name, and nothing else of it', () => {
		expect(carried({ fullName: 'Lee-Smith, Ann J. 2Lee Lee2' }).names.slice(1)).toEqual(['Lee-Smith', 'Ann']);
		expect(carried({ purpose: 'For Ann' }).names).toEqual(['For Ann']);
	});
});

describe('a word of the interface is not of a person', () => {
	it.each([
		['name', 'incomingPayment'],
		['name', 'incomingPaymentDone'],
		['name', 'GENERAL_DATA'],
		['name', 'STEP2_DATA_NEW'],
		['name', 'Li'],
		['name', ''],
		['token', ''],
		['note', '1 2 3'],
		['note', 'x-Ray'],
		['note', 'Ray-x'],
		['note', '12345678'],
	])('%s: %s', (key, text) => expect(carried({ [key]: text })).toEqual(nothing));
});

it('a number is one from nine digits on, however they are written', () => {
	for (const text of ['123456789', '+7 (900) 123-45-67', '40702.810.9.00000012345'])
		expect(carried({ note: text })).toEqual({ ...nothing, numbers: [text] });
});

it('of an address only what is hard to guess is a secret, and no host name', () => {
	const callback = 'http://a-rather-long-host-name.company.test/hook/0f8fad5bd9cb469f/v1.0f8fad5bd9cb469f';
	expect(carried({ callback })).toEqual({ ...nothing, secrets: ['0f8fad5bd9cb469f'] });
});

it('the parts of a form are looked at like fields, and its files are not', () => {
	const request = { method: 'POST', url: '/x', headers: {}, input: { path: {}, query: {}, body: undefined } } as const;
	const parts = [
		{ name: 'client_secret', value: ' the-secret ' },
		{ name: 'name', file: { field: 'name', fileName: 'Ann Lee.pdf', mimeType: 'application/pdf', base64: '' } },
	];
	expect(carriedBy({ ...request, parts }, {})).toEqual({ ...nothing, secrets: ['the-secret'] });
});

it('of an address only the query is looked at, and of the headers all but the usual ones', () => {
	expect(carried({}, { url: '/name=Ann/x?holder=Lee&limit=10' }).names).toEqual(['Lee', 'Lee']);
	expect(
		carried({}, { headers: { 'User-Agent': 'n8n', Authorization: 'bearer  the-token', 'X-Key': 'no-Basic key' } })
			.secrets,
	).toEqual(['the-token', 'no-Basic key']);
});

it('of a credential accounts and tax number are numbers, and an identifier is known from four characters on', () => {
	expect(knownOf({ account: '40702810900000012345', inn: '7700123456', clientId: 'abcd' })).toEqual({
		secrets: [],
		names: ['abcd'],
		numbers: ['40702810900000012345', '7700123456'],
	});
	expect(knownOf({ clientId: 'abc', account: '' })).toEqual(nothing);
});

it('a locked key in PEM is a secret without its first and last line', () => {
	const locked = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIEvQ\r\nIBADAN\n-----END ENCRYPTED PRIVATE KEY-----';
	expect(knownOf({ clientPrivateKey: locked }).secrets).toEqual(['MIIEvQIBADAN']);
});
