import { fieldAt, isPathFree, parsePath, withValueAt } from '../src/index.ts';
import { withoutField } from '../src/path.ts';

describe('the value at a path', () => {
	const value = { a: { b: [{ c: 1 }, null] }, 'a.b': 'dotted', order: null, 'with space': { x: 2 } };

	test.each([
		['a.b[0].c', 1],
		['a.b.0.c', 1],
		['a.b', 'dotted'],
		['order', null],
		['with space.x', 2],
		['a.b[1].c', undefined],
		['a.b[7]', undefined],
		['constructor.name', undefined],
		['__proto__', undefined],
		// Inherited properties such as `length` are not fields.
		['a.b.map', undefined],
	])('%s', (path, expected) => expect(fieldAt(value, path)).toEqual(expected));
});

test.each([
	['a[9999].b', ['a', 9999, 'b']],
	// The elements before the position would have to be created.
	['a[10000]', undefined],
	['a[]', undefined],
	['[0]', [0]],
	['[0].a', [0, 'a']],
])('the steps of the path %s', (path, steps) => expect(parsePath(path)).toEqual(steps));

test('a value is set at a path in a copy', () => {
	const target = { a: { list: [{ x: 1 }] }, b: 1 };
	expect(withValueAt(target, parsePath('a.list[1].y') ?? [], 2)).toEqual({ a: { list: [{ x: 1 }, { y: 2 }] }, b: 1 });
	expect(target).toEqual({ a: { list: [{ x: 1 }] }, b: 1 });
});

test.each([
	['a.b', true],
	['a[0]', false],
	['list[1]', true],
	['list.x', false],
	['text', false],
	['empty', true],
	['nothing', true],
	['nothing.below', true],
	['toString', true],
])('whether %s is free: %s', (path, expected) => {
	const target = { a: { c: 1 }, list: [1], text: 'x', empty: '', nothing: null };
	expect(isPathFree(target, parsePath(path) ?? [])).toBe(expected);
});

describe('a record without the value at a path', () => {
	test.each([
		['list', { a: { list: [1], b: 2 }, 'a.list': 3 }],
		['a.list', { a: { list: [1], b: 2 }, list: 0 }],
		// If the path leads through a value that is not a record, that value is removed.
		['a.list[0].x', { a: { b: 2 }, 'a.list': 3, list: 0 }],
		['z', { a: { list: [1], b: 2 }, 'a.list': 3, list: 0 }],
	])('%s', (path, expected) => {
		const record = { a: { list: [1], b: 2 }, 'a.list': 3, list: 0 };
		expect(withoutField(record, path)).toEqual(expected);
		expect(record).toEqual({ a: { list: [1], b: 2 }, 'a.list': 3, list: 0 });
	});

	test.each([
		['list[1].x', { list: [{ x: 1 }, { y: 3 }] }],
		['list[0].x', { list: [{}, { x: 2, y: 3 }] }],
		['list[1]', {}],
		['list[2].x', {}],
	])('in a list: %s', (path, expected) => {
		const record = { list: [{ x: 1 }, { x: 2, y: 3 }] };
		expect(withoutField(record, path)).toEqual(expected);
		expect(record).toEqual({ list: [{ x: 1 }, { x: 2, y: 3 }] });
	});
});
