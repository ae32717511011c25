/** The ledger remembers what an execution sent over its retries. It is for requests with an effect that are not payments. */
import {
	BankFailure,
	type CallResult,
	type FailureDetails,
	isBankFailure,
	type Operation,
	type Outcome,
} from '@bank/core';

import { sendOnce } from '../../nodes/shared/pipeline/executionLedger.ts';
import type { Planned } from '../../nodes/shared/pipeline/plan.ts';
import type { EncodedRequest } from '../../nodes/shared/pipeline/encodeRequest.ts';
import { baseUrl, contextOf, list, make, plannedOf, encodedOf, thrownBy, withEffect } from './support.ts';

const answer: CallResult = { data: { number: '7' }, raw: { number: '7' }, status: 200 };
const effects = ['order', 'change', 'delete'] as const;
const changed = { path: { kind: 'a' }, body: { name: 'another' } };

const details = (outcome: Outcome, httpStatus?: number): FailureDetails => ({
	...{ operation: 'thing.make', effect: 'order', what: outcome, message: `Make a thing: ${outcome}` },
	...(httpStatus === undefined ? { code: 'ECONNREFUSED' } : { httpStatus }),
	...{ kind: httpStatus === undefined ? 'noAnswer' : 'refused', next: [], retryable: false, outcome },
});

const failed = (failure: FailureDetails) => new BankFailure(failure);

interface Ledger {
	once(encoded: EncodedRequest, send: () => Promise<CallResult>): ReturnType<typeof sendOnce>;
}

/**
 * n8n's storage of a node. Each object is the first try of an execution, a try of Retry On Fail, or a retry, which has
 * its own execution ID.
 */
class Node {
	kept: Record<string, unknown> = {};

	run({ execution = '1', runIndex = 0, at = baseUrl, operation = make as Operation } = {}): Ledger {
		// n8n keeps the node's context as JSON between a failed execution and its retry.
		this.kept = JSON.parse(JSON.stringify(this.kept)) as Record<string, unknown>;
		const context = contextOf({ context: this.kept, executionId: execution, runIndex });
		return { once: async (encoded, send) => await sendOnce(context, operation, { baseUrl: at }, encoded, send) };
	}
}

const accept = async () => answer;
const neverAnswer = () => new Promise<CallResult>(() => undefined);

/** Result of a try: `sends`, `recalls` (an earlier response), or the outcome of its error. */
async function tried(ledger: Ledger, encoded: EncodedRequest, send = accept): Promise<string> {
	let isSent = false;
	const sends = () => {
		isSent = true;
		return send();
	};
	return await ledger.once(encoded, sends).then(
		() => (isSent ? 'sends' : 'recalls'),
		(error: unknown) => (isSent ? 'sends' : isBankFailure(error) ? error.details.outcome : 'refused'),
	);
}

let node: Node;
beforeEach(() => {
	node = new Node();
});

