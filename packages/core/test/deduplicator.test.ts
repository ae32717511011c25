import { Deduplicator } from '../src/index.ts';

const connected = () => false;

async function store(memory: Deduplicator, ...keys: string[]): Promise<void> {
	const { end } = await memory.claim(keys, connected);
	end(true);
}

async function filled(count: number): Promise<Deduplicator> {
	const memory = new Deduplicator();
	for (let index = 0; index < count; index++) await store(memory, `${index}`);
	return memory;
}

async function known(memory: Deduplicator, ...keys: string[]): Promise<string[]> {
	const { fresh, end } = await memory.claim(keys, connected);
	end(false);
	return keys.filter((key) => !fresh.has(key));
}

describe('what has arrived', () => {
	test('is known once it is stored, and not where it could not be', async () => {
		const memory = new Deduplicator();
		await store(memory, 'a', 'b');
		const { end } = await memory.claim(['c'], connected);
		end(false);
		expect(await known(memory, 'a', 'b', 'c')).toEqual(['a', 'b']);
		const { end: endOfFourth } = await memory.claim(['d'], connected);
		endOfFourth(true);
		endOfFourth(false);
		expect(await known(memory, 'd')).toEqual([]);
	});

	test('is forgotten, the oldest first', async () => {
		expect(await known(await filled(10_002), '0', '1', '2', '10001')).toEqual(['2', '10001']);
	});
});

describe('a repeat of what is under way', () => {
	test.each([true, false])('is decided when that has ended (stored: %s)', async (stored) => {
		const memory = new Deduplicator();
		const { end } = await memory.claim(['a'], connected);
		const repeats = known(memory, 'x', 'a');
		expect(await Promise.race([repeats, new Promise((resolve) => setImmediate(resolve, 'not yet'))])).toBe('not yet');
		end(stored);
		expect(await repeats).toEqual(stored ? ['a'] : []);
	});

	test('is taken by one of several who waited for it', async () => {
		const memory = new Deduplicator();
		const { end } = await memory.claim(['a'], connected);
		const take = async () => {
			const { fresh, end: endOfSecond } = await memory.claim(['a'], connected);
			endOfSecond(true);
			return fresh.size;
		};
		const decisions = Promise.all([take(), take(), take()]);
		end(false);
		expect((await decisions).toSorted()).toEqual([0, 0, 1]);
	});
});

describe('a repeat that waits until its sender has given up', () => {
	test('is left to the next one, whatever becomes of the first', async () => {
		const memory = new Deduplicator();
		const { end } = await memory.claim(['a'], connected);
		const repeat = memory.claim(['a', 'new'], () => true);
		end(false);
		expect([...(await repeat).fresh]).toEqual(['new']);
		expect(await known(memory, 'a')).toEqual([]);
	});

	test('that did not have to wait is taken: it may be the last one', async () => {
		expect((await new Deduplicator().claim(['a'], () => true)).fresh.size).toBe(1);
	});
});

describe('the text of a memory', () => {
	test('outlives the process by the latest', async () => {
		const other = new Deduplicator();
		await store(other, 'own');
		other.merge((await filled(2_010)).text());
		expect(await known(other, '9', '10', '2009', 'own')).toEqual(['10', '2009', 'own']);
	});

	test('holds nothing that is not stored', async () => {
		const memory = await filled(1);
		await memory.claim(['under way'], connected);
		expect(memory.text()).toBe('["0"]');
	});

	test('does not bring back what was forgotten after it was written', async () => {
		const memory = new Deduplicator();
		const { end } = await memory.claim(['a'], connected);
		end(true);
		const text = memory.text();
		end(false);
		memory.merge(text);
		expect(await known(memory, 'a')).toEqual([]);
	});

	test('of nothing says nothing', async () => {
		const memory = new Deduplicator();
		for (const text of [undefined, null, {}, 'null']) memory.merge(text);
		expect(memory.text()).toBe('[]');
		memory.merge('["a"]');
		expect(await known(memory, 'a')).toEqual(['a']);
	});
});
