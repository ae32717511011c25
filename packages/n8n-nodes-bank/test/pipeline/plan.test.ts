/** Turns items into validated jobs and reports all issues with their items. Sends nothing. */
import { InputError, ListBudget, type Operation, type OperationInput } from '@bank/core';

import type { OperationHooks } from '../../nodes/shared/form/operationHooks.ts';
import { isInvalid, plan, type Planned, type InvalidJob, mergeFailures } from '../../nodes/shared/pipeline/plan.ts';
import { Parameters } from '../../nodes/shared/form/parameters.ts';
import { requestLimitsOf, concurrencyOf } from '../../nodes/shared/pipeline/settings.ts';
import { contextOf, type ContextOptions, list, make, result, runOf, Wire } from './support.ts';

const wire = new Wire();
afterEach(() => expect(wire.asked).toEqual([]));

const planOf = async (operation: Operation, options: ContextOptions = {}, form: OperationHooks = {}) =>
	await plan(runOf(operation, { wire, ...options }), form);
/** Jobs of `make` with the fields of each item. */
const ofItems = async (items: object[], form: OperationHooks = {}, operation: Operation = make) =>
	await planOf(
		operation,
		{
			// An added field needs a value.
			items: items.map((item) => ({ count: 1, ...item })),
			parameters: {
				kind: '={{ $json.kind }}',
				name: '={{ $json.name }}',
				additionalFields: { count: '={{ $json.count }}' },
				options: { askAgain: '={{ $json.again }}' },
				preview: '={{ $json.preview }}',
			},
		},
		form,
	);
const passed = (one: Planned | InvalidJob | undefined): Planned => {
	if (one === undefined || isInvalid(one)) throw one?.failure ?? new Error('there is no such job');
	return one;
};
const faultsIn = (one: Planned | InvalidJob | undefined) =>
	one !== undefined && isInvalid(one) && one.failure instanceof InputError
		? one.failure.issues.map(({ path, item }) => [path, item])
		: undefined;