describe('A request', () => {
	it.each(effects)('is recorded before it is sent, so that a later run does not send it again (%s)', async (effect) => {
		const [operation, encoded] = [withEffect(effect), await encodedOf(withEffect(effect))];
		void node.run({ operation }).once(encoded, neverAnswer);
		// The process has crashed, or the execution was stopped. The next try:
		for (const execution of ['1', '2']) {
			const error = await thrownBy(() => node.run({ operation, execution }).once(encoded, accept));
			expect(error).toMatchObject({
				name: 'BankFailure',
				details: { operation: 'thing.make', outcome: 'unknown' },
			});
		}
	});

	it.each(effects)('that was accepted returns its response, with what was sent and when (%s)', async (effect) => {
		const [operation, encoded] = [withEffect(effect), await encodedOf(withEffect(effect))];
		const accepted = await node.run({ operation }).once(encoded, accept);
		expect(accepted).toEqual({ sent: encoded.prepared.input, result: answer, at: expect.any(Number) });
		for (const execution of ['1', '2'])
			expect(await node.run({ operation, execution }).once(encoded, neverAnswer)).toMatchObject(accepted);
	});

	it('is identified by its position in an execution, and by its content in a retry', async () => {
		await node.run().once(await encodedOf(make), accept);
		const other = await encodedOf(make, { input: changed });
		for (let rerun = 0; rerun < 2; rerun++)
			expect((await node.run().once(other, neverAnswer)).sent.body).toEqual({ name: 'b' });
		expect(await tried(node.run({ execution: '2' }), other)).toBe('sends');
	});

	it('is another one at another bank, with another method, URL or file, and in the next round of a loop', async () => {
		const { body: _, ...bare } = plannedOf(make).prepared;
		const sealedWith = async (change: Partial<Planned['prepared']> = {}) =>
			await encodedOf(make, { prepared: { ...bare, parts: [{ name: 'scan', value: 'x' }], ...change } });
		const first = await sealedWith();
		await node.run().once(first, accept);
		const file = { field: '', fileName: '', mimeType: '', base64: 'AA==' };
		const others: [object, EncodedRequest][] = [
			[{ execution: '2', at: 'https://other.test' }, first],
			[{ execution: '3' }, await sealedWith({ method: 'PUT' })],
			[{ execution: '4' }, await sealedWith({ url: '/things/b' })],
			[{ execution: '5' }, await sealedWith({ parts: [{ name: 'scan', file }] })],
			[{ execution: '1', runIndex: 1 }, first],
			[{ execution: '1', operation: { ...make, id: 'thing.alter' } }, first],
		];
		for (const [where, encoded] of others)
			expect([where, await tried(node.run(where), encoded)]).toEqual([where, 'sends']);
		expect(await tried(node.run({ execution: '6' }), first)).toBe('recalls');
	});

	it('is distinguished by each part of its position and content', async () => {
		const { body: _, ...bare } = plannedOf(make).prepared;
		const all: [Parameters<Node['run']>[0], Partial<Planned>][] = [
			[{ execution: '1', runIndex: 1 }, { position: 1 }],
			[{ execution: '1', runIndex: 11 }, { position: 1 }],
			[{ execution: '1', runIndex: 1 }, { position: 11 }],
			[{ execution: '11', runIndex: 11 }, { position: 11 }],
			[{ execution: '1' }, { prepared: { ...bare, url: '/things/1', body: '1' } }],
			[{ execution: '2' }, { prepared: { ...bare, url: '/things/11', body: '' } }],
			[{ execution: '3' }, { prepared: { ...bare, url: '/things/1' } }],
		];
		for (const [where, planned] of all)
			expect([where, await tried(node.run(where), await encodedOf(make, planned))]).toEqual([where, 'sends']);
	});
});

describe('A request that failed', () => {
	it.each([
		['rejected', 403, ['sends', 'sends']],
		['notSent', undefined, ['sends', 'sends']],
		['unknown', 500, ['unknown', 'sends']],
	] as const)('with the outcome %s (%p): a rerun and a retry do %j', async (outcome, status, expected) => {
		const next = async (execution: string) => {
			node = new Node();
			const encoded = await encodedOf(make);
			await tried(node.run(), encoded, () => Promise.reject(failed(details(outcome, status))));
			return await tried(node.run({ execution }), encoded);
		};
		expect([await next('1'), await next('2')]).toEqual(expected);
	});

	it.each([502, undefined])('fails again with the same error (%s)', async (status) => {
		const failure = details('unknown', status);
		const encoded = await encodedOf(make);
		await tried(node.run(), encoded, () => Promise.reject(failed(failure)));
		expect(await thrownBy(() => node.run().once(encoded, accept))).toMatchObject({
			name: 'BankFailure',
			details: failure,
		});
	});
});

it('A read is not recorded', async () => {
	const encoded = await encodedOf(list, { input: {} });
	const ledger = node.run({ operation: list });
	expect(await ledger.once(encoded, accept)).toMatchObject({ sent: { path: {}, query: {} }, result: answer });
	const fail = () => Promise.reject(failed(details('nothingChanged', 500)));
	for (const send of [accept, fail, accept]) expect(await tried(ledger, encoded, send)).toBe('sends');
	expect(node.kept).toEqual({});
});
