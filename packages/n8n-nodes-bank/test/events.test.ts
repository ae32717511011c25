/** Event: Skip Repeats, Done and List Unfinished, on a double of n8n's database. The protocol itself: core/test/eventProtocol.test.ts. */
import type { INodeExecutionData } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { FakeDatabase, InlineWorkflowRunner } from '../../fixtures/src/processedDataStore.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { jsonOf, outputsOf, refusalOf, type RunOptions } from './support/bank.ts';

type Json = Record<string, unknown>;

const run = outputsOf(Bank);
const done = { name: 'Done', type: 'n8n-nodes-bank.bank', parameters: { resource: 'event', operation: 'done' } };
const trigger = (respond?: string) => ({
	name: 'Bank Trigger',
	type: 'n8n-nodes-bank.bankTrigger',
	parameters: { respond },
});
const event = (eventId: string, more: Json = {}) => ({ eventId, payload: { amount: 1 }, ...more });

let database: FakeDatabase;
beforeEach(() => {
	database = new FakeDatabase();
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'], advanceTimers: true });
});
afterEach(() => jest.useRealTimers());

const skip = async (items: Json[], options: RunOptions = {}, parameters: Json = {}) =>
	await run('event.skipRepeats', parameters, { items, remembered: database, children: [done], ...options });
const finish = async (items: Json[], options: RunOptions = {}) =>
	await run('event.done', {}, { items, remembered: database, ...options });
const list = async (olderThan = 5, options: RunOptions = {}) => {
	const [items = []] = await run('event.listUnfinished', { olderThan }, { remembered: database, ...options });
	return jsonOf(items);
};
const later = (minutes: number) => jest.setSystemTime(Date.now() + minutes * 60_000);
const rows = () => database.log('Bank Events');
const ids = (items: INodeExecutionData[] = []) => items.map(({ json }) => json.eventId ?? json.orderId);

describe('Skip Repeats', () => {
	it('passes each event once, to one of many executions at the same time, and keeps items as they are', async () => {
		const items = Array.from({ length: 30 }, (_, index) => event(`e${index}`));
		const outputs = await Promise.all(Array.from({ length: 20 }, async () => await skip(items)));
		const passed = outputs.flatMap(([fresh]) => ids(fresh));
		expect(passed.toSorted()).toEqual(items.map(({ eventId }) => eventId).toSorted());
		expect(outputs.flatMap(([, repeated]) => ids(repeated))).toHaveLength(19 * 30);
		for (const [fresh = []] of outputs)
			for (const { json, pairedItem } of fresh) expect(items[Object(pairedItem).item]).toBe(json);
		expect(rows()).toHaveLength(30);
	});

	it('tells when and in which execution an unfinished event came first', async () => {
		await skip([event('a')], { executionId: '41' });
		const [fresh, repeated = []] = await skip([event('a'), event('b'), event('b')]);
		expect(ids(fresh)).toEqual(['b']);
		expect(jsonOf(repeated)).toMatchObject([
			{ ...event('a'), repeat: { key: 'a', firstExecution: '41', firstSeenAt: expect.stringMatching(/^\d{4}-.*Z$/) } },
			{ ...event('b'), repeat: { key: 'b' } },
		]);
		await finish([event('a')]);
		const [, again = []] = await skip([event('a')]);
		expect(jsonOf(again)).toMatchObject([{ repeat: { key: 'a' } }]);
	});

	it('uses eventId, orderId or the key of the user, separately for each workflow', async () => {
		expect(ids((await skip([event('1'), { orderId: '2' }, { eventId: null, orderId: 3 }]))[0])).toEqual(['1', '2', 3]);
		const parameters = { key: '={{ $json.payload.id }}' };
		const [fresh] = await skip(
			[event('x', { payload: { id: '1' } }), event('y', { payload: { id: 9 } })],
			{},
			parameters,
		);
		expect(ids(fresh)).toEqual(['y']);
		expect(ids((await skip([event('1')], { workflowId: 'another' }))[0])).toEqual(['1']);
	});

	it.each([
		[[event('1'), { payload: 1 }], {}, 'Key is required: the item has no eventId and no orderId (item 1)'],
		[[event('1')], { key: '={{ $execution.id }}' }, 'Key must be the same on every run'],
	])('refuses keys that identify nothing, before anything is remembered', async (items, parameters, message) => {
		expect((await refusalOf(skip(items, {}, parameters))).message).toContain(message);
		expect(database.keys.size).toBe(0);
	});

	it('keeps no row unless Done follows, and no data unless wanted', async () => {
		await skip([event('1')], { children: [{ ...done, disabled: true }] });
		expect(rows()).toEqual([]);
		await skip([event('2')], {}, { options: { keepData: false } });
		expect(rows()).toMatchObject([{ key: '2', data: '' }]);
		later(6);
		expect(await list()).toMatchObject([{ eventId: '2', unfinished: { mayHaveRun: true } }]);
	});

	it('and Done start three workflows of n8n for an event, because starting one takes longer than all that it does', async () => {
		await skip([event('first')]);
		const workflows = jest.spyOn(InlineWorkflowRunner.prototype, 'run');
		await skip([event('1')]);
		await finish([event('1')]);
		expect(workflows).toHaveBeenCalledTimes(3);
		workflows.mockRestore();
		expect(rows()).toMatchObject([{ key: 'first' }]);
	});

	it('finds its table again, or creates it, if somebody deletes or renames it meanwhile', async () => {
		await skip([event('1')]);
		const [table] = database.tables.splice(0);
		await skip([event('2')]);
		expect(rows()).toMatchObject([{ key: '2' }]);
		database.tables.unshift({ ...existing(table), id: 'renamed', name: 'Bank Events 2025' });
		await finish([event('2')]);
		expect(rows()).toEqual([]);
	});

	it('responds to the bank when the event is stored, and not if n8n could not store it', async () => {
		const responses: object[] = [];
		const parents = [trigger('responseNode')];
		await skip([event('1')], { parents, responses });
		await skip([event('1')], { parents, responses });
		expect(responses).toEqual([
			{ statusCode: 200, headers: {} },
			{ statusCode: 200, headers: {} },
		]);
		database.tableFailure = 'insert';
		const { message, description } = await refusalOf(skip([event('2')], { parents, responses }));
		expect(message).toBe('The events could not be checked for repeats');
		expect(description).toContain('n8n says: Data table size limit exceeded');
		await skip([event('3')], { responses, children: [] });
		expect(responses).toHaveLength(2);
		database.tableFailure = undefined;
		expect(ids((await skip([event('2')], { parents, responses }))[0])).toEqual(['2']);
	});

	it('warns if the trigger responds before the event is stored', async () => {
		const hintsOf = async (respond?: string) => {
			const hints: object[] = [];
			await skip([event('1')], { parents: [trigger(respond)], hints });
			return JSON.stringify(hints);
		};
		expect(await hintsOf()).toContain('The Bank Trigger responds before');
		expect(await hintsOf('responseNode')).not.toContain('The Bank Trigger responds before');
	});
});

