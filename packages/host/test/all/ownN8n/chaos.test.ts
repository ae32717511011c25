import { runChaos } from '../../../src/chaos/chaos.ts';
import type { Report } from '../../../src/chaos/report.ts';

/** A short run. `npm run chaos` repeats a failure with the seed that it prints. */
describe('a payout with any failures', () => {
	let report: Report;

	beforeAll(async () => {
		report = await runChaos({
			runs: 12,
			// With every interruption, copies of the workflow and nearly every fault.
			seed: Number(process.env['TEST_SEED'] ?? 5),
			database: 'sqlite',
			isBrief: true,
		});
		console.log(report.toString());
	});

	test('nobody is paid twice, and every payment that was or may have been made is reported', () => {
		expect(report.violations).toEqual([]);
		expect(report.unclear).toEqual([]);
	});

	test('failures and interruptions have happened in the run', () => {
		const happened = [
			...['accepted', 'alreadyAccepted', 'unknown'].map((outcome) => `reported: ${outcome}`),
			'request: uncertain',
			'payments at the bank',
			'payments resolved',
		];
		expect(happened.filter((what) => !report.counts.get(what))).toEqual([]);
		expect(report.counts.get('process killed')).toBe(1);
	});
});