describe('a job', () => {
	it('is made of each item, in their order, with its request', async () => {
		const planned = await ofItems([
			{ kind: 'a', name: 'x' },
			{ kind: 'b', name: 'y', count: '2' },
		]);
		expect(planned.map(passed)).toMatchObject([
			{
				job: { items: [0] },
				position: 0,
				prepared: { method: 'POST', url: '/things/a', body: '{"name":"x","count":1}' },
			},
			{ job: { items: [1] }, position: 1, prepared: { url: '/things/b', body: '{"name":"y","count":2}' } },
		]);
	});

	it('is made by the form, where that makes its own: of several items, and read by nobody else', async () => {
		const jobs = [
			{ items: [0, 1], input: { path: { kind: 'a' }, body: { name: 'x' } } },
			{ items: [2], input: { path: { kind: 'b' }, body: { name: 'y' } } },
		];
		const planned = await ofItems([{}, {}, {}], { jobs: () => jobs });
		expect(planned.map((one) => passed(one).job)).toEqual(jobs);
	});

	it('has the input that the form reads, where it reads its own', async () => {
		const read = (_run: unknown, item: number): OperationInput => ({
			path: { kind: String(item) },
			body: { name: 'x' },
		});
		const planned = await ofItems([{}, {}], { read });
		expect(planned.map((one) => passed(one).prepared.url)).toEqual(['/things/0', '/things/1']);
	});

	it('says of an expression that fails only that: what else is wrong may follow from it', async () => {
		const name = (_json: object, item: number) => (item === 0 ? 'x' : undefined);
		const timeout = (_json: object, item: number) => {
			if (item === 0) return 60;
			throw new Error('The expression failed');
		};
		const [, refused] = await planOf(make, { items: [{}, {}], parameters: { kind: 'a', name, options: { timeout } } });
		expect(refused).toMatchObject({ failure: { message: 'The expression failed' } });
	});

	it('is none where an expression names no workflow to share duplicate protection with, also in a preview', async () => {
		const parameters = { kind: 'a', name: 'x', preview: true, options: { shareProtectionWith: '={{ $json.none }}' } };
		const [refused] = await planOf(make, { parameters }, { preview: true });
		expect(faultsIn(refused)).toEqual([['shareProtectionWith', 0]]);
	});

	it.each([
		['a', 'b'],
		['a', ''],
	])('is none where items name different workflows to share it with: %j, %j', async (...workflows) => {
		const parameters = { kind: 'a', name: 'x', options: { shareProtectionWith: '={{ $json.workflow }}' } };
		const [refused] = await planOf(make, { parameters, items: workflows.map((workflow) => ({ workflow })) });
		expect(faultsIn(refused)).toEqual([['shareProtectionWith', 1]]);
	});

	it('keeps its position, whatever becomes of those before it', async () => {
		const planned = await ofItems([{ kind: 'a' }, { kind: 'b', name: 'y' }, {}, { kind: 'c', name: 'z' }]);
		expect(planned.map(isInvalid)).toEqual([true, false, true, false]);
		expect([planned[1], planned[3]].map((one) => passed(one).position)).toEqual([1, 3]);
	});

	it('falls on the days of the time zone, and its lists go into the query as the user says', async () => {
		const parameters = { filters: { colours: ['red', 'blue'] }, limit: 1, options: { arrayFormat: 'brackets' } };
		const [one] = await planOf(list, { parameters, timezone: 'Asia/Tokyo' });
		expect(passed(one).prepared.url).toBe('/things?colours%5B%5D=red&colours%5B%5D=blue');
		expect(passed(one).preparing).toEqual({ timeZone: 'Asia/Tokyo', arrayFormat: 'brackets' });
	});

	it.each(['repeat', 'brackets', 'indices', 'comma', undefined, ''])(
		'has the list format that the form gives: %s',
		async (arrayFormat) => {
			const parameters = { filters: { colours: ['red', 'blue'] }, limit: 1, options: { arrayFormat } };
			const [one] = await planOf(list, { parameters });
			const isGiven = arrayFormat !== undefined && arrayFormat !== '';
			expect(passed(one).preparing).toStrictEqual({ timeZone: 'UTC', ...(isGiven ? { arrayFormat } : {}) });
			if (!isGiven) expect(passed(one).prepared.url).toBe('/things?colours=red&colours=blue');
		},
	);

	it.each(['pipes', 'Repeat', 'toString', 7])('is refused with a list format that is none: %s', async (arrayFormat) => {
		const parameters = { filters: { colours: ['red'] }, limit: 1, options: { arrayFormat } };
		expect(faultsIn((await planOf(list, { parameters }))[0])).toEqual([['arrayFormat', 0]]);
	});

	it('is a preview where the bank is to hear nothing of it', async () => {
		const [one] = await ofItems([{ kind: 'a', name: 'x', preview: false }], {}, { ...make, effect: 'none' });
		expect(passed(one).isPreview).toBe(true);
	});

	it('is a preview where its form has the switch, unless its item plainly says no: an expression may give nothing', async () => {
		const items = [true, 'true', 'yes', '', false, 'false', undefined].map((preview) => ({
			kind: 'a',
			name: 'x',
			preview,
		}));
		const isPreview = async (form: OperationHooks) => (await ofItems(items, form)).map((one) => passed(one).isPreview);
		expect(await isPreview({ preview: true })).toEqual([true, true, true, true, false, false, true]);
		expect(await isPreview({})).toEqual(items.map(() => false));
	});
});

