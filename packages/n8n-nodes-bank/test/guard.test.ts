/** Claims that outlive the run. What n8n itself does with the inline workflows is proved in the host's tests. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type IDataObject, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { Guard, type GuardOptions } from '../nodes/shared/guard/guard.ts';
import {
	type Answer,
	type Asking,
	claimingWorkflow,
	readAnswer,
	releasingWorkflow,
} from '../nodes/shared/guard/inlineWorkflow.ts';
import { FakeN8n } from './support/guard.ts';

const identity = (what: string | number) => createHash('sha256').update(String(what)).digest('hex');
const identities = (count: number, from = 0) => Array.from({ length: count }, (_, index) => identity(from + index));
const sorted = (...lists: string[][]) => lists.flat().sort();

let n8n: FakeN8n;

beforeEach(() => {
	n8n = new FakeN8n();
});

const guard = (workflow = 'payouts', options: GuardOptions = {}) =>
	new Guard(n8n.in(workflow), { pause: n8n.pause, ...options });
/** The identities that are claimed, of one workflow. */
const claimed = (workflow = 'payouts') =>
	[...n8n.rows].map((row) => row.split(' ')).flatMap(([id, node = '']) => (id === workflow ? [node] : []));

async function failureOf(work: Promise<unknown>): Promise<NodeOperationError> {
	const failure = await work.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!(failure instanceof NodeOperationError)) throw new Error('It was expected to fail', { cause: failure });
	return failure;
}

describe('a claim', () => {
	it('is the caller’s where nobody had it, and taken from then on', async () => {
		expect(await guard().claim([identity('a')])).toEqual({ taken: [] });
		expect(await guard().claim([identity('a')])).toEqual({ taken: [identity('a')] });
	});

	it('of another workflow is another', async () => {
		await guard('payouts').claim([identity('a')]);
		expect(await guard('copy').claim([identity('a')])).toEqual({ taken: [] });
	});

	it('is the same for all workflows that name the same Guard Workflow', async () => {
		await guard('payouts', { workflowId: 'memory' }).claim([identity('a')]);
		expect(await guard('salaries', { workflowId: 'memory' }).claim([identity('a')])).toEqual({
			taken: [identity('a')],
		});
		expect(claimed('memory')).toEqual([identity('a')]);
	});

	it('can be made again after its release', async () => {
		await guard().claim(identities(3));
		await guard().release(identities(2));
		expect(await guard().claim(identities(2))).toEqual({ taken: [] });
		expect(await guard().claim(identities(3))).toEqual({ taken: sorted(identities(3)) });
	});

	it('of nothing asks n8n for nothing', async () => {
		expect(await guard().claim([])).toEqual({ taken: [] });
		await guard().release([]);
		expect(n8n.ran).toEqual([]);
	});

	it('of the same identity twice is one claim', async () => {
		expect(await guard().claim([identity('a'), identity('a')])).toEqual({ taken: [] });
		expect(claimed()).toEqual([identity('a')]);
		// Nor is it in its own way.
		expect(n8n.pauses).toEqual([]);
	});

	it.each(['Ivanov, +7 900 000-00-00', identity('a').toUpperCase(), ''])(
		'refuses %j, which is no digest',
		async (text) => {
			const failure = await failureOf(guard().claim([identity('a'), text]));
			expect(failure.message).toMatch(/^Nothing was sent/);
			expect(n8n.ran).toEqual([]);
		},
	);
});

