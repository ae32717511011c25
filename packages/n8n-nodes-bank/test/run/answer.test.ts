/** An answer from its bytes. */
import { answerOf } from '../../nodes/shared/run/answer.ts';

const bytes = Buffer.from('привет');
const pdf = (disposition?: unknown) => ({ 'Content-Type': 'application/pdf; v=1', 'Content-Disposition': disposition });

it.each([
	['where its shape is shown', 200, pdf(), bytes, false],
	['of a refusal', 300, pdf(), bytes, true],
	['without a type', 200, {}, bytes, true],
	['of a type that is text', 200, { 'content-type': 'application/problem+json' }, bytes, true],
	['that is empty', 200, pdf(), Buffer.alloc(0), true],
])('%s is text', (_kind, status, headers, body, mayBeFile) => {
	expect(answerOf(status, headers, body, mayBeFile)).toEqual({ status, headers, text: body.toString() });
});

it.each([
	['attachment; filename="form.pdf"', 'form.pdf'],
	['attachment; FILENAME=form.pdf; size=1', 'form.pdf'],
	['attachment; filename="..\\a/b/ form.pdf "', 'form.pdf'],
	['attachment; filename="a/"', undefined],
	['attachment', undefined],
	[['attachment; filename=form.pdf'], undefined],
])('of another type is a file, which has the name that the bank gives it: %j', (disposition, fileName) => {
	const headers = pdf(disposition);
	expect(answerOf(299, headers, bytes, true)).toEqual({
		status: 299,
		headers,
		text: '',
		file: { data: bytes, mimeType: 'application/pdf', ...(fileName === undefined ? {} : { fileName }) },
	});
});
