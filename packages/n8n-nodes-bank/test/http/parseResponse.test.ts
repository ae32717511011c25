/** Turns the bytes of a response into text or a file. */
import { parseResponse } from '../../nodes/shared/http/parseResponse.ts';

const bytes = Buffer.from('привет');
const pdf = (disposition?: unknown) => ({ 'Content-Type': 'application/pdf; v=1', 'Content-Disposition': disposition });

it.each([
	['where its shape is shown', 200, pdf(), bytes, false],
	['of a refusal', 300, pdf(), bytes, true],
	['without a type', 200, {}, bytes, true],
	['of a type that is text', 200, { 'content-type': 'application/problem+json' }, bytes, true],
	['that is empty', 200, pdf(), Buffer.alloc(0), true],
])('%s is text', (_kind, status, headers, body, mayBeFile) => {
	expect(parseResponse(status, headers, body, mayBeFile)).toEqual({ status, headers, text: body.toString() });
});

it('of another type is a file', () => {
	const headers = pdf('attachment; filename="form.pdf"');
	const file = { data: bytes, mimeType: 'application/pdf', fileName: 'form.pdf' };
	expect(parseResponse(299, headers, bytes, true)).toEqual({ status: 299, headers, text: '', file });
});

const text = (bytes: Buffer, type: string) => parseResponse(200, { 'Content-Type': type }, bytes, false).text;
const json = '{"имя":"Анна"}';
const windows1251 = Buffer.from('7b22e8ecff223a22c0edede0227d', 'hex');
const koi8r = Buffer.from('7b22c9cdd1223a22e1cecec1227d', 'hex');

it.each([
	['windows-1251', 'application/json; charset=windows-1251', windows1251],
	['koi8-r', 'application/json;CHARSET="KOI8-R"', koi8r],
	['no charset', 'application/json', Buffer.from(json)],
	['no type', '', Buffer.from(json)],
	['an unknown charset', 'text/plain; charset=none-such', Buffer.from(json)],
])('text is decoded by the charset that the bank names: %s', (_name, type, body) => {
	expect(text(body, type)).toBe(json);
});

const fileOf = (headers: Record<string, unknown>) => parseResponse(200, { ...pdf(), ...headers }, bytes, true).file;

it.each([
	['attachment; FILENAME=form.pdf; size=1', 'form.pdf'],
	['attachment; filename="..\\a/b/ form.pdf "', 'form.pdf'],
	['attachment; filename="a/"', undefined],
	['attachment', undefined],
	[['attachment; filename=form.pdf'], undefined],
	["attachment; filename*=UTF-8''%D0%B0%D0%BA%D1%82.pdf", 'акт.pdf'],
	['attachment; filename="act.pdf"; filename*=utf-8\'ru\'%d0%b0%d0%ba%d1%82.pdf', 'акт.pdf'],
	["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
	["attachment; filename*=UTF-8''..; filename=form.pdf", 'form.pdf'],
	[`attachment; filename="${Buffer.from('акт.pdf').toString('latin1')}"`, 'акт.pdf'],
	['attachment; filename=".."', undefined],
	[`attachment; filename*=UTF-8''a%00b%E2%80%AEgpj.exe`, 'abgpj.exe'],
	['attachment; filename="a:b?.pdf"', 'a_b_.pdf'],
])('a file name is made safe to store: %j', (disposition, fileName) => {
	expect(fileOf({ 'Content-Disposition': disposition })?.fileName).toBe(fileName);
});

it.each(['x', 'ж', '😀', '.'])('a name of a million times %s is cut off at its start, in linear time', (character) => {
	const given = Buffer.from(`a${character.repeat(1_000_000)}.pdf`).toString('latin1');
	const { fileName = '' } = fileOf({ 'Content-Disposition': `attachment; filename="${given}"` }) ?? {};
	expect(fileName).toMatch(new RegExp(`^(?:${character})+\\.pdf$`));
	expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(200);
});

it.each([
	['application/pdf; token=secret', 'application/pdf'],
	['Application/PDF', 'application/pdf'],
	['secret', 'application/octet-stream'],
	['application/pdf secret', 'application/octet-stream'],
	['application/pdf/secret', 'application/octet-stream'],
	[`application/${'x'.repeat(500)}`, 'application/octet-stream'],
])('a file has the MIME type if it is valid: %s', (type, mimeType) => {
	expect(fileOf({ 'Content-Type': type })?.mimeType).toBe(mimeType);
});
