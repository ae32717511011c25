import { Deduplicator } from '../src/index.ts';

function filled(count: number): Deduplicator {
	const memory = new Deduplicator();
	for (let index = 0; index < count; index++) memory.begin([`${index}`])(true);
	return memory;
}

describe('what has arrived', () => {
	test('is known once it is stored, and not where it could not be', () => {
		const memory = new Deduplicator();
		const end = memory.begin(['a', 'b']);
		expect(memory.has('a')).toBe(false);
		end(true);
		memory.begin(['c'])(false);
		expect(['a', 'b', 'c'].filter((key) => memory.has(key))).toEqual(['a', 'b']);
	});

	test('is forgotten, the oldest first', () => {
		const memory = filled(10_002);
		expect(['0', '1', '2', '10001'].filter((key) => memory.has(key))).toEqual(['2', '10001']);
	});
});

describe('a repeat of what is under way', () => {
	test.each([true, false])('is decided when that has ended (stored: %s)', async (stored) => {
		const memory = new Deduplicator();
		const end = memory.begin(['a']);
		const decision = memory.decide(['x', 'a'], () => memory.has('a'));
		expect(await Promise.race([decision, Promise.resolve('not yet')])).toBe('not yet');
		end(stored);
		expect(await decision).toBe(stored);
	});

	test('is taken by one of several who waited for it', async () => {
		const memory = new Deduplicator();
		const end = memory.begin(['a']);
		const take = () =>
			memory.decide(['a'], () => {
				if (memory.has('a')) return 'repeat';
				const endOfSecond = memory.begin(['a']);
				void Promise.resolve().then(() => endOfSecond(true));
				return 'taken';
			});
		const decisions = Promise.all([take(), take(), take()]);
		end(false);
		expect((await decisions).toSorted()).toEqual(['repeat', 'repeat', 'taken']);
	});
});

describe('the text of a memory', () => {
	test('outlives the process by the latest', () => {
		const other = filled(0);
		other.begin(['own'])(true);
		other.merge(filled(2_010).text());
		expect(['9', '10', '2009', 'own'].filter((key) => other.has(key))).toEqual(['10', '2009', 'own']);
	});

	test('holds nothing that is not stored', () => {
		const memory = filled(1);
		memory.begin(['under way']);
		expect(memory.text()).toBe('["0"]');
		expect(memory.text(['stored with it'])).toBe('["0","stored with it"]');
		expect(memory.has('stored with it')).toBe(false);
	});

	test('holds what is in an earlier text, which it replaces, also before that has ended', () => {
		const memory = new Deduplicator();
		const [endOfFirst] = [memory.begin(['first']), memory.begin(['second'])];
		memory.text(['first']);
		expect(memory.text(['second'])).toBe('["first","second"]');
		endOfFirst(false);
		expect(memory.text()).toBe('["second"]');
	});

	test('does not push out what is known from here', () => {
		const memory = filled(9_999);
		memory.merge('["a","b","c"]');
		expect(['a', 'b', 'c', '0', '9998'].filter((key) => memory.has(key))).toEqual(['c', '0', '9998']);
	});

	test('of nothing says nothing', () => {
		const memory = new Deduplicator();
		for (const text of [undefined, null, '', {}]) memory.merge(text);
		expect(memory.text()).toBe('[]');
		memory.merge('["a"]');
		expect(memory.has('a')).toBe(true);
	});
});
