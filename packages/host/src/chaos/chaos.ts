import { startTestbed } from '../testbed.ts';
import { casesOf } from './cases.ts';
import { Driver } from './driver.ts';
import { judge } from './oracle.ts';
import { Report } from './report.ts';

export interface ChaosOptions {
	runs: number;
	seed: number;
	/** SQLite, or PostgreSQL with two workers. */
	database: 'sqlite' | 'postgres';
	/** Runs only these cases of the seed. */
	only?: readonly number[];
	/** See `Driver`. Also turns on n8n's faster expression engine. */
	isBrief?: boolean;
	say?: (line: string) => void;
}

/** Number of cases that are checked together; their data is discarded afterwards. */
const batchSize = 60;

/** Runs the cases of a seed in a new n8n and compares the payments made with those reported. */
export async function runChaos(options: ChaosOptions): Promise<Report> {
	const { seed, runs, database, only, isBrief = false, say = () => undefined } = options;
	const cases = casesOf(seed, runs).filter(({ number }) => only?.includes(number) ?? true);
	say(`${cases.length} cases of seed ${seed} on ${database}`);
	const testbed = await startTestbed({
		...(database === 'postgres' ? { cluster: { receivers: 1, workers: 2 } } : {}),
		...(isBrief ? { env: { N8N_EXPRESSION_ENGINE: 'legacy' } } : {}),
	});
	try {
		const report = new Report({ seed, runs, database });
		const driver = new Driver(testbed, report, isBrief);
		for (let from = 0; from < cases.length; from += batchSize) {
			const batch = cases.slice(from, from + batchSize);
			for (const [one, evidence] of await driver.run(batch)) report.add(one, evidence, judge(one, evidence));
			say(`${from + batch.length} of ${cases.length} cases, ${report.faults} signals`);
		}
		return report;
	} finally {
		await testbed.stop();
	}
}
