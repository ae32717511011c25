/** Claims across executions. The host's tests run the inline workflows in a real n8n. */
import fc from 'fast-check';

import { ClaimError } from '../../nodes/shared/idempotency/claimErrors.ts';
import { type ClaimRequest, ClaimStore } from '../../nodes/shared/idempotency/claimStore.ts';
import {
	claimNode,
	inlineNode,
	inlineWorkflow,
	releaseNode,
	replyNode,
} from '../../nodes/shared/idempotency/inlineWorkflow.ts';
import { sha256 } from '../../nodes/shared/idempotency/keys.ts';
import { FakeN8n } from '../support/guard.ts';

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => sha256(String(index)));
const [a = '', b = '', c = ''] = keysOf(3);

let n8n: FakeN8n;
beforeEach(() => {
	n8n = new FakeN8n();
});

const storeIn = (...workflowIds: string[]) => new ClaimStore(n8n.in('payouts'), workflowIds, n8n.pause);
const claim = async (request: Omit<ClaimRequest, 'attempt'> & { attempt?: string }, ...workflowIds: string[]) =>
	await storeIn(...(workflowIds.length === 0 ? ['payouts'] : workflowIds)).claim({ attempt: 'attempt', ...request });
/** The keys that the call owns. */
const owned = async (keys: readonly string[], ...workflowIds: string[]) => [
	...(await claim({ keys }, ...workflowIds)).owned,
];
const claimed = (workflowId = 'payouts') =>
	[...n8n.rows].flatMap((row) => (row.startsWith(`${workflowId} `) ? [row.slice(workflowId.length + 1)] : []));

async function failureOf(work: Promise<unknown>): Promise<ClaimError> {
	const failure: unknown = await work.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!(failure instanceof ClaimError)) throw new Error('It was expected to fail', { cause: failure });
	return failure;
}

describe('A claim', () => {
	it('is owned by the first caller, for each key', async () => {
		expect(await owned([a, b])).toEqual([a, b]);
		expect(await owned([b, c])).toEqual([c]);
	});

	it('must be won in both workflows if one is shared', async () => {
		await owned([a], 'payouts');
		await owned([b], 'shared');
		const { owned: mine, won } = await claim({ keys: [a, b, c] }, 'payouts', 'shared');
		expect([...mine]).toEqual([c]);
		expect(Object.fromEntries(won)).toEqual({ payouts: [b, c], shared: [c] });
	});

	it('detects a payment run that was used in the other mode, without a new claim', async () => {
		const mode = { own: sha256('own'), other: sha256('recipient') };
		expect((await claim({ keys: [a], mode })).otherModeUsed).toBe(false);
		expect(claimed().sort()).toEqual([a, mode.own].sort());
		const reversed = { own: mode.other, other: mode.own };
		expect((await claim({ keys: [b], mode: reversed })).otherModeUsed).toBe(true);
		expect(await storeIn('payouts').isClaimed(mode.own)).toBe(true);
		expect(await storeIn('payouts').isClaimed(c)).toBe(false);
		expect(claimed()).not.toContain(c);
	});
});

describe('At the same moment', () => {
	it.each([1, 2, 30, 600])('20 callers with the same %i keys have one winner for each key', async (count) => {
		const keys = keysOf(count);
		const results = await Promise.all(
			Array.from({ length: 20 }, async (_, caller) =>
				owned([...keys.slice(caller % count), ...keys.slice(0, caller % count)]),
			),
		);
		expect(results.flat().sort()).toEqual(keys.toSorted());
	});

	it('one of two callers wins in both workflows, also if the other is faster in the second', async () => {
		const context = n8n.in('payouts');
		const slow: typeof context = {
			...context,
			executeWorkflow: async (...called) => {
				if (called[0].code?.id === 'shared') await n8n.pause(1);
				return await context.executeWorkflow(...called);
			},
		};
		const first = new ClaimStore(slow, ['payouts', 'shared'], n8n.pause).claim({ keys: [a], attempt: 'first' });
		expect(await owned([a], 'shared', 'payouts')).toEqual([]);
		expect([...(await first).owned]).toEqual([a]);
	});

	it('callers whose keys overlap, in one workflow or two, never own the same key', async () => {
		const caller = fc.record({
			keys: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1 }),
			isShared: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(caller, { minLength: 2 }), async (callers) => {
				n8n = new FakeN8n();
				const ownedBy = async ({ keys, isShared }: { keys: number[]; isShared: boolean }) => {
					const digests = keys.map((key) => sha256(String(key)));
					return await (isShared ? owned(digests, 'payouts', 'shared') : owned(digests));
				};
				const results = await Promise.all(callers.map(ownedBy));
				expect(new Set(results.flat()).size).toBe(results.flat().length);
			}),
			{ numRuns: 60, seed: 7 },
		);
	});
});

describe('A release', () => {
	it('allows a new claim, once for each attempt', async () => {
		const { won } = await claim({ keys: [a, b], attempt: 'first' });
		expect(await storeIn('payouts').release('first', won)).toEqual([a, b]);
		expect(await owned([a])).toEqual([a]);
		// Another execution has claimed the key since.
		expect(await storeIn('payouts').release('first', won)).toEqual([]);
		expect(claimed()).toContain(a);
		expect(await owned([a])).toEqual([]);
	});

	it('happens once for two simultaneous callers, like closing an attempt', async () => {
		const { won } = await claim({ keys: [a], attempt: 'first' });
		const both = await Promise.all([1, 2].map(() => storeIn('payouts').release('first', won)));
		expect(both.flat()).toEqual([a]);
		const closings = await Promise.all([1, 2].map(() => storeIn('payouts').close('second', 'payouts', [a])));
		expect(closings.flat()).toEqual([a]);
		expect(await storeIn('payouts').release('second', won)).toEqual([]);
	});

	it('that fails is not repeated, because the key may have another owner by then', async () => {
		const { won } = await claim({ keys: [a], attempt: 'first' });
		n8n.breakAfter.push(2);
		await expect(storeIn('payouts').release('first', won)).rejects.toThrow('Connection terminated');
		expect(claimed()).toContain(a);
		expect(await storeIn('payouts').release('first', won)).toEqual([]);
	});
});

