/** Turns responses and errors into items in input order. */
import { type CallResult, type FailureDetails, InputError, BankFailure, type Operation } from '@bank/core';
import { existing } from '../../../fixtures/src/existing.ts';
import { NodeOperationError } from 'n8n-workflow';

import type { BankAccess, CompletedRequest, OperationHooks } from '../../nodes/shared/pipeline/operationHooks.ts';
import { hintsOf } from '../../nodes/shared/pipeline/outcomeHints.ts';
import { inJobOrder, type JobResult, present, presentPreview } from '../../nodes/shared/pipeline/present.ts';
import { descriptionOf } from '../../nodes/shared/base/messages.ts';
import {
	contextOf,
	type ContextOptions,
	effects,
	input,
	list,
	make,
	plannedOf,
	result,
	runOf,
	encodedOf,
	withEffect,
} from './support.ts';

const answered = Date.UTC(2026, 10, 22, 9, 30);
const doneOf = (
	operation: Operation,
	data: unknown,
	more: Partial<CompletedRequest> & Partial<CallResult> = {},
): CompletedRequest => {
	const { status = 200, file, job = { items: [3], input }, added = {}, at = answered } = more;
	const { sent = plannedOf(operation, { input }).prepared.input } = more;
	return { job, sent, added, at, result: { data, raw: data, status, ...(file === undefined ? {} : { file }) } };
};
// The hooks in these tests do not call the bank.
const noBank = {} as BankAccess;
const presented = async (
	operation: Operation,
	done: CompletedRequest,
	{ form = {}, ...options }: ContextOptions & { form?: OperationHooks } = {},
) => await present(runOf(operation, { items: [{}, {}, {}, {}], ...options }), form, done, noBank);
const broken = () => {
	throw new Error('n8n cannot store the file');
};

describe('a response', () => {
	it('that is an object is one item with all its fields, paired with the input item', async () => {
		expect(await presented(make, doneOf(make, { number: '7', more: { a: [1] } }))).toEqual([
			{ json: { number: '7', more: { a: [1] } }, pairedItem: { item: 3 } },
		]);
	});

	it.each([
		['a list: an item for each', [{ a: 1 }, 'text', null], [{ a: 1 }, { response: 'text' }, { response: null }]],
		['an empty list: one item', [], [{ response: [] }]],
		['a text', 'done', [{ response: 'done' }]],
		['nothing', undefined, [{}]],
	])('without a schema may be %s', async (_name, data, json) => {
		const items = await presented(result, doneOf(result, data));
		expect(items.map((item) => item.json)).toStrictEqual(json);
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":3}')).toBe(true);
	});
});

it('a file is a binary field', async () => {
	const file = { data: new Uint8Array([1, 2, 255]), mimeType: 'application/pdf', fileName: 'form.pdf' };
	expect(await presented(result, doneOf(result, undefined, { file }))).toEqual([
		{ json: {}, binary: { data: { ...file, data: 'AQL/' } }, pairedItem: { item: 3 } },
	]);
});

describe('a response that cannot be presented', () => {
	const form: OperationHooks = { output: broken };

	it.each(effects)('to a %s is returned unchanged for each item, because the bank has processed it', async (effect) => {
		const operation = withEffect(effect);
		const job = { items: [1, 2], input };
		expect(await presented(operation, doneOf(operation, { number: '7' }, { job }), { form })).toEqual([
			{ json: { response: { number: '7' } }, pairedItem: { item: 1 } },
			{ json: { response: { number: '7' } }, pairedItem: { item: 2 } },
		]);
	});

	it('to an order is returned without its file, if n8n cannot store it', async () => {
		const order: Operation = { ...result, effect: 'order' };
		const run = runOf(order);
		run.context.helpers.prepareBinaryData = async () => broken();
		const file = { data: new Uint8Array([1]), mimeType: 'application/pdf' };
		expect(await present(run, {}, doneOf(order, undefined, { file }), noBank)).toEqual([
			{ json: { response: null }, pairedItem: { item: 3 } },
		]);
	});

	it('to a read is a failure, because it can be read again', async () => {
		await expect(presented(list, doneOf(list, []), { form })).rejects.toThrow('n8n cannot store the file');
	});
});

