import type { Call } from '@bank/fixtures/sandbox';
import type { IDataObject } from 'n8n-workflow';
import type { SandboxAdmin } from '../../src/sandboxAdmin.ts';

/** One run of an example against a sandbox fresh from a reset. It has succeeded, and broke no rule of the API description. */
export interface ExampleRun {
	/** The items a node put out, on its first output unless told otherwise. */
	output(node: string, index?: number): IDataObject[];
	/** What reached the bank, without the calls for tokens. */
	calls: Call[];
	sandbox: SandboxAdmin;
}

/** What each file of `examples/` must have done. A new example needs an entry here. */
export const expectations: Record<string, (run: ExampleRun) => void | Promise<void>> = {
	'card-limits.json'({ calls, output }) {
		expect(paths(calls)).toEqual(['card-0001', 'card-0002'].map((card) => `GET /api/pp/v1/cards/${card}/user-limits`));
		expect(output('Limits').length).toBeGreaterThan(1);
		expect(output('Limits')[0]).toMatchObject({ currency: 'RUB', max: expect.any(Number) });
	},

	async 'loan-application.json'({ sandbox, output }) {
		const [draft, ...more] = (await sandbox.state()).loanDrafts;
		expect(more).toEqual([]);
		expect(draft?.dealId).toBe(output('New Deal ID')[0]?.dealId);
	},

	async 'operations-history.json'({ calls, output, sandbox }) {
		const { operationCount } = await sandbox.state();
		const ids = output('Operations').map(({ id }) => id);
		expect(new Set(ids).size).toBe(operationCount);
		expect(ids).toHaveLength(operationCount);
		expect(calls.length).toBeGreaterThan(1);
		const counted = output('Total by Direction').reduce((sum, group) => sum + Number(group.count_id), 0);
		expect(counted).toBe(operationCount);
	},

	async 'payout-from-rows.json'({ calls, output, sandbox }) {
		expect(calls.map(({ operation }) => operation)).toEqual(['payment.sendPackage']);
		const [entry, ...more] = (await sandbox.state()).ledger;
		expect(more).toEqual([]);
		expect(entry).toMatchObject({ outcome: 'accepted', payments: [{ sequence: 'payout-1' }, { sequence: 'payout-2' }, { sequence: 'payout-3' }] });
		expect(Number(entry?.total)).toBe(1800);
		expect(output('Pay').map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
	},

	async 'statement-order.json'({ output, sandbox }) {
		const [report, ...more] = (await sandbox.state()).reports;
		expect(more).toEqual([]);
		expect(output('Order Statement')).toEqual([expect.objectContaining({ id: report?.id, status: 'ENQUEUED' })]);
	},

	async 'webhook-preview.json'({ calls, output, sandbox }) {
		expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(output('Preview Update')[0]).toMatchObject({ preview: true, replaces: expect.arrayContaining([{ field: 'enabled', from: false, to: true }]) });
		const { webhooks } = await sandbox.state();
		expect(webhooks.every(({ enabled }) => !enabled)).toBe(true);
	},
};

/** In a fixed order: reads of several items run side by side. */
function paths(calls: Call[]): string[] {
	return calls.map(({ method, path }) => `${method} ${path}`).sort();
}
