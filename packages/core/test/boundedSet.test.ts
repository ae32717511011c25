import { BoundedSet } from '../src/index.ts';

function filled(...keys: string[]): BoundedSet<number> {
	const memory = new BoundedSet<number>(3);
	keys.forEach((key, index) => memory.add(key, index));
	return memory;
}

describe('a bounded set', () => {
	test('forgets the oldest key, with its value', () => {
		const memory = filled('a', 'b', 'c', 'd');
		expect(memory.keys()).toEqual(['b', 'c', 'd']);
		expect([memory.has('a'), memory.get('a'), memory.get('d')]).toEqual([false, undefined, 3]);
	});

	test('keeps the age and the value of a key that is added again', () => {
		const memory = filled('a', 'b', 'c');
		memory.add('a', 9);
		expect([memory.get('a'), memory.keys()]).toEqual([0, ['a', 'b', 'c']]);
	});

	test('makes a renewed key the newest, with its new value', () => {
		const memory = filled('a', 'b', 'c');
		memory.renew('a', 9);
		memory.add('d');
		expect([memory.get('a'), memory.has('b')]).toEqual([9, false]);
	});

	test('can take another key after forgetting one', () => {
		const memory = filled('a', 'b', 'c');
		memory.forget('b');
		memory.add('b');
		expect(memory.keys()).toEqual(['a', 'c', 'b']);
	});
});