describe('A failure of n8n', () => {
	it.each([0, 1, 2, 3, 4, 5, 6])('after %i nodes is retried once, and uncertain keys are not owned', async (nodes) => {
		const keys = keysOf(4);
		n8n.breakAfter.push(nodes);
		const inserted: string[] = [];
		n8n.inserted = (key) => void (n8n.pauses.length === 0 && inserted.push(key));
		expect(await owned(keys)).toEqual(nodes > 5 ? keys : keys.filter((key) => !inserted.includes(key)));
		expect(await owned(keys)).toEqual([]);
	});

	it('that repeats is an error that says what it means', async () => {
		n8n.breakAfter.push(2, 2);
		const error = await failureOf(claim({ keys: [a, b] }));
		expect(error.isCertain).toBe(false);
		expect(error.message).toBe('Not sent: duplicate protection did not work');
		expect(error.description).toMatch(/Run again.*Payment: Resolve.*Connection terminated unexpectedly$/);
		expect(error.node.parameters).toEqual({});
	});

	it('of one part of many releases the keys that were won', async () => {
		const keys = keysOf(1300);
		n8n.breakAfter.push(undefined, undefined, 100, undefined, 100);
		await failureOf(claim({ keys }));
		const left = keys.filter((key) => claimed().includes(key));
		expect(left.length).toBeGreaterThan(0);
		expect(left.length).toBeLessThan(200);
	});

	it.each([
		['Unrecognized node type: n8n-nodes-base.removeDuplicates', /n8n-nodes-base\.removeDuplicates.*NODES_EXCLUDE/],
		['The sub-workflow (x) cannot be called by this workflow', /belongs to another project/],
		['SQLITE_CONSTRAINT: FOREIGN KEY constraint failed', /does not exist/],
		['insert or update on table "processed_data" violates foreign key constraint "fk"', /does not exist/],
	])('that is permanent is not retried, and its error says what to do: %s', async (said, advice) => {
		n8n.refusal = new Error(said);
		const error = await failureOf(claim({ keys: [a] }));
		expect(error.description).toMatch(advice);
		expect(error.isCertain).toBe(true);
		expect(n8n.ran).toHaveLength(1);
	});

	it.each([
		[[]],
		[[[]]],
		[[[{ json: {} }]]],
		[[[{ json: { claims: '1' } }]]],
		[[[{ json: { claims: '1x' } }]]],
		[[null]],
	])('with an unreadable result is an error: %j', async (data) => {
		const context = { ...n8n.in('payouts'), executeWorkflow: async () => ({ executionId: '1', data }) };
		const store = new ClaimStore(context as never, ['payouts'], n8n.pause);
		const error = await failureOf(store.claim({ keys: [a, b], attempt: '1' }));
		expect(error.description).toContain('returned an unexpected result');
	});
});

it('An execution that is stopped while claiming releases its claims', async () => {
	n8n.inserted = () => n8n.stop.abort();
	const keys = keysOf(1300);
	const error = await failureOf(claim({ keys }));
	expect(error.description).toBe('The execution was stopped before the request was sent.');
	expect(claimed().filter((key) => keys.includes(key))).toEqual([]);
});

it.each([
	[100, [100]],
	[600, [200, 200, 200]],
	[2000, [500, 500, 500, 500]],
])(
	'%i keys are claimed in inline workflows of %j, because each costs n8n as much as a dozen nodes',
	async (count, sizes) => {
		const [before, after] = [inlineNode('b', 'before', '', 1), inlineNode('a', 'after', '', 1)];
		await claim({ keys: keysOf(count), before: { node: before, items: [{ json: {} }] }, after }, 'payouts', 'shared');
		const claims = n8n.ran.map(({ nodes }) => nodes.filter(({ type }) => type.endsWith('.removeDuplicates')).length);
		expect(claims.filter((length) => length > 0)).toEqual([...sizes, ...sizes]);
		// The log rows are written before all claims, and marked after them.
		const others = n8n.ran.map(({ id, nodes }) =>
			nodes.flatMap(({ name }) => (['before', 'after'].includes(name) ? [`${id} ${name}`] : [])),
		);
		expect([others[0], others.at(-1), others.flat().length]).toEqual([['payouts before'], ['shared after'], 2]);
	},
);

describe('An inline workflow', () => {
	const claims = [a, b].map((key, index) => claimNode(key, String(index)));
	const workflow = inlineWorkflow('w', 'Claim', [...claims, replyNode(claims)]);

	it('has a node for each key, which differs only in its ID', () => {
		const [one, other] = claims;
		expect([one?.id, other?.id]).toEqual([a, b]);
		expect(one?.parameters).toEqual(other?.parameters);
		expect(releaseNode(a, '0').id).toBe(a);
	});

	it('saves no execution, and can only be called by workflows of the same owner', () => {
		expect(workflow.settings).toEqual({
			executionOrder: 'v1',
			saveDataErrorExecution: 'none',
			saveDataSuccessExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
			executionTimeout: -1,
			callerPolicy: 'workflowsFromSameOwner',
		});
	});
});
