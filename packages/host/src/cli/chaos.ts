// `npm run chaos -- --runs 1000 --seed 7`: runs payouts with injected failures in a real n8n and compares the results with the bank's
// ledger.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { runChaos } from '../chaos/chaos.ts';
import { findTestServices } from '../testServices.ts';
import { isAvailable } from '../optionalDependencies.ts';

const usage = `Usage: npm run chaos -- [--runs 200] [--seed N] [--database sqlite|postgres] [--case N]...

  --runs      number of cases (200)
  --seed      the same seed gives the same cases; default: random
  --database  sqlite, or postgres with two workers; default: both, one after the other
  --case      only this case of the seed; may be repeated`;

try {
	process.exitCode = await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}

async function main(): Promise<number> {
	const { values } = parseArgs({
		// pnpm passes on `--` too.
		args: process.argv.slice(2).filter((argument) => argument !== '--'),
		options: {
			runs: { type: 'string', default: '200' },
			seed: { type: 'string', default: String(randomInt(1, 2 ** 31 - 1)) },
			database: { type: 'string' },
			case: { type: 'string', multiple: true },
			help: { type: 'boolean', default: false },
		},
	});
	const [runs, seed] = [Number(values.runs), Number(values.seed)];
	const only = values.case?.map(Number);
	const known = ['sqlite', 'postgres'] as const;
	const databases = known.filter((database) => (values.database ?? database) === database);
	const numbers = [runs, seed, ...(only ?? [])];
	if (values.help || databases.length === 0 || !numbers.every((number) => Number.isInteger(number) && number > 0)) {
		console.log(usage);
		return values.help ? 0 : 1;
	}
	let faults = 0;
	for (const database of databases) {
		if (database === 'postgres' && !isAvailable(findTestServices)) continue;
		const highest = Math.max(runs, ...(only ?? []));
		const report = await runChaos({ runs: highest, seed, database, ...(only && { only }), say: console.log });
		console.log(`\n${report.toString()}\n`);
		faults += report.faults;
	}
	return faults === 0 ? 0 : 1;
}