describe('a deadline (part 8)', () => {
	const withDeadline: Operation = { ...make, deadline: { field: 'signBefore', hours: 4, until: 'the signature' } };

	it('is counted from the response, and is in each item, also beside a file', async () => {
		const signBefore = '2026-11-22T13:30:00.000Z';
		const file = { data: new Uint8Array(), mimeType: 'application/pdf' };
		expect(await presented(withDeadline, doneOf(withDeadline, undefined, { file }))).toMatchObject([
			{ json: { signBefore } },
		]);
		expect(await presented(withDeadline, doneOf(withDeadline, [{ a: 1 }, { a: 2 }]))).toMatchObject([
			{ json: { a: 1, signBefore } },
			{ json: { a: 2, signBefore } },
		]);
	});

	it('is absent if the bank has only accepted the request', async () => {
		const [item] = await presented(withDeadline, doneOf(withDeadline, { number: '7' }, { status: 202 }));
		expect(item?.json).toEqual({ number: '7' });
	});
});

describe('a warning above the output', () => {
	const secrets: Operation = { ...make, returnsSecrets: true };
	it.each<[string, Operation, boolean | undefined, RegExp | undefined]>([
		['says that n8n stores the secrets of the response', secrets, undefined, /tokens.* turn off saving executions/],
		['says that rows may be missing', list, true, /Rows may be missing/],
		['is not shown for other responses', make, undefined, undefined],
		['is not shown for complete lists', list, undefined, undefined],
	])('%s', async (_name, operation, isUnsettled, message) => {
		const run = runOf(operation);
		const done = doneOf(operation, []);
		const hints: unknown[] = [];
		const response = { ...done, result: { ...done.result, isUnsettled } };
		// Triggers have no hints.
		for (const addExecutionHints of [undefined, (hint: unknown) => hints.push(hint)])
			await present(Object.assign(run, { context: { ...run.context, addExecutionHints } }), {}, response, noBank);
		const expected = { message: expect.stringMatching(message ?? ''), type: 'warning', location: 'outputPane' };
		expect(hints).toEqual(message === undefined ? [] : [expected]);
	});
});

describe('a preview', () => {
	it('has the amended request, not the planned one', async () => {
		const encoded = await encodedOf(make);
		const amended = { ...encoded, prepared: { ...encoded.prepared, url: '/other', body: '{"name":"other"}' } };
		expect(presentPreview(amended)).toMatchObject([
			{
				json: {
					request: { url: '/other', headers: { Accept: 'application/json', 'Content-Type': 'application/json' } },
					bodyText: '{"name":"other"}',
				},
			},
		]);
	});

	it('of a request without a body has an empty text', async () => {
		expect(presentPreview(await encodedOf(result))).toMatchObject([{ json: { bodyText: '' } }]);
	});
});