describe('List Unfinished', () => {
	it('shows events that did not reach Done, once in that time, until they do', async () => {
		await skip([event('1'), event('2')], { executionId: '41' });
		await finish([event('2')]);
		expect(await list()).toEqual([]);
		later(6);
		expect(await list()).toMatchObject([
			{ ...event('1'), unfinished: { key: '1', workflow: 'workflow', execution: '41', mayHaveRun: true } },
		]);
		expect(await list()).toEqual([]);
		later(6);
		expect(await list()).toMatchObject([event('1')]);
		await finish([event('1')]);
		expect(rows()).toEqual([]);
		later(6);
		expect(await list()).toEqual([]);
	});

	it('shows events of other workflows in the project, and Done ends them there', async () => {
		await skip([event('1')]);
		later(6);
		expect(await list(5, { workflowId: 'watchdog' })).toMatchObject([{ unfinished: { workflow: 'workflow' } }]);
		await finish([event('1')], { workflowId: 'watchdog' });
		expect(rows()).toEqual([]);
	});

	it('shows an event in one of several simultaneous lists', async () => {
		await skip([event('1')]);
		later(6);
		const shown = (await Promise.all(Array.from({ length: 5 }, async () => await list()))).flat();
		expect(shown.length).toBeLessThan(2);
		later(6);
		expect([...shown, ...(await list())].length).toBeGreaterThan(0);
	});

	/** Kills the process after its first call of n8n's database, then after the second, and so on. */
	it('forgets no event whose execution was killed, wherever', async () => {
		const seen = new Set<unknown>();
		for (let dieAfter = 0; dieAfter < 4; dieAfter++) {
			database = new FakeDatabase();
			// Creates the table.
			await skip([event('other')]);
			await finish([event('other')]);
			const responses: object[] = [];
			const options = { parents: [trigger('responseNode')], responses };
			void skip([event('1')], { ...options, dieAfter });
			await jest.advanceTimersByTimeAsync(50);
			// Without a response the bank delivers again.
			const fresh = responses.length > 0 ? [] : ids((await skip([event('1')], options))[0]);
			later(6);
			const unfinished = (await list()).map((item) => Object(item.unfinished));
			const [{ mayHaveRun } = { mayHaveRun: undefined }] = unfinished;
			seen.add(mayHaveRun);
			expect(unfinished).toHaveLength(1);
			expect([dieAfter, mayHaveRun, fresh]).toEqual([dieAfter, true, dieAfter < 2 ? ['1'] : []]);
		}
		expect([...seen]).toEqual([true]);
	});

	it('forgets no event whose claim may have been lost', async () => {
		const claimFailure = 'Connection terminated unexpectedly';
		expect((await refusalOf(skip([event('1')], { claimFailure }))).description).toContain(`n8n says: ${claimFailure}`);
		later(6);
		expect(await list()).toMatchObject([{ ...event('1'), unfinished: { mayHaveRun: true } }]);
	});

	it('says when no execution has handled the event, and none will', async () => {
		await skip([event('other')]);
		await finish([event('other')]);
		void skip([event('1')], { dieAfter: 1 });
		await jest.advanceTimersByTimeAsync(50);
		later(6);
		expect(await list()).toMatchObject([{ ...event('1'), unfinished: { mayHaveRun: false } }]);
		expect(ids((await skip([event('1')]))[1])).toEqual(['1']);
		later(6);
		expect(await list()).toMatchObject([{ unfinished: { mayHaveRun: true } }]);
	});
});

it('an error of the database says what it means for the events', async () => {
	database.tableFailure = 'all';
	for (const running of [finish([event('1')]), list()]) {
		const { message, description } = await refusalOf(running);
		expect(message).toMatch(/^(?:The events could not be marked as done|Unfinished events could not be listed)$/);
		expect(description).toContain('n8n says:');
	}
});
