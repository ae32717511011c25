import { search } from '../payments/search.ts';
import { largeWorlds } from '../payments/worlds.ts';

/** Bound for each world. Less than a minute for all of them; the nightly workflow searches further. */
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
