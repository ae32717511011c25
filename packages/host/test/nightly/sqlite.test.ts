import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { pollUntil } from '../../src/poll.ts';
import { ClaimBed, randomKeys } from './claimBed.ts';
import { claimsHold } from './claimCases.ts';

const digest = (key: string): string => hash('sha256', `${key} 1`);

/** Claims on SQLite, in a separate n8n that is killed. */
describe('claims on SQLite', () => {
	let bed: ClaimBed;

	beforeAll(async () => {
		// Settings of the instance that must not affect claims.
		bed = await ClaimBed.start({
			env: { N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'none', EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true' },
		});
	});

	afterAll(() => bed?.stop());

	/** The rows of a workflow in n8n's table. */
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

	test('n8n stores nothing but the digest', async () => {
		const id = await bed.workflow();
		const [key = ''] = randomKeys(1);
		await bed.claim(id, [key]);
		expect(rows(id).map((row) => ({ ...row }))).toEqual([
			{ context: `n:${digest(key)}`, value: '{"mode":"latestIncrementalKey","data":"1"}' },
		]);
	});

	test('a claim is still there after the process was killed while it was held', async () => {
		const [id, keys] = [await bed.workflow(), randomKeys(3)];
		await (await bed.hold(id, keys)).kill();
		await bed.testbed.restartN8n();
		expect(await bed.claim(id, keys)).toEqual([]);
	});

	test('after a kill while claiming, the keys claimed so far are taken and the others are not', async () => {
		const [id, keys] = [await bed.workflow(), randomKeys(1000)];
		const broken = bed.call(id, { claim: keys }).catch(() => undefined);
		await pollUntil(async () => rows(id).length > 0, { what: 'The first claim', intervalMs: 5 });
		await bed.testbed.n8n.kill();
		await broken;
		const contexts = new Set(rows(id).map(({ context }) => context));
		const claimed = keys.filter((key) => contexts.has(`n:${digest(key)}`));
		expect(claimed).toHaveLength(contexts.size);
		expect(claimed.length).toBeLessThan(keys.length);
		await bed.testbed.restartN8n();
		expect(await bed.claim(id, keys)).toEqual(keys.filter((key) => !claimed.includes(key)));
	});
});

test('if n8n excludes the node that claims need, nothing is claimed and the error names it', async () => {
	const bed = await ClaimBed.start({ env: { NODES_EXCLUDE: '["n8n-nodes-base.removeDuplicates"]' } });
	try {
		const id = await bed.workflow();
		expect((await bed.call(id, { claim: randomKeys(1) })).status).toBe(500);
		expect((await bed.lastFailure(id)).message).toContain('n8n-nodes-base.removeDuplicates');
	} finally {
		await bed.stop();
	}
});
