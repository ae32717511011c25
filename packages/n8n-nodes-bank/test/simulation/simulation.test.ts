/**
 * Histories of the real nodes: `npm run simulate -- --runs 10000 --seed 1`. In `npm test` 200 of fixed seeds.
 */
import { failureText, Simulation } from './simulation.ts';

const runs = Number(process.env.SIMULATION_RUNS ?? 200);
const first = Number(process.env.SIMULATION_SEED ?? 1);
const seen = new Map<string, number>();

it(`nobody is paid twice, everything shown is so, and everybody is paid in the end: ${runs} histories from seed ${first}`, async () => {
	for (let seed = first; seed < first + runs; seed++) {
		const history = await new Simulation(seed).run();
		for (const what of history.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
		expect(history.problem === undefined ? '' : failureText(seed, history)).toBe('');
	}
	const counts = [...seen].sort().map(([what, count]) => `${what}: ${count}`);
	process.stdout.write(`${runs} histories. In how many: ${counts.join(', ')}\n`);
}, 3_600_000);

// Events that must happen: a simulation without them proves nothing.
it.each([
	...[
		'accepted',
		'alreadyAccepted',
		'rejected',
		'notSent',
		'unknown',
		'conflict',
		'above a limit',
		'stopped by a failure',
	],
	...['claim', 'create', 'deleteRows', 'get', 'insert', 'list', 'reply', 'send', 'start'].map(
		(step) => `killed at ${step}`,
	),
	...['insert', 'reply', 'send'].map((step) => `stopped at ${step}`),
	...['200', '400', '500', 'ECONNABORTED', 'ECONNRESET'].map((response) => `bank: ${response}`),
	...[
		'database fails before',
		'database fails after',
		'cut off from the database',
		'late',
		'frozen',
		'made after the end of the execution',
	],
	...['two at claim', 'two at insert', 'two at deleteRows'],
	'refuses the whole run',
	...['by sequence', 'by phone', 'debit', 'prepared', 'sent as prepared', 'several packages', 'paid by a copy'],
	...['person: has accepted', 'person: hasNot notSent', 'person: hasNot nothingChanged'],
])('%s occurred', (what) => {
	const isEnough = runs >= 200;
	expect(isEnough ? (seen.get(what) ?? 0) : 1).toBeGreaterThan(0);
});

it('a seed is replayed exactly, also after other histories', async () => {
	const once = await new Simulation(7).run();
	await new Simulation(8).run();
	expect(await new Simulation(7).run()).toEqual(once);
});
