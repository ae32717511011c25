/** Encodes a job to the exact bytes that are claimed and sent. */
import { createHash } from 'node:crypto';

import { InputError, type PreparedRequest } from '@bank/core';

import type { OperationHooks } from '../../nodes/shared/form/operationHooks.ts';
import { encodeRequest, encodeBytes } from '../../nodes/shared/pipeline/encodeRequest.ts';
import { faultsOf, make, noRead, plannedOf, runOf, thrownBy } from './support.ts';

const prepared: PreparedRequest = plannedOf(make).prepared;
const encoded = async (form: OperationHooks = {}, read = noRead, planned = plannedOf(make)) =>
	await encodeRequest(runOf(make), form, planned, read);
const fingerprintOf = async (change: Partial<PreparedRequest>) =>
	(await encodeBytes({ ...prepared, ...change })).fingerprint;

describe('the body', () => {
	it.each([
		['letters beyond ASCII', '{"name":"Ёлка №5 — 🎄 \\u0000"}'],
		['spaces and line breaks around it', '\n {"name": "x"}\t \r\n'],
		['numbers that a parser would write in another way', '{"amount":10.10,"big":12345678901234567890}'],
		['the mark that some files begin with', '\uFEFF{}'],
		['nothing in it', ''],
	])('is the prepared text with %s, byte for byte', async (_name, body) => {
		const request = await encodeBytes({ ...prepared, body });
		expect(Buffer.isBuffer(request.body)).toBe(true);
		expect(request.body?.toString('hex')).toBe(Buffer.from(body, 'utf8').toString('hex'));
		expect(request.headers).toEqual(prepared.headers);
	});

	it('is absent where there is none', async () => {
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

	it('is encoded with the boundary that its header names', async () => {
		const { body, headers } = await encodeBytes(withParts());
		expect(Object.keys(headers)).toEqual(['Accept', 'Content-Type']);
		const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['Content-Type'] ?? '')?.[1];
		expect(body?.toString('latin1').startsWith(`--${boundary}\r\n`)).toBe(true);
		expect(body?.toString('latin1').trimEnd().endsWith(`--${boundary}--`)).toBe(true);
	});

	it('holds its parts in their order, whole', async () => {
		const { body, headers } = await encodeBytes(withParts());
		const parts = [...(await new Response(new Uint8Array(body ?? []), { headers }).formData())];
		expect(parts.map(([name]) => name)).toEqual(['number', 'scan']);
		expect(parts[0]?.[1]).toBe('Ё 1');
		const sent = parts[1]?.[1];
		expect(sent).toMatchObject({ name: 'паспорт "1".pdf', type: 'application/pdf' });
		expect(sent instanceof Blob && Buffer.from(await sent.arrayBuffer()).toString()).toBe('bytes \u0000\r\n--');
	});

	it('has one fingerprint although its boundary is another each time, and another where a file differs', async () => {
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

	it('is the same for the same request, whatever its headers', async () => {
		expect(await fingerprintOf({})).toBe(await fingerprintOf({ headers: { Authorization: 'another token' } }));
	});

	it.each([
		['method', { method: 'PUT' }],
		['address', { url: '/things/A' }],
		['body', { body: '{"name":"c"}' }],
		['body', { body: '{"name":"b"} ' }],
	] as [string, Partial<PreparedRequest>][])('is another where the %s differs by a byte: %j', async (_what, change) => {
		expect(await fingerprintOf(change)).not.toBe(await fingerprintOf({}));
	});
});

describe('what a form amends', () => {
	it('is nothing where it has nothing to say', async () => {
		const planned = plannedOf(make);
		for (const form of [{}, { amend: async () => ({}) }]) {
			const request = await encoded(form, noRead, planned);
			expect(request).toMatchObject({ planned, prepared: planned.prepared, added: {} });
			expect(request.body?.toString()).toBe('{"name":"b"}');
		}
	});

	it('may be the whole request: its bytes are those that are sealed', async () => {
		const other = { ...prepared, url: '/things/other', body: '{"name":"other"}' };
		const request = await encoded({ amend: async () => ({ prepared: other }) });
		expect(request.prepared).toBe(other);
		expect(request.body?.toString()).toBe(other.body);
		expect(request.fingerprint).toBe(await fingerprintOf(other));
		expect(request.planned.prepared.url).toBe('/things/a');
	});

	it('may be fields for the output', async () => {
		expect((await encoded({ amend: async () => ({ added: { replaces: 1 } }) })).added).toEqual({ replaces: 1 });
	});

	it('may be read from the bank, about the job and its request', async () => {
		const planned = plannedOf(make, { job: { items: [3], input: {} } });
		const read = jest.fn(async () => ({ data: { name: 'before' }, raw: {}, status: 200 }));
		const amend: OperationHooks['amend'] = async (_run, job, { url }, ask) => ({
			added: { item: job.items[0], url, found: (await ask(make, {}, 'skipReading')).data },
		});
		expect((await encoded({ amend }, read as never, planned)).added).toEqual({
			item: 3,
			url: '/things/a',
			found: { name: 'before' },
		});
		expect(read.mock.calls).toEqual([[make, {}, 'skipReading']]);
	});

	it('may be a refusal', async () => {
		const fault = { path: 'host', message: 'is another one' };
		const amend = () => Promise.reject(new InputError([fault]));
		expect(await faultsOf(() => encoded({ amend }))).toEqual([fault]);
	});

	it('may fail to be read, and then nothing is sealed', async () => {
		const amend: OperationHooks['amend'] = async (_run, _job, _prepared, read) => ({
			added: { found: (await read(make, {}, 'skipReading')).status },
		});
		expect(await thrownBy(() => encoded({ amend }))).toMatchObject({ message: 'nothing is to be read' });
	});
});