describe('what is wrong', () => {
	it('is told for every field of every item at once, each at its item', async () => {
		const planned = await ofItems([
			{ name: 'x', count: 'many' },
			{ kind: 'b', name: 'y' },
			{ kind: 'c', count: { a: 1 } },
		]);
		expect(planned.map(faultsIn)).toEqual([
			[
				['kind', 0],
				['count', 0],
			],
			undefined,
			[
				['count', 2],
				['name', 2],
			],
		]);
	});

	it('with the options of an item is told together with what is wrong with its fields', async () => {
		const [one] = await planOf(list, {
			parameters: { limit: 0, filters: { colours: 3, most: 'all' }, options: { pageSize: 'x', offset: 'y' } },
		});
		expect(faultsIn(one)).toEqual([
			['pageSize', 0],
			['limit', 0],
			['from', 0],
		]);
	});

	it('is told in the words of the form, where it has other ones', async () => {
		const locate = ({ message }: { message: string }) => ({ path: 'rows', message, item: 7 });
		const [one] = await ofItems([{}], { jobs: () => [{ items: [0], input: { body: {} }, locate }] });
		expect(faultsIn(one)).toEqual([
			['rows', 7],
			['rows', 7],
		]);
	});

	it('with all jobs of a form is told to all items', async () => {
		const refuse = () => {
			throw new InputError([{ path: 'rows', message: 'must be rows', item: 1 }]);
		};
		expect(await ofItems([{}, {}, {}], { jobs: refuse })).toMatchObject([
			{ job: { items: [0, 1, 2] }, failure: { issues: [{ path: 'rows', item: 1 }] } },
		]);
	});

	it('with one item when it is read keeps no other from being checked', async () => {
		const read = (_run: unknown, item: number): OperationInput => {
			if (item === 0) throw new InputError([{ path: 'file', message: 'is not there' }]);
			return { path: { kind: 'a' }, body: {} };
		};
		expect((await ofItems([{}, {}], { read })).map(faultsIn)).toEqual([[['file', 0]], [['name', 1]]]);
	});

	it('with an expression is told as it is, at its item', async () => {
		const name = (_json: unknown, item: number) => {
			if (item === 1) throw new Error('Referenced node is not there');
			return 'x';
		};
		const planned = await planOf(make, { items: [{}, {}], parameters: { kind: 'a', name } });
		expect(planned.map(isInvalid)).toEqual([false, true]);
		expect(planned[1]).toMatchObject({
			job: { items: [1] },
			failure: { name: 'NodeOperationError', message: 'Referenced node is not there', context: { itemIndex: 1 } },
		});
	});
});

describe('the reason why nothing is sent', () => {
	const reasonOf = async (items: object[]) => mergeFailures(await ofItems(items));

	it('is none where every job has passed', async () => {
		expect(await reasonOf([{ kind: 'a', name: 'x' }])).toBeUndefined();
		expect(mergeFailures([])).toBeUndefined();
	});

	it('is the faults of all jobs in one, at the first that has one', async () => {
		const reason = await reasonOf([{ kind: 'a', name: 'x' }, { kind: 'b' }, { name: 'z', count: 'many' }]);
		expect(reason?.job.items).toEqual([1]);
		expect(reason && faultsIn(reason)).toEqual([
			['name', 1],
			['kind', 2],
			['count', 2],
		]);
	});

	const expressionAt = (failing: number, name: unknown) =>
		planOf(make, {
			items: [{}, {}],
			parameters: {
				kind: 'a',
				name: (_json: unknown, item: number) => {
					if (item === failing) throw new Error('Referenced node is not there');
					return name;
				},
			},
		});

	it('is an expression that fails as it is, where that is all', async () => {
		expect(mergeFailures(await expressionAt(1, 'x'))).toMatchObject({
			job: { items: [1] },
			failure: { name: 'NodeOperationError', message: 'Referenced node is not there' },
		});
	});

	it.each([0, 1])('also names an expression that fails in item %i among faults of others', async (failing) => {
		const reason = mergeFailures(await expressionAt(failing, ''));
		expect(reason?.job.items).toEqual([0]);
		const faults = [
			{ path: 'name', message: 'is required', item: 1 - failing },
			{ path: '', message: 'Referenced node is not there', item: failing },
		];
		expect(reason?.failure).toMatchObject({ issues: failing === 1 ? faults : faults.toReversed() });
	});
});

describe('what the bank allows once', () => {
	const once: Operation = { ...make, oncePerPath: true };
	const items = [
		{ kind: 'a', name: 'x' },
		{ kind: 'b', name: 'x' },
		{ kind: 'a', name: 'y' },
		{ kind: 'a', name: 'z' },
	];

	it('is refused where it came before in the run, naming the first', async () => {
		const planned = await ofItems(items, {}, once);
		expect(planned.map(isInvalid)).toEqual([false, false, true, true]);
		for (const [index, item] of [
			[2, 2],
			[3, 3],
		] as const) {
			expect(planned[index]).toMatchObject({
				failure: {
					issues: [
						{
							path: 'kind',
							item,
							message: 'is the same as in item 0. Remove duplicates before this node',
						},
					],
				},
			});
		}
	});

	it('does not count what was refused for a fault of its own', async () => {
		const planned = await ofItems([{ kind: 'a' }, { kind: 'a', name: 'x' }], {}, once);
		expect(planned.map(isInvalid)).toEqual([true, false]);
	});

	it('is the only thing that may not be repeated', async () => {
		expect((await ofItems(items)).map(isInvalid)).toEqual([false, false, false, false]);
	});
});

