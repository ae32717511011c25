/** Data stored with an execution by which a payment can be found later. */
import { InputError, createNoAnswerError, type Operation } from '@bank/core';
import type { ITaskMetadata } from 'n8n-workflow';

import type { JobResult } from '../../nodes/shared/pipeline/present.ts';
import { writeTrace } from '../../nodes/shared/pipeline/trace.ts';
import { list, plannedOf, runOf, withEffect } from './support.ts';

const money = withEffect('money');
const { job } = plannedOf(money);

/** Writes the trace of these results in an execution that already has the data `kept`. Returns its data afterwards. */
function traced(operation: Operation, made: (JobResult | undefined)[], kept: Record<string, string> = {}) {
	const tracing: unknown[] = [];
	const run = runOf(operation);
	const set = (key: string, value: string) => void (kept[key] = value);
	const customData = { get: (key: string) => kept[key], set };
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

test('a payment stores operation, outcome, package and request ID, in the span and the execution', () => {
	const stored = { operation: money.id, outcome: 'accepted', package: 'P-1', requestId: 'trace-1' };
	const named = (prefix: string) =>
		Object.fromEntries(Object.entries(stored).map(([name, value]) => [prefix + name, value]));
	expect(traced(money, [paid('P-1', 'trace-1')])).toEqual({ tracing: [named('bank.')], kept: named('bank_') });
});

test('unknown outcomes come first, also of payments that an accepted package does not name', () => {
	const unnamed: JobResult = { job, items: [{ json: { outcome: 'unknown', payPackage: 'P-2' } }] };
	// The bank returns the package number as a number.
	const { kept } = traced(money, [paid(7000000001), undefined, lost, unnamed]);
	expect(kept).toEqual({
		bank_operation: money.id,
		bank_outcome: 'unknown, accepted',
		bank_package: 'P-2, 7000000001',
	});
});

test('a package with an unknown payment is unknown, with the number from any of its items', () => {
	const items = [{ json: { outcome: 'accepted' } }, { json: { outcome: 'unknown', payPackage: 'P-3' } }];
	expect(traced(money, [{ job, items }]).kept).toMatchObject({ bank_outcome: 'unknown', bank_package: 'P-3' });
});

test('invalid input has the outcome notSent', () => {
	const refused: JobResult = { job, failure: new InputError([{ path: 'name', message: 'is required' }]) };
	const { kept, tracing } = traced(money, [refused]);
	expect(kept).toEqual({ bank_operation: money.id, bank_outcome: 'notSent' });
	// Attributes without a value are left out.
	expect(tracing).toEqual([{ 'bank.operation': money.id, 'bank.outcome': 'notSent' }]);
});

test('packages of earlier nodes of an execution are kept, each once, the newest first, as many as fit', () => {
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

test('a read stores nothing in the execution, and no personal data in its span', () => {
	const read: JobResult = { job, items: [{ json: { name: 'Anna', payPackage: 'P-1' } }], requestId: 'trace-2' };
	const tracing = [{ 'bank.operation': list.id, 'bank.requestId': 'trace-2' }];
	expect(traced(list, [read])).toEqual({ tracing, kept: {} });
});

test('a prepared package stores nothing in the execution', () => {
	const shown: JobResult = { job, items: [{ json: { outcome: 'prepared' } }] };
	expect(traced(withEffect('none'), [shown]).kept).toEqual({});
});

test('an error of n8n while storing does not fail the node', () => {
	const run = runOf(money);
	Object.assign(run.context, {
		setMetadata: () => {
			throw new Error('no tracing here');
		},
	});
	expect(() => writeTrace(run, [paid('P-1')])).not.toThrow();
});
