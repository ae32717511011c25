import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { pollUntil } from '../../src/poll.ts';
import { GuardBed, identities } from './guardBed.ts';
import { claimsHold } from './guardCases.ts';

/** Claims in an n8n of one process, on SQLite. It has an n8n of its own, because that is killed. */
describe('claims on SQLite', () => {
	let bed: GuardBed;

	beforeAll(async () => {
		// Some defaults of an instance must not matter.
		bed = await GuardBed.start({
			env: { N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'none', EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true' },
		});
	});

	afterAll(() => bed?.stop());

	/** The rows of n8n's table, of one workflow. */
	function rows(workflowId: string): Array<Record<string, unknown>> {
		const database = new DatabaseSync(join(bed.testbed.n8n.settings.userFolder, '.n8n/database.sqlite'), {
			readOnly: true,
		});
		try {
			return database.prepare('SELECT context, value FROM processed_data WHERE workflowId = ?').all(workflowId);
		} finally {
			database.close();
		}
	}

	claimsHold(() => bed);

	test('nothing is kept but the digest', async () => {
		const id = await bed.workflow();
		const [identity = ''] = identities(1);
		await bed.claim(id, [identity]);
		expect(rows(id).map((row) => ({ ...row }))).toEqual([
			{ context: `n:${identity}`, value: '{"mode":"latestIncrementalKey","data":"1"}' },
		]);
	});

	test('a claim is still there after the process was killed while it was held', async () => {
		const [id, wanted] = [await bed.workflow(), identities(3)];
		await (await bed.hold(id, wanted)).kill();
		await bed.testbed.restartN8n();
		expect(await bed.claim(id, wanted)).toEqual(wanted);
	});

	test('after the process was killed while it claimed, what it had got to is taken and the rest is not', async () => {
		const [id, wanted] = [await bed.workflow(), identities(1000)];
		const broken = bed.call(id, { claim: wanted }).catch(() => undefined);
		await pollUntil(async () => (rows(id).length > 0 ? true : undefined), {
			what: 'The first claim',
			timeoutMs: 60_000,
			intervalMs: 5,
		});
		await bed.testbed.n8n.kill();
		await broken;
		const claimed = rows(id).map(({ context }) => String(context).slice(2));
		expect(claimed.length).toBeLessThan(wanted.length);
		await bed.testbed.restartN8n();
		expect(await bed.claim(id, wanted)).toEqual(claimed.sort());
		expect(
			await bed.claim(
				id,
				wanted.filter((identity) => !claimed.includes(identity)),
			),
		).toEqual([]);
	});
});
