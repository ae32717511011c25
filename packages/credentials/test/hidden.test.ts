/** What is taken out of words of others, and what stays of them. */
import { hiding, type Known } from '../src/index.ts';

const secret = 'p+ss/w"rd&<é>=Zq9';
const hidden = (known: Partial<Known>, text: string) => hiding({ secrets: [], names: [], numbers: [], ...known })(text);
const byNumber = (digits: (code: number) => string) =>
	[...secret].map((character) => `&#${digits(character.charCodeAt(0))};`).join('');

it.each([
	['HTML by numbers', byNumber(String)],
	['HTML by numbers in hex', byNumber((code) => `x${code.toString(16)}`)],
	['HTML by numbers in hex in capitals', byNumber((code) => `X${code.toString(16).toUpperCase()}`)],
	['JSON with more escaped than need be', secret.replaceAll('/', '\\/').replaceAll('"', '\\"')],
	['JSON with a tab in it', secret.replace('w', '\\tw')],
])('a secret is found in %s', (_way, written) => {
	expect(hidden({ secrets: [secret] }, `The token ${written} is unknown`)).toBe('The token [removed] is unknown');
});

it('everything is taken out at its own place, in whatever order it stands there', () => {
	const known = { secrets: [secret], names: ['Ann'], numbers: ['40702810900000012345'] };
	const words = ['40702810900000012345', 'Ann', secret];
	const expected = ['****2345', '[removed]', '[removed]'];
	for (const order of [
		[0, 1, 2],
		[2, 1, 0],
		[1, 2, 0],
	]) {
		const textOf = (parts: string[]) => `of ${order.map((index) => parts[index]).join(', not ')} at noon`;
		expect(hidden(known, textOf(words))).toBe(textOf(expected));
	}
});

it.each<[string, Partial<Known>, string, string]>([
	['one in another is taken out once', { names: ['Иван', 'Иван Петров'] }, 'Иван Петров, да', '[removed], да'],
	['a name of one letter stays', { names: ['A', 'Li'] }, 'A for Li', 'A for [removed]'],
	['a name between words', { names: ['Ann'] }, 'see Ann there', 'see [removed] there'],
	['a name before a comma', { names: ['Ann'] }, 'see Ann, there', 'see [removed], there'],
	[
		'a name in base64',
		{ names: ['Petrova Anna'] },
		`as ${Buffer.from('Petrova Anna').toString('base64')}`,
		'as [removed]',
	],
	[
		'a number in base64',
		{ numbers: ['790012345678'] },
		`as ${Buffer.from('790012345678').toString('base64')}`,
		'as [removed]',
	],
	['a number of eight digits', { numbers: ['12345678'] }, 'no 12345678', 'no ****5678'],
	['a number of fewer stays', { numbers: ['1234567'] }, 'no 1234567', 'no 1234567'],
])('%s', (_name, known, text, expected) => expect(hidden(known, text)).toBe(expected));

it('the half of a long text of somebody tells as much as the whole', () => {
	const purpose = 'Repayment of the loan to Ann';
	expect(hidden({ names: [purpose] }, 'Repayment of the loan… is too long')).toMatch(/^\[removed\].*is too long$/);
});
