/** 4.13: files are sent and received as base64. */
import { BankCourier } from '../nodes/BankCourier/BankCourier.node.ts';
import { binaryFile, refusalOf, runOf, useBank } from './support/bank.ts';

const bank = useBank();
const run = runOf(BankCourier);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const megabytes = Buffer.alloc(4_500_000, 'content of a scan ').toString('base64');
const textOf = (data?: { data: string }) => Buffer.from(data?.data ?? '', 'base64').toString('utf8');

describe('the content of a file', () => {
	const content = `${'The whole document. '.repeat(10)}end`;
	const get = (parameters: Record<string, unknown> = {}) =>
		run('file.getContent', { path: '/content', payload: '{"fileId": "f-1"}', ...parameters });

	it('becomes a binary field and is removed from the item', async () => {
		const file = { id: 'abcd', size: 203 };
		bank().answer = () => [200, { file: { ...file, content: base64(content) }, fileName: 'contract.txt' }];
		const [item] = await get();
		expect(item?.json).toEqual({ file, fileName: 'contract.txt' });
		expect(Object.keys(item?.binary ?? {})).toEqual(['data']);
		expect(item?.binary?.data).toMatchObject({ fileName: 'contract.txt' });
		expect(textOf(item?.binary?.data)).toBe(content);
		expect(item?.pairedItem).toEqual({ item: 0 });
	});

	it('is found by its key, unless the user names the field', async () => {
		bank().answer = () => [200, { preview: base64(content), file: [{ content: base64('short one') }] }];
		expect(textOf((await get())[0]?.binary?.data)).toBe('short one');
		expect(textOf((await get({ options: { contentField: 'preview' } }))[0]?.binary?.data)).toBe(content);
		const [item] = await get({ options: { contentField: 'file[0].content' } });
		expect(textOf(item?.binary?.data)).toBe('short one');
		expect(item?.json).toEqual({ preview: base64(content), file: [{}] });
	});

	const pdf = `%PDF-1.4 ${'a'.repeat(40)}`;
	const longer = base64('signed '.repeat(500));

	it.each([
		['content', { signature: longer, content: base64(pdf) }],
		['content, though it is short', { fileContent: base64('a,b'), signature: longer }],
		['the one that is no signature', { a: base64(pdf), sig: longer, certificateChain: [longer] }],
	])('is %s, also if a signature is longer', async (_what, answer) => {
		bank().answer = () => [200, answer];
		expect([pdf, 'a,b']).toContain(textOf((await get())[0]?.binary?.data));
	});

	it('must be named if there are several candidates', async () => {
		bank().answer = () => [200, { a: longer, b: base64(content), id: 'f-1' }];
		expect((await refusalOf(get())).message).toMatch(/several base64 texts, .* \(a, b\); .* option "Content Field"/);
		bank().answer = () => [200, { signature: longer, content: '' }];
		expect((await refusalOf(get())).message).toContain('it holds no base64 text');
	});

	it('may have megabytes, which a regular expression could not hold on its stack', async () => {
		bank().answer = () => [200, { content: megabytes, text: `${megabytes}!`, id: 'a'.repeat(2_000_000) }];
		const [item] = await get();
		expect(Buffer.from(item?.binary?.data?.data ?? '', 'base64')).toHaveLength(4_500_000);
	});

	it('may be the whole response, have line breaks, or be a file', async () => {
		const wrapped = base64(content).replace(/.{76}/g, '$&\r\n');
		for (const answer of [
			[200, base64(content)],
			[200, JSON.stringify(base64(content))],
			[200, { content: wrapped }],
			[200, Buffer.from(content), { 'Content-Type': 'application/pdf' }],
		] as [number, unknown, Record<string, string>?][]) {
			bank().answer = () => answer;
			const [item] = await get();
			expect(textOf(item?.binary?.data)).toBe(content);
			expect(item?.json).toEqual({});
		}
	});

	it('has the name, type and field of the options', async () => {
		bank().answer = () => [200, { name: 'other.bin', content: base64(content) }];
		const options = { fileName: 'passport.jpg', mimeType: 'image/jpeg' };
		const [item] = await get({ binaryField: 'passport', options });
		expect(item?.binary?.passport).toMatchObject(options);
	});

	it.each([
		['nowhere', { id: '17!', note: 'no content' }, {}, 'name the field in the option "Content Field"'],
		// Each of these texts could be base64.
		[
			'empty, beside words and identifiers,',
			{ status: 'DONE', id: '123e4567e89b42d3a456426614174000', hash: 'a1'.repeat(32), content: '' },
			{},
			'name the field in the option "Content Field"',
		],
		['elsewhere', { content: base64(content) }, { contentField: 'file' }, 'check the option "Content Field"'],
	])('that is %s is an unreadable response, and the message lists the fields', async (_name, answer, options, next) => {
		bank().answer = () => [200, answer];
		const refusal = await refusalOf(get({ options }));
		expect(refusal.message).toContain('the response cannot be read (it holds no base64 text');
		expect(refusal.message).toContain(next);
		// The response was complete, so sending the request again would not help.
		expect(refusal.description ?? '').not.toMatch(/proxy|run again/);
		expect(refusal.context.details).toMatchObject({ code: 'unreadable_response', retryable: false });
		expect(refusal.message).toContain(`its fields: ${Object.keys(answer).join(', ')}`);
	});
});

describe('attaching a file', () => {
	const attach = (parameters: Record<string, unknown> = {}) =>
		run(
			'file.attach',
			{ path: '/attach', payload: '{"applicationId": 7}', ...parameters },
			{ binary: [{ data: binaryFile('content', 'a.pdf', 'application/pdf'), more: binaryFile('more') }] },
		);

	it('sends the binary field "data" as base64 by default', async () => {
		await attach();
		expect(bank().seen.map(({ body }) => body)).toEqual([{ applicationId: 7, data: base64('content') }]);
	});
});
