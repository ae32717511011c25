/** Data stored with an execution by which a payment can be found later. */
import { InputError, createNoAnswerError, type Operation } from '@bank/core';
import type { ITaskMetadata } from 'n8n-workflow';

import type { JobResult } from '../../nodes/shared/pipeline/present.ts';
import { writeTrace } from '../../nodes/shared/pipeline/trace.ts';
import { list, plannedOf, runOf, withEffect } from './support.ts';

const money = withEffect('money');
const { job } = plannedOf(money);

/** A run whose execution already has this data, and the data afterwards. */
function traced(operation: Operation, made: (JobResult | undefined)[], kept: Record<string, string> = {}) {
	const tracing: unknown[] = [];
	const run = runOf(operation);
	const customData = {
		get: (key: string) => kept[key],
		set: (key: string, value: string) => void (kept[key] = value),
	};
	Object.assign(run.context, {
		setMetadata: (metadata: ITaskMetadata) => void tracing.push(metadata.tracing),
		getWorkflowDataProxy: () => ({ $execution: { customData } }),
	});
	writeTrace(run, made);
	return { kept, tracing };
}

const paid = (payPackage: string | number, requestId?: string): JobResult => ({
	job,
	items: [{ json: { sequence: 's-1', phone: '+79000000001', outcome: 'accepted', payPackage } }],
	...(requestId === undefined ? {} : { requestId }),
});
const lost: JobResult = { job, failure: createNoAnswerError(money, { code: 'ECONNRESET' }) };

test('of a payment the operation, its outcome, the package and the request are kept, for spans and for the list of executions', () => {
	expect(traced(money, [paid('P-1', 'trace-1')])).toEqual({
		tracing: [
			{
				'bank.operation': money.id,
				'bank.outcome': 'accepted',
				'bank.package': 'P-1',
				'bank.requestId': 'trace-1',
			},
		],
		kept: {
			bank_operation: money.id,
			bank_outcome: 'accepted',
			bank_package: 'P-1',
			bank_requestId: 'trace-1',
		},
	});
});

test('what is unknown comes first, also where the bank accepted a package and does not name a payment', () => {
	const unnamed: JobResult = { job, items: [{ json: { outcome: 'unknown', payPackage: 'P-2' } }] };
	// The bank returns the package number as a number.
	const { kept } = traced(money, [paid(7000000001), undefined, lost, unnamed]);
	expect(kept).toEqual({
		bank_operation: money.id,
		bank_outcome: 'unknown, accepted',
		bank_package: 'P-2, 7000000001',
	});
});

test('of a package of which one payment is unknown the outcome is that, and its number is of whichever names it', () => {
	const items = [{ json: { outcome: 'accepted' } }, { json: { outcome: 'unknown', payPackage: 'P-3' } }];
	expect(traced(money, [{ job, items }]).kept).toMatchObject({ bank_outcome: 'unknown', bank_package: 'P-3' });
});

test('what never reached the bank, such as a fault of the input, was not sent', () => {
	const refused: JobResult = { job, failure: new InputError([{ path: 'name', message: 'is required' }]) };
	const { kept, tracing } = traced(money, [refused]);
	expect(kept).toEqual({ bank_operation: money.id, bank_outcome: 'notSent' });
	// Attributes without a value are left out.
	expect(tracing).toEqual([{ 'bank.operation': money.id, 'bank.outcome': 'notSent' }]);
});

test('packages of earlier nodes of an execution stay, each once and as many as fit, the newest first', () => {
	const kept = { bank_package: 'P-1, P-0' };
	traced(money, [paid('P-2'), paid('P-1')], kept);
	expect(kept.bank_package).toBe('P-2, P-1, P-0');
	const many = Array.from({ length: 99 }, (_, index) => paid(`package-${index}`));
	const { bank_package = '' } = traced(money, many, kept).kept;
	expect(bank_package.length).toBeLessThanOrEqual(255);
	expect(bank_package.split(', ').at(0)).toBe('package-0');
	expect(many.map(({ items }) => items?.[0]?.json.payPackage)).toEqual(
		expect.arrayContaining(bank_package.split(', ')),
	);
});

test('of what only reads nothing is kept in the execution, and no person or account in its span', () => {
	const read: JobResult = { job, items: [{ json: { name: 'Anna', payPackage: 'P-1' } }], requestId: 'trace-2' };
	expect(traced(list, [read])).toEqual({
		tracing: [{ 'bank.operation': list.id, 'bank.requestId': 'trace-2' }],
		kept: {},
	});
});

test('of what the bank hears nothing of, such as a package that is prepared, nothing is kept in the execution either', () => {
	const shown: JobResult = { job, items: [{ json: { outcome: 'prepared' } }] };
	expect(traced(withEffect('none'), [shown]).kept).toEqual({});
});

test('that n8n keeps nothing spoils nothing that was done', () => {
	const run = runOf(money);
	Object.assign(run.context, {
		setMetadata: () => {
			throw new Error('no tracing here');
		},
	});
	expect(() => writeTrace(run, [paid('P-1')])).not.toThrow();
});
