import { splitList, parseList } from '../src/index.ts';

describe('a list of identifiers', () => {
	test.each([
		['an array', ['a', 'b']],
		['arrays in an array', [['a'], [['b']]]],
		['commas', 'a,b'],
		['semicolons', 'a; b'],
		['spaces', ' a  b '],
		['line breaks', 'a\r\nb\n'],
		['JSON of a list', '["a", "b"]'],
		['JSON of a list inside an array', ['["a"]', 'b']],
		['brackets and quotes that are not JSON', "['a', 'b']"],
		['quotes around all of it', '"a b"'],
		['a bracket that is not closed', '["a", b'],
		['a bracket that is not opened', 'a, "b"]'],
	])('may be given as %s', (_how, given) => expect(splitList(given, 'identifier')).toEqual(['a', 'b']));

	test('keeps values that are not text', () => {
		const date = new Date(0);
		expect(parseList(['a b', 7, null, '', date], 'identifier')).toEqual(['a', 'b', 7, null, '', date]);
	});

	test('keeps the brackets of a path, a million of them in linear time', () => {
		expect(splitList(`a[0].b, [1].c, ${'['.repeat(1e6)}]x`, 'identifier').slice(0, 2)).toEqual(['a[0].b', '[1].c']);
	});
});

describe('a list of names', () => {
	test.each([
		['an array', ['Main page', 'Photo']],
		['commas', 'Main page, Photo'],
		['line breaks', 'Main page\nPhoto\n'],
		['JSON of a list', '["Main page","Photo"]'],
		['quotes', '"Main page", "Photo"'],
		['brackets and quotes that are not JSON', "['Main page', 'Photo']"],
	])('may be given as %s', (_how, given) => expect(splitList(given, 'name')).toEqual(['Main page', 'Photo']));

	test('keeps a quotation mark that belongs to a name', () => {
		expect(splitList("Client's photo, partners'", 'name')).toEqual(["Client's photo", "partners'"]);
	});
});

test.each([undefined, null, '', ' ', ',;', '[]', '[ ]', '[""]', '"', [], [[]], ['', null]])(
	'%j is an empty list',
	(given) => {
		expect(splitList(given, 'identifier')).toEqual([]);
		expect(splitList(given, 'name')).toEqual(given === '"' ? ['"'] : []);
	},
);
