import { randomBytes } from 'node:crypto';
import type { Order } from '../../src/guardProbe.ts';
import { type GuardBed, identities } from './guardBed.ts';

/** What must hold of claims in any n8n, whatever its database and however many processes it has. */
export function claimsHold(bed: () => GuardBed): void {
	let id: string;

	beforeAll(async () => {
		id = await bed().workflow();
	});

	const atOnce = <T>(count: number, work: (index: number) => Promise<T>) =>
		Promise.all(Array.from({ length: count }, (_, index) => work(index)));
	const winners = (results: string[][]) => results.filter((taken) => taken.length === 0).length;

	test('of 20 executions at the same moment exactly one wins, ten times over', async () => {
		for (let round = 0; round < 10; round++) {
			const wanted = identities(1);
			expect(winners(await atOnce(20, () => bed().claim(id, wanted)))).toBe(1);
			expect(await bed().claim(id, wanted)).toEqual(wanted);
		}
	});

	test('of 20 executions with the same 15 payments exactly one wins, and all 15 are its own', async () => {
		const wanted = identities(15);
		const orders = await atOnce(20, (index) => bed().claim(id, index % 2 === 0 ? wanted : wanted.toReversed()));
		expect(winners(orders)).toBe(1);
		expect(await bed().claim(id, wanted)).toEqual(wanted);
	});

	test('of packages that overlap at the same moment no two win, and what nobody has can be claimed afterwards', async () => {
		const all = identities(12);
		const packages = [
			all.slice(0, 6),
			all.slice(4, 9).toReversed(),
			all.slice(8, 12),
			[...all.slice(0, 2), ...all.slice(10)],
		];
		const results = await Promise.all(packages.map((each) => bed().claim(id, each)));
		const won = packages.filter((_, index) => results[index]?.length === 0).flat();
		expect(new Set(won).size).toBe(won.length);
		const left = all.filter((identity) => !won.includes(identity));
		expect(await bed().claim(id, left)).toEqual([]);
		expect(await bed().claim(id, all)).toEqual(all);
	});

	test('a thousand are claimed at once, and of others of which some are taken those are named and nothing is claimed', async () => {
		const all = identities(1000);
		const [before, rest] = [all.filter((_, index) => index % 100 === 7), all.filter((_, index) => index % 100 !== 7)];
		expect(await bed().claim(id, before)).toEqual([]);
		expect(await bed().claim(id, all)).toEqual(before);
		expect(await bed().claim(id, rest)).toEqual([]);
		expect(await bed().claim(id, all)).toEqual(all);
	});

	test('what was released can be claimed again, and nothing else', async () => {
		const wanted = identities(3);
		await bed().claim(id, wanted);
		await bed().call(id, { release: wanted.slice(0, 1) });
		expect(await bed().claim(id, wanted)).toEqual(wanted.slice(1));
		expect(await bed().claim(id, wanted.slice(0, 1))).toEqual([]);
	});

	test('another node of the same workflow finds them taken, another workflow does not', async () => {
		const wanted = identities(2);
		await bed().claim(id, wanted);
		expect((await bed().call(id, { claim: wanted }, 'second')).done?.taken).toEqual(wanted);
		expect(await bed().claim(await bed().workflow(), wanted)).toEqual([]);
	});

	test('by hand in the editor they are taken as well', async () => {
		const wanted = identities(2);
		const own = await bed().workflow({ claim: wanted });
		expect((await bed().testbed.rest.runToEnd(own, { trigger: 'byHand' })).status).toBe('success');
		expect(await bed().claim(own, wanted)).toEqual(wanted);
	});

	test('workflows that name the same Guard Workflow share one memory; it needs neither nodes nor to be published', async () => {
		const memory = `memory${randomBytes(5).toString('hex')}`;
		await bed().testbed.rest.createWorkflow({ id: memory, name: 'Memory of payouts', nodes: [], connections: {} });
		const [wanted, shared] = [identities(2), { guardWorkflow: memory } satisfies Order];
		expect(await bed().claim(id, wanted, shared)).toEqual([]);
		expect(await bed().claim(await bed().workflow(), wanted, shared)).toEqual(wanted);
		expect(await bed().claim(id, wanted)).toEqual([]);
	});

	test('a Guard Workflow that does not exist or is another project’s is an error, and nothing is claimed', async () => {
		const memory = `memory${randomBytes(5).toString('hex')}`;
		const other = await bed().somebodyElse();
		await other.createWorkflow({ id: memory, name: 'Memory of others', nodes: [], connections: {} });
		for (const [guardWorkflow, advice] of [
			['nobody', 'does not exist'],
			[memory, 'belongs to another project'],
		] as const) {
			const own = await bed().workflow();
			expect((await bed().call(own, { claim: identities(1), guardWorkflow })).status).toBe(500);
			const { message, description } = await bed().lastFailure(own);
			expect(message).toBe('Nothing was sent, because it is not certain what was sent before');
			expect(description).toContain(advice);
		}
	});

	test('they show in no list of executions, nor does what was refused', async () => {
		const own = await bed().workflow();
		const before = (await bed().executions(own)).length;
		const wanted = identities(2);
		await bed().claim(own, wanted);
		await bed().claim(own, wanted);
		await bed().call(own, { release: wanted });
		const after = await bed().executions(own);
		expect(after).toHaveLength(before + 3);
		expect(after.map(({ mode }) => mode)).toEqual(after.map(() => 'webhook'));
	});
}
