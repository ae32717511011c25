import { runChaos } from '../../../src/chaos/chaos.ts';
import type { Report } from '../../../src/chaos/report.ts';

/** A short run. `npm run chaos` repeats a failure with the seed that it prints. */
describe('whatever goes wrong around a payout', () => {
	let report: Report;

	beforeAll(async () => {
		report = await runChaos({
			runs: 60,
			seed: Number(process.env['TEST_SEED'] ?? 1),
			database: 'sqlite',
			isBrief: true,
		});
		console.log(report.toString());
	});

	test('nobody is paid twice, and everything that was paid or may have been is reported as that', () => {
		expect(report.signals).toEqual({
			paidTwice: 0,
			deniedButPaid: 0,
			acceptedButNotPaid: 0,
			reportedNowhere: 0,
			uncertainNotUnknown: 0,
			notRecognized: 0,
			resolvedTwice: 0,
			logOtherwise: 0,
		});
		expect(report.unclear).toEqual([]);
	});

	test('it is no run in which nothing has happened', () => {
		for (const outcome of ['accepted', 'alreadyAccepted', 'conflict', 'rejected', 'unknown'])
			expect(report.counted('reports', outcome)).toBeGreaterThan(0);
		expect(report.counted('requests that reached the bank', 'uncertain')).toBeGreaterThan(0);
		expect(report.counted('payments', 'paid')).toBeGreaterThan(0);
		expect(report.counted('n8n', 'process killed')).toBe(1);
		expect(report.counted('n8n', 'payments resolved')).toBeGreaterThan(0);
	});
});
