import { type ClaimBed, randomKeys } from './claimBed.ts';

/** Rules for claims that hold with any database and number of processes. */
export function claimsHold(bed: () => ClaimBed): void {
	let id: string;

	beforeAll(async () => {
		id = await bed().workflow();
	});

	const atOnce = <T>(count: number, work: (index: number) => Promise<T>) =>
		Promise.all(Array.from({ length: count }, (_, index) => work(index)));

	test('of 20 executions at the same moment exactly one wins, ten times over', async () => {
		for (let round = 0; round < 10; round++) {
			const keys = randomKeys(1);
			expect((await atOnce(20, () => bed().claim(id, keys))).flat()).toEqual(keys);
			expect(await bed().claim(id, keys)).toEqual([]);
		}
	});

	test('of 20 executions with the same 15 keys in two orders, each key has exactly one owner', async () => {
		const keys = randomKeys(15);
		const owned = await atOnce(20, (index) => bed().claim(id, index % 2 === 0 ? keys : keys.toReversed()));
		expect(owned.flat().sort()).toEqual(keys);
		expect(await bed().claim(id, keys)).toEqual([]);
	});

	test('of claims that overlap at the same moment each key has exactly one owner', async () => {
		const all = randomKeys(12);
		const parts = [
			all.slice(0, 6),
			all.slice(4, 9).toReversed(),
			all.slice(8, 12),
			[...all.slice(0, 2), ...all.slice(10)],
		];
		const owned = await Promise.all(parts.map((keys) => bed().claim(id, keys)));
		expect(owned.flat().sort()).toEqual(all);
	});

	test('a thousand keys are claimed at once; if some are taken, the others are won', async () => {
		const all = randomKeys(1000);
		const [before, rest] = [all.filter((_, index) => index % 100 === 7), all.filter((_, index) => index % 100 !== 7)];
		expect(await bed().claim(id, before)).toEqual(before);
		expect(await bed().claim(id, all)).toEqual(rest);
		expect(await bed().claim(id, all)).toEqual([]);
	});

	test('the next number of a key is another claim, which exactly one of 10 wins', async () => {
		const keys = randomKeys(2);
		await bed().claim(id, keys);
		expect((await atOnce(10, () => bed().claim(id, keys, { number: 2 }))).flat().sort()).toEqual(keys);
		expect(await bed().claim(id, keys)).toEqual([]);
	});

	test('claims hold for other nodes of the workflow, but not for another workflow', async () => {
		const keys = randomKeys(2);
		await bed().claim(id, keys);
		expect((await bed().call(id, { claim: keys }, 'second')).done?.owned).toEqual([]);
		expect(await bed().claim(await bed().workflow(), keys)).toEqual(keys);
	});

	test('manual executions count as well', async () => {
		const keys = randomKeys(2);
		const own = await bed().workflow({ claim: keys });
		expect((await bed().testbed.rest.runToEnd(own, 'byHand')).status).toBe('success');
		expect(await bed().claim(own, keys)).toEqual([]);
	});

	test('claims are in no list of executions', async () => {
		const own = await bed().workflow();
		const before = (await bed().executions(own)).length;
		const keys = randomKeys(2);
		await bed().claim(own, keys);
		await bed().claim(own, keys);
		const after = await bed().executions(own);
		expect(after).toHaveLength(before + 2);
		expect(after.map(({ mode }) => mode)).toEqual(after.map(() => 'webhook'));
	});
}