describe('of a package in which some are taken', () => {
	it.each([
		['the first', 10, [0]],
		['the last', 10, [9]],
		['some', 10, [2, 5, 6]],
		['all', 10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
		['some of many', 1300, [3, 499, 500, 501, 1299]],
	])('nothing is claimed, and those are named: %s', async (_, count, places) => {
		const wanted = sorted(identities(count));
		const before = places.flatMap((place) => wanted[place] ?? []);
		await guard().claim(before);
		expect(await guard().claim(wanted)).toEqual({ taken: before });
		expect(claimed().sort()).toEqual(before);
	});

	it('the first alone decides whether the others are touched, until it has been asked for twice', async () => {
		const wanted = sorted(identities(100));
		await guard().claim(wanted.slice(0, 1));
		const watched: string[] = [];
		n8n.inserted = (each) => watched.push(each);
		let beforeThePause: number | undefined;
		await guard('payouts', { pause: async () => void (beforeThePause ??= watched.length) }).claim(wanted);
		expect(beforeThePause).toBe(0);
	});

	it('is asked for again after a while, and claimed where they were released meanwhile', async () => {
		await guard().claim(identities(1));
		const pause = async () => await guard().release(identities(1));
		expect(await guard('payouts', { pause }).claim(identities(3))).toEqual({ taken: [] });
		expect(claimed().sort()).toEqual(sorted(identities(3)));
	});

	it('names what is still taken, and not what was released meanwhile', async () => {
		const wanted = sorted(identities(3));
		await guard().claim(wanted.slice(1));
		const pause = async () => await guard().release(wanted.slice(1, 2));
		expect(await guard('payouts', { pause }).claim(wanted)).toEqual({ taken: wanted.slice(2) });
		expect(claimed()).toEqual(wanted.slice(2));
	});
});

describe('at the same moment', () => {
	it.each([1, 2, 30, 600])('20 callers with the same %i have one winner', async (count) => {
		const results = await Promise.all(
			Array.from({ length: 20 }, async (_, caller) =>
				// Each has them in an order of its own.
				guard().claim([...identities(count).slice(caller % count), ...identities(count).slice(0, caller % count)]),
			),
		);
		expect(results.filter(({ taken }) => taken.length === 0)).toHaveLength(1);
		expect(claimed().sort()).toEqual(sorted(identities(count)));
	});

	it('callers that overlap never both win, and what is claimed in the end is what the winners have', async () => {
		const packages = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1 }), { minLength: 2 });
		await fc.assert(
			fc.asyncProperty(packages, async (wanted) => {
				n8n = new FakeN8n();
				const results = await Promise.all(wanted.map((each) => guard().claim(each.map(identity))));
				const won = wanted.flatMap((each, index) => (results[index]?.taken.length === 0 ? each : []));
				expect(new Set(won).size).toBe(won.length);
				expect(claimed().sort()).toEqual(sorted(won.map(identity)));
			}),
			{ numRuns: 60 },
		);
	});

	it('of two that overlap, the one that is back first wins where they were in each other’s way', async () => {
		const places = fc.tuple(fc.nat(20), fc.nat(20));
		await fc.assert(
			fc.asyncProperty(places, async (starts) => {
				n8n = new FakeN8n();
				const claims = starts.map(async (from, caller) => {
					const pause = async () => {
						for (let left = caller * 50; left >= 0; left--) await n8n.pause(0);
					};
					return await guard('payouts', { pause }).claim(identities(25, from));
				});
				const results = await Promise.all(claims);
				expect(results.filter(({ taken }) => taken.length === 0)).toHaveLength(1);
			}),
			{ numRuns: 40 },
		);
	});

	it('they wait for times that differ', async () => {
		await guard().claim(identities(1));
		for (let call = 0; call < 10; call++) await guard().claim(identities(1));
		expect(new Set(n8n.pauses).size).toBeGreaterThan(1);
		expect(Math.min(...n8n.pauses)).toBeGreaterThanOrEqual(200);
	});

	it('they wait the longer the more they ask for, and never for long', async () => {
		await guard().claim(identities(1));
		for (const [count, least, most] of [
			[500, 2000, 5000],
			[5000, 8000, 16_000],
		] as const) {
			n8n.pauses.length = 0;
			await guard().claim(identities(count));
			expect(n8n.pauses.map((pause) => [pause >= least, pause <= most])).toEqual([[true, true]]);
		}
	});
});

