/** A claim counts as won only if n8n clearly reports that it was inserted. */
import { claimAll, type ClaimContext } from '../../nodes/shared/idempotency/claims.ts';
import { FakeN8n } from '../support/duplicateProtection.ts';

const claims = ['a', 'b', 'c'].map((key) => ({ key, number: 1 }));
const item = { json: {} };
const answer = (value: unknown) => [[{ json: { claims: value } }]];
const noPause = () => Promise.resolve();

const answering = (data: unknown): ClaimContext => ({
	...new FakeN8n().in('workflow'),
	executeWorkflow: () => Promise.resolve({ executionId: '1', data } as never),
});

it.each<[string, number, unknown]>([
	...[[], [[]], [[item]], [[], []], [[item], [item]], [[item, item], []], [[], [item, item]]].map(
		(data): [string, number, unknown] => ['one claim', 1, data],
	),
	...[undefined, null, '', '11', '1111', 11, 111.5, '1x1', true, ['1', '1', '1']].map(
		(value): [string, number, unknown] => ['three claims', 3, answer(value)],
	),
	['three claims', 3, []],
])('%s: %d, and n8n replies %j', async (_what, count, data) => {
	await expect(claimAll(answering(data), claims.slice(0, count), undefined, noPause)).rejects.toMatchObject({
		isCertain: false,
	});
});

it.each([
	['011', ['b', 'c']],
	[110, ['a', 'b']],
	['000', []],
])('three claims are won as n8n replies: %j', async (value, won) => {
	expect(await claimAll(answering(answer(value)), claims, undefined, noPause)).toEqual(won);
});

it.each([
	['Connection terminated unexpectedly', 1, false],
	['Unrecognized node type: n8n-nodes-base.removeDuplicates', 1, true],
	// The first of three parts was claimed.
	['Unrecognized node type: n8n-nodes-base.removeDuplicates', 102, false],
])('an error of n8n: %s, for %d claims', async (message, count, isCertain) => {
	const many = Array.from({ length: count }, (_, number) => ({ key: 'a', number }));
	const replies = count > 1 ? [{ executionId: '1', data: answer('1'.repeat(34)) }] : [];
	const executeWorkflow = () =>
		replies.length > 0 ? Promise.resolve(replies.shift()) : Promise.reject(new Error(message));
	const context = { ...answering([]), executeWorkflow } as ClaimContext;
	await expect(claimAll(context, many, undefined, noPause)).rejects.toMatchObject({ isCertain });
});