describe('the items of a run', () => {
	const job = (...items: number[]) => ({ items, input: {} });
	const ordered = (outcomes: (JobResult | undefined)[]) => inJobOrder(runOf(make), outcomes);
	const details: FailureDetails = {
		operation: 'thing.make',
		effect: 'money',
		kind: 'noAnswer',
		what: 'the bank did not respond in time',
		message: 'Make a thing: the bank did not respond in time',
		next: [],
		retryable: false,
		outcome: 'unknown',
	};

	it('are in the order of the input; a failure is reported to each of its items', () => {
		const item = (index: number) => ({ json: { index }, pairedItem: { item: index } });
		const outcomes = [
			{ job: job(0), items: [item(0), item(0)] },
			{ job: job(1, 5), failure: new BankFailure(details) },
			{ job: job(2), items: [] },
			undefined,
			{ job: job(4), items: [item(4)] },
		];
		const json = {
			error: details.message,
			message: descriptionOf(details),
			details: expect.objectContaining({ outcome: 'unknown', description: descriptionOf(details) }),
		};
		const failed = [1, 5].map((index) => ({ json, pairedItem: { item: index } }));
		expect(ordered(outcomes)).toEqual([item(0), item(0), ...failed, item(4)]);
	});

	it('report to each its own issues and those of no item; otherwise which items kept it from being sent', () => {
		const issues = [
			{ path: 'name', message: 'is required', item: 0 },
			{ path: 'total', message: 'must be 3' },
			{ path: 'count', message: 'is wrong', item: 1 },
		];
		const pathsOf = (told: ReturnType<typeof ordered>) =>
			told.map(({ json }) => (json.details as { issues: { path: string }[] }).issues.map(({ path }) => path));
		expect(pathsOf(ordered([{ job: job(0, 1, 2), failure: new InputError(issues) }]))).toEqual([
			['name', 'total'],
			['total', 'count'],
			['total'],
		]);
		const kind = { path: 'kind', message: 'is required', item: 1 };
		const onlyOfOthers = new InputError([existing(issues[0]), existing(issues[2]), kind]);
		const [told] = ordered([{ job: job(2), failure: onlyOfOthers }]);
		expect(told?.json.error).toBe('Not processed because of item 0, 1');
		expect(told?.json.message).toBe('Nothing was sent for this item. Correct the other item, then run again.');
		const ofMany = Array.from({ length: 5000 }, (_, item) => ({ path: 'kind', message: 'is required', item }));
		const [short] = ordered([{ job: job(5000), failure: new InputError(ofMany) }]);
		expect(short?.json.error).toBe('Not processed because of item 0, 1, 2 and 4997 more');
	});

	it('say that nothing was sent if the input was invalid or an expression failed', () => {
		const expression = new NodeOperationError(contextOf().getNode(), 'Referenced node is not there', {
			description: 'Run it first.',
		});
		const told = ordered([
			{ job: job(0), failure: new InputError([{ path: 'name', message: 'is required', item: 0 }]) },
			{ job: job(1), failure: expression },
		]);
		for (const { json } of told) expect(Object.keys(json)).toEqual(['error', 'message', 'details']);
		expect(told.map(({ json }) => json)).toMatchObject([
			{
				error: 'name is required',
				message: 'Nothing was sent for this item. To correct: name is required.',
				details: { operation: 'thing.make', code: 'invalid_input', outcome: 'notSent', retryable: false },
			},
			{
				error: 'Referenced node is not there',
				message: 'Run it first.',
				details: { operation: 'thing.make', code: 'node_error', outcome: 'notSent' },
			},
		]);
	});
});