describe('paging', () => {
	const pagingOf = async (parameters: Record<string, unknown>) =>
		passed((await planOf(list, { parameters }))[0]).paging;

	it('is up to the limit, or to the end', async () => {
		const kept = { budget: expect.any(ListBudget), mapRow: expect.any(Function) };
		expect(await pagingOf({ limit: '20' })).toEqual({ limit: 20, pageSize: 50, prefetch: 5, ...kept });
		expect(await pagingOf({ returnAll: true, limit: 'nothing' })).toEqual({ pageSize: 50, prefetch: 5, ...kept });
		expect(await pagingOf({ returnAll: () => undefined, options: { pageSize: '10', concurrency: 2 } })).toEqual({
			limit: 50,
			pageSize: 10,
			prefetch: 2,
			...kept,
		});
	});

	it.each([
		[1, 5],
		[2, 2],
		[5, 1],
		[9, 1],
	])(
		'of %i items at the same time has %i pages each under way, so that all keep to the limit',
		async (count, prefetch) => {
			const [one] = await planOf(list, {
				parameters: { returnAll: true },
				items: Array.from({ length: count }, () => ({})),
			});
			expect(passed(one).paging?.prefetch).toBe(prefetch);
		},
	);

	const row = { id: '1', name: 'a', of: { town: 'b' } };

	it.each<[string, object, object]>([
		['what most flows use, where nothing is said', {}, { id: 1 }],
		['what most flows use', { output: 'simple' }, { id: 1 }],
		['all of it', { output: 'raw' }, row],
		['what the item says that asked for it', { output: (_json: unknown, item: number) => ['raw'][item] }, row],
		['the selected fields, the simplified one first', { output: 'fields', fields: 'id, name' }, { id: 1, name: 'a' }],
		['selected fields from a list', { output: 'fields', fields: ['name'] }, { name: 'a' }],
		['selected fields at any depth', { output: 'fields', fields: 'of.town' }, { 'of.town': 'b' }],
		[
			'a place for a selected field that it has not',
			{ output: 'fields', fields: 'a.b,toString' },
			{ 'a.b': null, toString: null },
		],
	])('keeps of each row %s', async (_kind, parameters, kept) => {
		const paging = await pagingOf({ limit: 1, ...parameters });
		expect(paging?.mapRow(row)).toEqual(kept);
	});

	it('keeps every row whole for a form that makes the items of its own', async () => {
		const [one] = await planOf(list, { parameters: { limit: 1 } }, { output: () => [] });
		expect(passed(one).paging?.mapRow(row)).toEqual(row);
	});

	it('begins where the user says, as the first page is asked for', async () => {
		const [one] = await planOf(list, { parameters: { limit: 5, options: { offset: 40 } } });
		expect(passed(one).prepared.input.query).toEqual({ from: 40 });
	});

	it.each([
		['limit', { limit: 0 }],
		['limit', { limit: '' }],
		['limit', { limit: 1.5 }],
		['pageSize', { limit: 1, options: { pageSize: 0 } }],
		['pageSize', { returnAll: true, options: { pageSize: 'many' } }],
		['from', { limit: 1, options: { offset: 'there' } }],
		['output', { limit: 1, output: () => undefined }],
		['output', { limit: 1, output: 'all' }],
		['fields', { limit: 1, output: 'fields', fields: ' , ' }],
	])('with a %s that is none is refused: %j', async (path, parameters) => {
		expect(faultsIn((await planOf(list, { parameters }))[0])).toEqual([[path, 0]]);
	});

	it('is for lists only', async () => {
		const [one] = await planOf(make, { parameters: { kind: 'a', name: 'x', limit: 0, options: { offset: 3 } } });
		expect(passed(one).paging).toBeUndefined();
		expect(passed(one).prepared.input.query).toEqual({});
	});
});