describe('where n8n does not answer', () => {
	it('it is asked once more, after a moment', async () => {
		n8n.breakAfter.push(0);
		expect(await guard().claim(identities(3))).toEqual({ taken: [] });
		expect(n8n.ran).toHaveLength(2);
		expect(n8n.pauses).toEqual([500]);
	});

	it.each([1, 2, 3, 4, 5])('after %i nodes, nothing is called claimed and nothing taken', async (nodes) => {
		n8n.breakAfter.push(nodes);
		const work = guard().claim(identities(4));
		// Before the first identity has been claimed, asking again is as good as the first time.
		if (nodes === 1) expect(await work).toEqual({ taken: [] });
		else expect((await failureOf(work)).message).toMatch(/^Nothing was sent/);
	});

	it('twice, it is said what that means', async () => {
		n8n.breakAfter.push(2, 2);
		const failure = await failureOf(guard().claim(identities(4)));
		expect(failure.message).toBe('Nothing was sent, because it is not certain what was sent before');
		expect(failure.description).toMatch(
			/^Run it again.*see whether the bank has it.*Connection terminated unexpectedly$/,
		);
	});

	it('what is certainly this call’s is released', async () => {
		const wanted = sorted(identities(1300));
		// The first is claimed; of the three parts of the others, one does not answer, nor when it is asked again.
		n8n.breakAfter.push(undefined, undefined, 100, undefined, 100);
		await failureOf(guard().claim(wanted));
		const left = claimed();
		expect(left.length).toBeGreaterThan(0);
		expect(left.length).toBeLessThan(100);
		expect(left.filter((each) => wanted.indexOf(each) <= 433 || wanted.indexOf(each) > 866)).toEqual([]);
	});

	it('to a release either, it is asked once more, and then it is said that they are still claimed', async () => {
		await guard().claim(identities(2));
		n8n.breakAfter.push(1);
		await guard().release(identities(2));
		expect(claimed()).toEqual([]);
		n8n.breakAfter.push(1, 1);
		expect((await failureOf(guard().release(identities(2)))).message).toBe(
			'What was not sent goes on counting as sent',
		);
	});

	it('to one part of a release, all others are released', async () => {
		const [all, context] = [identities(2000), n8n.in('payouts')];
		await guard().claim(all);
		const executeWorkflow: typeof context.executeWorkflow = async (info, items) => {
			if (info.code?.nodes.some(({ id }) => id === all[0]) === true) throw new Error('Connection terminated');
			return await context.executeWorkflow(info, items);
		};
		await failureOf(new Guard({ ...context, executeWorkflow }, { pause: n8n.pause }).release(all));
		expect(claimed().sort()).toEqual(sorted(all.slice(0, 500)));
	});

	it('nothing of the node’s parameters is in the error', async () => {
		n8n.breakAfter.push(0, 0);
		expect((await failureOf(guard().claim(identities(1)))).node.parameters).toEqual({});
	});
});

describe('where n8n refuses', () => {
	it.each([
		['Unrecognized node type: n8n-nodes-base.removeDuplicates', /n8n-nodes-base\.removeDuplicates.*NODES_EXCLUDE/],
		['The sub-workflow (x) cannot be called by this workflow', /Guard Workflow belongs to another project/],
		['SQLITE_CONSTRAINT: FOREIGN KEY constraint failed', /does not exist/],
		[
			'insert or update on table "execution_entity" violates foreign key constraint "fk_execution_entity_workflow_id"',
			/does not exist/,
		],
	])('it is not asked again, and the way on is named: %s', async (said, advice) => {
		n8n.refusal = new Error(said);
		const failure = await failureOf(guard().claim(identities(1)));
		expect(failure.message).toMatch(/^Nothing was sent/);
		expect(failure.description).toMatch(advice);
		expect(n8n.ran).toHaveLength(1);
		expect(n8n.pauses).toEqual([]);
	});
});

describe('when the execution is stopped', () => {
	it('while it claims, everything is released', async () => {
		n8n.inserted = () => n8n.stop.abort();
		const failure = await failureOf(guard().claim(identities(1300)));
		expect(failure.description).toBe('The execution was stopped before anything was sent.');
		expect(claimed()).toEqual([]);
		// The first, which the others wait for.
		expect(n8n.asked).toBe(1);
	});
});

describe('what is asked of n8n', () => {
	const sizes = () => n8n.ran.map(({ nodes }) => nodes.filter(({ type }) => type.endsWith('.removeDuplicates')).length);

	it.each([
		[1, [1]],
		[100, [100]],
		[1000, [1, 333, 333, 333]],
		[2000, [1, 500, 500, 500, 499]],
	])(
		'for %i identities are inline workflows of %j, because each costs n8n as much as a dozen nodes',
		async (count, expected) => {
			await guard().claim(identities(count));
			expect(sizes()).toEqual(expected);
		},
	);
});

