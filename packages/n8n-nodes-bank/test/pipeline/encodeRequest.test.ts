/** Encodes a job to the exact bytes that are claimed and sent. */
import { createHash } from 'node:crypto';

import type { PreparedRequest } from '@bank/core';

import { encodeBytes } from '../../nodes/shared/http/encodeBytes.ts';
import { encodeRequest } from '../../nodes/shared/pipeline/encodeRequest.ts';
import { make, noRead, plannedOf, runOf } from './support.ts';

const prepared: PreparedRequest = plannedOf(make).prepared;
const fingerprintOf = async (change: Partial<PreparedRequest>) =>
	(await encodeBytes({ ...prepared, ...change })).fingerprint;

describe('the body', () => {
	it.each([
		['letters beyond ASCII', '{"name":"Ёлка №5 — 🎄 \\u0000"}'],
		['spaces and line breaks around it', '\n {"name": "x"}\t \r\n'],
		['numbers that a parser would write in another way', '{"amount":10.10,"big":12345678901234567890}'],
		['the mark that some files begin with', '\uFEFF{}'],
		['nothing in it', ''],
	])('is the prepared text, byte for byte, with %s', async (_name, body) => {
		const request = await encodeBytes({ ...prepared, body });
		expect(Buffer.isBuffer(request.body)).toBe(true);
		expect(request.body?.toString('hex')).toBe(Buffer.from(body, 'utf8').toString('hex'));
		expect(request.headers).toEqual(prepared.headers);
	});

	it('is absent if the request has none', async () => {
		const { body: _, ...rest } = prepared;
		expect(await encodeBytes(rest)).toEqual({ headers: prepared.headers, fingerprint: expect.any(String) });
	});
});

describe('a multipart form', () => {
	const file = (content: string) => ({
		field: 'scan',
		fileName: 'паспорт "1".pdf',
		mimeType: 'application/pdf',
		base64: Buffer.from(content).toString('base64'),
	});
	const withParts = (content = 'bytes \u0000\r\n--'): PreparedRequest => {
		const { body: _, ...rest } = prepared;
		const parts = [
			{ name: 'number', value: 'Ё 1' },
			{ name: 'scan', file: file(content) },
		];
		return { ...rest, headers: { Accept: 'application/json' }, parts };
	};

	it('has all its parts in order', async () => {
		const { body, headers } = await encodeBytes(withParts());
		const parts = [...(await new Response(new Uint8Array(body ?? []), { headers }).formData())];
		expect(parts.map(([name]) => name)).toEqual(['number', 'scan']);
		expect(parts[0]?.[1]).toBe('Ё 1');
		const sent = parts[1]?.[1];
		expect(sent).toMatchObject({ name: 'паспорт "1".pdf', type: 'application/pdf' });
		expect(sent instanceof Blob && Buffer.from(await sent.arrayBuffer()).toString()).toBe('bytes \u0000\r\n--');
	});

	it('has a fingerprint that depends on its files, not on the boundary', async () => {
		const [first, again] = [await encodeBytes(withParts()), await encodeBytes(withParts())];
		expect(again.headers['Content-Type']).not.toBe(first.headers['Content-Type']);
		expect(again.fingerprint).toBe(first.fingerprint);
		expect((await encodeBytes(withParts('other bytes'))).fingerprint).not.toBe(first.fingerprint);
	});
});

describe('a fingerprint', () => {
	it('is the SHA-256 of method, address and body', async () => {
		const text = 'POST /things/a\n{"name":"b"}';
		expect(await fingerprintOf({})).toBe(createHash('sha256').update(text).digest('hex'));
	});

	it('does not depend on headers', async () => {
		expect(await fingerprintOf({})).toBe(await fingerprintOf({ headers: { Authorization: 'another token' } }));
	});

	it.each([
		['method', { method: 'PUT' }],
		['address', { url: '/things/A' }],
		['body', { body: '{"name":"c"}' }],
		['body', { body: '{"name":"b"} ' }],
	] as [string, Partial<PreparedRequest>][])('changes with the %s: %j', async (_what, change) => {
		expect(await fingerprintOf(change)).not.toBe(await fingerprintOf({}));
	});
});

it('A request that the form replaces is encoded in its place', async () => {
	const other = { ...prepared, url: '/things/other', body: '{"name":"other"}' };
	const request = await encodeRequest(
		runOf(make),
		{ amend: async () => ({ prepared: other }) },
		plannedOf(make),
		noRead,
	);
	expect(request.prepared).toBe(other);
	expect(request.body?.toString()).toBe(other.body);
	expect(request.fingerprint).toBe(await fingerprintOf(other));
	expect(request.planned.prepared.url).toBe('/things/a');
});
