import { BoundedSet } from '../src/index.ts';

function filled(...keys: string[]): BoundedSet<number> {
	const memory = new BoundedSet<number>(3);
	keys.forEach((key, index) => memory.add(key, index));
	return memory;
}

describe('a bounded memory', () => {
	test('forgets the oldest, with its value', () => {
		const memory = filled('a', 'b', 'c', 'd');
		expect(memory.keys()).toEqual(['b', 'c', 'd']);
		expect([memory.has('a'), memory.get('a'), memory.get('d')]).toEqual([false, undefined, 3]);
	});

	test('says whether a key is new, and leaves one that is known as it is', () => {
		const memory = filled('a', 'b', 'c');
		expect([memory.add('a', 9), memory.add('d', 9)]).toEqual([false, true]);
		expect([memory.has('a'), memory.get('b')]).toEqual([false, 1]);
	});

	test('makes a key that is renewed the newest, with the value it has now', () => {
		const memory = filled('a', 'b', 'c');
		memory.renew('a', 9);
		memory.add('d');
		expect([memory.get('a'), memory.has('b')]).toEqual([9, false]);
	});

	test('has room again after forgetting a key', () => {
		const memory = filled('a', 'b', 'c');
		memory.forget('b');
		expect(memory.add('b')).toBe(true);
		expect(memory.keys()).toEqual(['a', 'c', 'b']);
	});
});
