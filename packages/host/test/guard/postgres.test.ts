import { findStores } from '../../src/stores.ts';
import { isThere } from '../../src/wanted.ts';
import { GuardBed, identities } from './guardBed.ts';
import { claimsHold } from './guardCases.ts';

/** Claims on PostgreSQL, by two workers that know nothing of each other but the database. */
(isThere(findStores) ? describe : describe.skip)('claims on PostgreSQL with two workers', () => {
	let bed: GuardBed;

	beforeAll(async () => {
		bed = await GuardBed.start({ cluster: { receivers: 1, workers: 2 } });
	});

	afterAll(() => bed?.stop());

	claimsHold(() => bed);

	test('a claim is still there after the worker that held it was killed', async () => {
		const [id, wanted] = [await bed.workflow(), identities(3)];
		const worker = await bed.hold(id, wanted);
		expect(bed.testbed.workers).toContain(worker);
		await worker.kill();
		expect(await bed.claim(id, wanted)).toEqual(wanted);
	});
});
