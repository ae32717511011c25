import { randomBytes } from 'node:crypto';
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

	test('a thousand are claimed at once; where some are taken, the others are won', async () => {
		const all = randomKeys(1000);
		const [before, rest] = [all.filter((_, index) => index % 100 === 7), all.filter((_, index) => index % 100 !== 7)];
		expect(await bed().claim(id, before)).toEqual(before);
		expect(await bed().claim(id, all)).toEqual(rest);
		expect(await bed().claim(id, all)).toEqual([]);
	});

	test('a released key can be claimed again, the others cannot', async () => {
		const keys = randomKeys(3);
		await bed().claim(id, keys);
		const released = keys.slice(0, 1);
		expect((await bed().call(id, { release: released })).done?.released).toEqual(released);
		expect(await bed().claim(id, keys)).toEqual(released);
	});

	test('one attempt releases a key once, also when 10 do it at the same moment, and never that of a later attempt', async () => {
		const [keys, attempt] = [randomKeys(2), 'first attempt'];
		await bed().claim(id, keys, { attempt });
		const calls = await atOnce(10, () => bed().call(id, { release: keys, attempt }));
		expect(calls.flatMap(({ done }) => done?.released ?? []).sort()).toEqual(keys);
		expect(await bed().claim(id, keys, { attempt: 'second attempt' })).toEqual(keys);
		expect((await bed().call(id, { release: keys, attempt })).done?.released).toEqual([]);
		expect(await bed().claim(id, keys)).toEqual([]);
	});

	test('another node of the same workflow finds them taken, another workflow does not', async () => {
		const keys = randomKeys(2);
		await bed().claim(id, keys);
		expect((await bed().call(id, { claim: keys }, 'second')).done?.owned).toEqual([]);
		expect(await bed().claim(await bed().workflow(), keys)).toEqual(keys);
	});

	test('by hand in the editor they are taken as well', async () => {
		const keys = randomKeys(2);
		const own = await bed().workflow({ claim: keys });
		expect((await bed().testbed.rest.runToEnd(own, 'byHand')).status).toBe('success');
		expect(await bed().claim(own, keys)).toEqual([]);
	});

	test('workflows that share protection with the same workflow find each other’s; it needs neither nodes nor to be published', async () => {
		const shareWith = `shared${randomBytes(5).toString('hex')}`;
		await bed().testbed.rest.createWorkflow({ id: shareWith, name: 'Payouts', nodes: [], connections: {} });
		const [keys, others] = [randomKeys(2), randomKeys(2)];
		expect(await bed().claim(id, keys, { shareWith })).toEqual(keys);
		expect(await bed().claim(await bed().workflow(), keys, { shareWith })).toEqual([]);
		// The calling workflow has the claims too, so the option can be removed or set later.
		expect(await bed().claim(id, keys)).toEqual([]);
		await bed().claim(id, others);
		expect(await bed().claim(id, others, { shareWith })).toEqual([]);
	});

	test('a workflow to share with that does not exist or is another project’s is an error, and nothing is claimed', async () => {
		const foreign = `shared${randomBytes(5).toString('hex')}`;
		const other = await bed().somebodyElse();
		await other.createWorkflow({ id: foreign, name: 'Payouts of others', nodes: [], connections: {} });
		for (const [shareWith, advice] of [
			['nobody', 'does not exist'],
			[foreign, 'belongs to another project'],
		] as const) {
			const [own, keys] = [await bed().workflow(), randomKeys(1)];
			expect((await bed().call(own, { claim: keys, shareWith })).status).toBe(500);
			const { message, description } = await bed().lastFailure(own);
			expect(message).toBe('Not sent: duplicate protection did not work');
			expect(description).toContain(advice);
			expect(await bed().claim(own, keys)).toEqual(keys);
		}
	});

	test('they show in no list of executions, nor do releases', async () => {
		const own = await bed().workflow();
		const before = (await bed().executions(own)).length;
		const keys = randomKeys(2);
		await bed().claim(own, keys);
		await bed().claim(own, keys);
		await bed().call(own, { release: keys });
		const after = await bed().executions(own);
		expect(after).toHaveLength(before + 3);
		expect(after.map(({ mode }) => mode)).toEqual(after.map(() => 'webhook'));
	});
}