describe('waiting', () => {
	const waitingOf = async (parameters: Record<string, unknown>) =>
		(await planOf(result, { parameters: { kind: 'a', ...parameters } }))[0];

	it.each([
		[{}, { intervalSeconds: 10, timeoutSeconds: 600 }],
		[{ options: { waitEvery: '1', waitAtMost: 2 } }, { intervalSeconds: 1, timeoutSeconds: 2 }],
	])('with %j is done so: %j', async (parameters, waiting) => {
		expect(passed(await waitingOf({ waitForResult: true, ...parameters })).waiting).toEqual(waiting);
	});

	it('is not done unless it is switched on, nor where there is nothing to wait for', async () => {
		for (const waitForResult of [false, undefined, () => '', () => null])
			expect(passed(await waitingOf({ waitForResult })).waiting).toBeUndefined();
		const [one] = await planOf(make, { parameters: { kind: 'a', name: 'x', waitForResult: true } });
		expect(passed(one).waiting).toBeUndefined();
	});

	it.each(['often', '', 0, -1, {}])(
		'is not done every %j seconds, nor that long, told with other faults',
		async (seconds) => {
			const options = { waitEvery: seconds, waitAtMost: seconds };
			expect(faultsIn(await waitingOf({ kind: '', waitForResult: true, options }))).toEqual([
				['waitEvery', 0],
				['waitAtMost', 0],
				['kind', 0],
			]);
		},
	);
});

describe('a run', () => {
	const settings = (options: unknown, operation: Operation = list) => runOf(operation, { parameters: { options } });

	it.each([
		[undefined, 5],
		[3, 3],
		['2', 2],
		[2.9, 2],
		[0, 1],
		[-4, 1],
		['many', 1],
	])('with %j parallel requests reads %i at a time', (concurrency, expected) => {
		expect(concurrencyOf(settings(concurrency === undefined ? {} : { concurrency }))).toBe(expected);
	});

	it('does everything but reads one at a time, whatever the option says', () => {
		expect(concurrencyOf(settings({ concurrency: 20 }, make))).toBe(1);
	});

	it('gives an exchange a minute and 16 MB, or what the user says', () => {
		expect(requestLimitsOf({})).toEqual({ seconds: 60, bytes: 16 * 1024 * 1024 });
		expect(requestLimitsOf({ timeout: '7', largestAnswer: 1 })).toEqual({ seconds: 7, bytes: 1024 * 1024 });
	});

	it.each(['timeout', 'largestAnswer'])('refuses a %s that bounds nothing before anything is sent', async (option) => {
		for (const given of [-1, 0, '', 'x', NaN]) {
			const planned = await planOf(make, { parameters: { kind: 'a', name: 'x', options: { [option]: given } } });
			expect(planned.map(faultsIn)).toEqual([[[option, 0]]]);
		}
	});
});

describe('parameters', () => {
	const given = (value: unknown) => Parameters.ofItems(contextOf({ parameters: { field: () => value } }));

	it.each([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
		[undefined, false],
		[null, false],
		['', false],
		['yes', false],
		[1, false],
		[{}, false],
	])('%j is a yes: %s, also where yes is what the form begins with', (value, expected) => {
		for (const fallback of [false, true]) expect(given(value).flag('field', 0, fallback)).toBe(expected);
	});

	it('take the fallback where the field is hidden', () => {
		const parameters = Parameters.ofItems(contextOf());
		expect([parameters.flag('field', 0), parameters.flag('field', 0, true)]).toEqual([false, true]);
		expect([parameters.text('field', 0), parameters.text('field', 0, ' a ')]).toEqual(['', 'a']);
		expect(parameters.value('field', 0, 3)).toBe(3);
		expect(() => parameters.value('field', 0)).toThrow('Could not get parameter');
	});

	it('are text without the spaces around it, and no text where an expression gives nothing', () => {
		expect([' a b ', 7, null, undefined].map((value) => given(value).text('field', 0, 'x'))).toEqual([
			'a b',
			'7',
			'',
			'',
		]);
	});

	it('are groups of fields, and empty ones where an expression gives anything else', () => {
		expect(given({ a: 1 }).group('field', 0)).toEqual({ a: 1 });
		for (const other of [null, undefined, 'text', ['a'], 3]) expect(given(other).group('field', 0)).toEqual({});
	});
});
