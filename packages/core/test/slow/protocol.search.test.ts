import { search } from '../payments/search.ts';
import { largeWorlds } from '../payments/worlds.ts';

/** About five minutes for all worlds. */
const most = 200_000;

it.each(Object.entries(largeWorlds))(
	'%s',
	(name, plan) => {
		const { states, ends, isComplete, problem } = search(plan, undefined, most);
		process.stdout.write(`${name}: ${states} states${isComplete ? '' : ' (more exist)'}, ${ends} ends\n`);
		expect(problem).toBeUndefined();
		expect(states).toBeGreaterThan(10_000);
	},
	600_000,
);
