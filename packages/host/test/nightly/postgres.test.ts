import { findTestServices } from '../../src/testServices.ts';
import { isAvailable } from '../../src/optionalDependencies.ts';
import { ClaimBed, randomKeys } from './claimBed.ts';
import { claimsHold } from './claimCases.ts';

/** Claims on PostgreSQL by two workers that share only the database. */
(isAvailable(findTestServices) ? describe : describe.skip)('claims on PostgreSQL with two workers', () => {
	let bed: ClaimBed;

	beforeAll(async () => {
		bed = await ClaimBed.start({ cluster: { receivers: 1, workers: 2 } });
	});

	afterAll(() => bed?.stop());

	claimsHold(() => bed);

	test('a claim is still there after the worker that held it was killed', async () => {
		const [id, keys] = [await bed.workflow(), randomKeys(3)];
		const worker = await bed.hold(id, keys);
		expect(bed.testbed.workers).toContain(worker);
		await worker.kill();
		expect(await bed.claim(id, keys)).toEqual([]);
	});
});
