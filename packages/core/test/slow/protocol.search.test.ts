import { search } from '../payments/search.ts';
import { largeWorlds } from '../payments/worlds.ts';

/**
 * Maximum number of states of each plan. All plans take less than a minute; the nightly workflow sets a higher number.
 */
const most = Number(process.env.SEARCH_STATES ?? 20_000);

it.each(Object.entries(largeWorlds))(
	'%s',
	(name, plan) => {
		const { states, ends, isComplete, problem } = search(plan, undefined, most);
		process.stdout.write(`${name}: ${states} states${isComplete ? '' : ' (more exist)'}, ${ends} ends\n`);
		expect(problem).toBeUndefined();
		expect(states).toBeGreaterThan(10_000);
	},
	3_600_000,
);