describe('the hint above the output', () => {
	const items = (...outcomes: string[]) => outcomes.map((outcome) => ({ json: { details: { outcome } } }));
	const hint = (type: string, message: unknown) => ({ type, location: 'outputPane', message });

	it('counts unknown items and those that were not sent', () => {
		const unknown = 'it is unknown whether the bank carried it out. Ask it before you send again.';
		expect(hintsOf(make, items('unknown', 'notSent', 'rejected', 'notSent'))).toEqual([
			hint('danger', `1 item: ${unknown}`),
			hint('warning', '2 items: Nothing was sent.'),
		]);
		expect(hintsOf(make, items('rejected', 'accepted'))).toEqual([]);
	});

	it.each([
		['danger', ['accepted', 'unknown'], /^1 of 2 accepted; 1 unknown\./],
		['danger', ['conflict', 'alreadyAccepted'], /^1 of 2 accepted \(1 earlier, not sent again\); 1 in conflict\./],
		[
			'warning',
			['rejected', 'notSent', 'alreadyAccepted'],
			/^1 of 3 accepted \(1 earlier, not sent again\); 1 rejected, 1 not sent\. When this is solved, run again: nobody is paid twice\.$/,
		],
		[
			'info',
			['accepted', 'alreadyAccepted'],
			/^2 of 2 accepted, 1 now; 1 earlier, not sent again\. No payment needs attention\.$/,
		],
	])('summarizes a run of payments: %s for %j', (type, outcomes, message) => {
		expect(hintsOf(withEffect('money'), items(...outcomes))).toEqual([hint(type, expect.stringMatching(message))]);
	});

	it.each(['read', 'none'] as const)('counts no outcomes of an operation that sends nothing: %s', (effect) => {
		expect(hintsOf(withEffect(effect), items('unknown', 'notSent'))).toEqual([]);
	});

	it('names payments that may have been made, conflicts and the next step', () => {
		const open = (outcome: string, sequence: string, error: string, more: object = {}) => ({
			json: { error, details: { outcome, sequence, ...more } },
		});
		const broken = 'the connection broke before the response was complete';
		const [said] = hintsOf(withEffect('money'), [
			open('unknown', '1', broken, { recipient: 'Anna (p-1)' }),
			...['p-2', 'p-3', 'p-4'].map((sequence) => open('unknown', sequence, broken)),
			open('unknown', 'p-6', 'is being sent by execution 4', { code: 'being_sent' }),
			open('conflict', 'p-5', 'p-5 was sent with 1.00; this row says 2.00'),
		]);
		expect(said?.message).toBe(
			'0 of 6 accepted; 1 in conflict, 5 unknown. Another execution is sending: p-6. Wait until it has ended ' +
				'(after Stop or a crash: until the time in the error output), then run again. ' +
				'May have been paid, so not sent again: Anna (p-1), p-2, p-3, p-4. ' +
				'Check with "Find in Operations" or ask the bank, record the answer with "Payment: Resolve", then run again. ' +
				'Not sent: p-5 was sent with 1.00; this row says 2.00. Undo the change, or read its error in the error output.',
		);
	});

	it('names each of many conflicts', () => {
		const conflicts = Array.from({ length: 106 }, (_, index) => ({
			json: { error: 'differs', details: { outcome: 'conflict', recipient: `Anna (p-${index})` } },
		}));
		const [said] = hintsOf(withEffect('money'), conflicts);
		for (const { json } of conflicts) expect(said?.message).toContain(json.details.recipient);
		expect(said?.message).not.toContain('more');
	});

	it('warns if a loop may have taken the second payment to a person for the first', () => {
		const earlier = { outcome: 'alreadyAccepted', acceptedIn: '7', sequenceGiven: false };
		const said = (json: object, execution: string) =>
			hintsOf(withEffect('money'), [{ json: { ...earlier, ...json } }], execution);
		expect(said({}, '7')).toEqual([hint('warning', expect.stringContaining('earlier in this execution'))]);
		expect(said({}, '8')).toEqual([hint('info', expect.anything())]);
		expect(said({ sequenceGiven: true }, '7')).toEqual([hint('info', expect.anything())]);
	});

	it('names the recipients and the sum', () => {
		const paid = (recipient: string, amount: unknown) => ({ json: { outcome: 'accepted', recipient, amount } });
		const said = (...rows: { json: object }[]) => {
			const items = rows.map(({ json }) => ({ json: { ...json } }));
			return hintsOf(withEffect('money'), items).map(({ message }) => message);
		};
		expect(said(paid('Anna', 0.1), paid('Boris', 1500.2))).toEqual([
			'2 of 2 accepted: 1,500.30 to Anna, Boris. No payment needs attention.',
		]);
		expect(said(...['A', 'B', 'C', 'D', 'E'].map((name) => paid(name, 1)))[0]).toMatch(
			/: 5\.00 to A, B, C and 2 more\./,
		);
		expect(said(paid('', 2), ...items('rejected'))[0]).toMatch(/^1 of 2 accepted: 2\.00; 1 rejected\./);
		expect(said(paid('Anna', undefined))).toEqual(['1 of 1 accepted. No payment needs attention.']);
	});
});
