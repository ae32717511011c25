/** What is redacted in errors: values of the request and of the credential. */
import type { HttpResponse } from '@bank/core';

import { Redactor } from '../../nodes/shared/http/redactor.ts';
import { connection, make, encodedOf } from '../pipeline/support.ts';

const answer = (status: number): HttpResponse => ({ status, headers: {}, text: '' });
/** Values that share no text. */
const token = (number: number) => `token${(number * 987_654_321).toString(36)}`;
const held = (...secrets: string[]) => [{ secrets, personal: [], numbers: [] }];

/** A credential with a new token on every read. */
function renewing() {
	let asked = 0;
	const secrets = async () => held(token(++asked));
	return { redactor: new Redactor({ ...connection, secrets }), asked: () => asked };
}

it('is each header that goes along and proves something, whoever adds it', async () => {
	const { prepared, headers } = await encodedOf(make);
	const own = { ...prepared, headers: { ...prepared.headers, 'X-Api-Key': 'of-the-operation' } };
	const parts = { headers: { Authorization: 'Bearer of-the-credential' } };
	const bytes = { prepared: own, headers: { ...headers, 'X-Secret': 'of-the-sealed' } };
	const { redactSecrets } = await new Redactor({ ...connection, parts }).response(make, answer(400), bytes);
	expect(redactSecrets?.('of-the-operation of-the-sealed Bearer of-the-credential and other words')).not.toMatch(
		/of-the-/,
	);
	expect(redactSecrets?.('and other words')).toBe('and other words');
});

it('is what the credential holds: asked for once while all goes well, and anew after everything that went wrong', async () => {
	const bytes = await encodedOf(make);
	const { redactor, asked } = renewing();
	for (const [status, times] of [
		[200, 1],
		[299, 1],
		[300, 2],
		[199, 3],
		[401, 4],
		[200, 4],
	] as const) {
		const { redactSecrets } = await redactor.response(make, answer(status), bytes);
		expect([status, asked()]).toEqual([status, times]);
		expect(redactSecrets?.(token(times))).not.toContain('token');
	}
});

it('is not in the words of a fault either; without words nothing is asked', async () => {
	const bytes = await encodedOf(make);
	const { redactor, asked } = renewing();
	expect(await redactor.error({ code: 'ECONNRESET' }, bytes)).toEqual({ code: 'ECONNRESET' });
	expect(asked()).toBe(0);
	await redactor.response(make, answer(200), bytes);
	const fault = await redactor.error({ code: 'ECONNRESET', message: `${token(2)} was cut off` }, bytes);
	expect(fault).toEqual({ code: 'ECONNRESET', message: expect.stringMatching(/^(?!token).* was cut off$/) });
});

it('is not in the data of a success either, which stays as it came otherwise; but for an operation that gives secrets', async () => {
	const { prepared, headers } = await encodedOf(make);
	const bytes = { prepared: { ...prepared, secrets: ['token-of-the-user'] }, headers };
	const secrets = async () => held('secret/of+the-gateway');
	const data = { echo: 'Bearer token-of-the-user', encoded: ['secret%2Fof%2Bthe-gateway'], word: 'the gateway', n: 1 };
	const given = {
		...answer(200),
		text: JSON.stringify(data),
		headers: { 'Content-Disposition': 'attachment; filename="secret/of+the-gateway.pdf"' },
		file: { data: Buffer.of(1), mimeType: 'text/token-of-the-user', fileName: 'of+the-gateway.pdf' },
	};
	const redactor = new Redactor({ ...connection, secrets });
	const { text, file } = await redactor.response(make, given, bytes);
	expect(JSON.parse(text)).toEqual({ echo: 'Bearer [REDACTED]', encoded: ['[REDACTED]'], word: 'the gateway', n: 1 });
	expect(file).toEqual({ data: Buffer.of(1), mimeType: 'application/octet-stream', fileName: '[REDACTED].pdf' });
	expect((await redactor.response({ ...make, returnsSecrets: true }, given, bytes)).text).toBe(given.text);
});