describe('the inline workflow', () => {
	const wanted = identities(3);
	const rules = (asking: Asking) => {
		const { nodes, connections } = claimingWorkflow('w', wanted, asking);
		return { nodes, from: (name: string) => connections[name]?.['main']?.[0]?.map(({ node }) => node) };
	};

	it('has a node for each identity, with the identity as its id', () => {
		for (const { nodes } of [claimingWorkflow('w', wanted, 'firstAlone'), releasingWorkflow('w', wanted)]) {
			const own = nodes.filter(({ type }) => type === 'n8n-nodes-base.removeDuplicates');
			expect(own.map(({ id }) => id)).toEqual(wanted);
			expect(new Set(own.map(({ parameters }) => JSON.stringify(parameters))).size).toBe(1);
			expect(own.map(({ typeVersion }) => typeVersion)).toEqual([2, 2, 2]);
		}
	});

	it('claims the first alone, then the others in their order, then answers', () => {
		const { from } = rules('firstAlone');
		expect(from('Start')).toEqual(['0']);
		expect(from('0')).toEqual(['1', '2', 'Answer']);
	});

	it('claims all in their order, then answers', () => {
		const { nodes, from } = rules('allAtOnce');
		expect(from('Start')).toEqual(['0', '1', '2', 'Answer']);
		const places = ['0', '1', '2', 'Answer'].map((name) => nodes.find((node) => node.name === name)?.position[1]);
		expect(places).toEqual([0, 1, 2, 3]);
	});

	it('needs no expression for one identity', () => {
		expect(JSON.stringify(claimingWorkflow('w', identities(1), 'firstAlone'))).not.toContain('={{');
	});

	it('belongs to the workflow that remembers, leaves no execution behind, and is open to the same project', () => {
		for (const { id, settings } of [claimingWorkflow('w', wanted, 'firstAlone'), releasingWorkflow('w', wanted)]) {
			expect(id).toBe('w');
			expect(settings).toEqual({
				executionOrder: 'v1',
				saveDataErrorExecution: 'none',
				saveDataSuccessExecution: 'none',
				saveManualExecutions: false,
				saveExecutionProgress: false,
				executionTimeout: -1,
				callerPolicy: 'workflowsFromSameOwner',
			});
		}
	});
});

describe('n8n’s answer', () => {
	const [a = '', b = '', c = ''] = identities(3);
	const item = (json: IDataObject = {}): INodeExecutionData => ({ json });
	const answer = (claims: string | number) => [[item({ claims })]];
	type Shapes = Array<[Asking, Array<INodeExecutionData[] | null>]>;

	it.each<[Asking, INodeExecutionData[][], Answer]>([
		['firstAlone', answer('11'), { fresh: [a, b, c], taken: [] }],
		['firstAlone', answer('01'), { fresh: [a, c], taken: [b] }],
		['firstAlone', [[], [item()]], { fresh: [], taken: [a] }],
		['allAtOnce', answer('010'), { fresh: [b], taken: [a, c] }],
	])('to %s is read: %j', (asking, data, expected) => {
		expect(readAnswer([a, b, c], asking, data)).toEqual(expected);
	});

	const unreadable: Shapes = [
		['firstAlone', []],
		['firstAlone', [[]]],
		['firstAlone', [null]],
		['firstAlone', [[item()], []]],
		['firstAlone', [[], [item(), item()]]],
		['firstAlone', answer('1')],
		['firstAlone', answer('111')],
		['firstAlone', answer('1x')],
		['firstAlone', answer('12')],
		['firstAlone', answer(11)],
		['allAtOnce', answer('11')],
		['allAtOnce', [[], [item()]]],
	];

	it.each(unreadable)('to %s of another shape is none: %j', (asking, data) => {
		expect(readAnswer([a, b, c], asking, data)).toBeUndefined();
	});

	it('that cannot be read is not asked for again, since the first run may have claimed', async () => {
		const context = { ...n8n.in('w'), executeWorkflow: async () => ({ executionId: '1', data: [[{ json: {} }]] }) };
		const failure = await failureOf(new Guard(context, { pause: n8n.pause }).claim([a]));
		expect(failure.message).toMatch(/^Nothing was sent/);
		expect(n8n.pauses).toEqual([]);
	});
});
