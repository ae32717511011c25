/** What a response means according to the service details: only listed values at named places, for all operations. */
import {
	call,
	detailsSchema,
	isBankFailure,
	isFinal,
	type Operation,
	operations,
	parseServiceDetails,
	verdictOf,
	verdictsOf,
} from '../src/index.ts';
import type { ResponseDetails } from '../src/serviceDetails/details.ts';
import { answered, bankThat, detailsOf, failureOf, json, prepared, words } from './support/bank.ts';

/** All operations whose service details have `responses`. */
const open = operations.filter((operation) => Object.hasOwn(detailsSchema(operation).entries, 'responses'));
const withResponses = (operation: Operation, responses: ResponseDetails): Operation => ({
	...operation,
	details: parseServiceDetails({ [operation.id]: { responses } })[operation.id] ?? {},
});

const condition = (value: string) => ({ field: 'state', values: [value] });
/** Every verdict of the operation is listed with its own name as the value. */
const listed = (operation: Operation): ResponseDetails =>
	Object.fromEntries([
		...verdictsOf(operation).names.map((name) => [name, condition(`V_${name}`)]),
		...(operation.asynchronous === true ? [['notReady', condition('BUSY')]] : []),
	]) as ResponseDetails;

/** Responses that list no value at the place. */
const odd: readonly unknown[] = [
	...[
		'REJECTED',
		'ERROR',
		'PENDING',
		'QUEUED',
		'ОТКАЗАНО',
		'V_yes2',
		'not V_yes',
		'V yes',
		'',
		' ',
		0,
		1,
		true,
		false,
	].map((state) => ({
		state,
	})),
	...[null, [], {}, ['V_yes'], { code: 'V_yes' }, [['V_green']]].map((state) => ({ state })),
	{},
	[],
	null,
	undefined,
	'V_yes',
	7,
	{ State: 'V_yes' },
	{ data: { state: 'V_green' } },
	{ previousState: 'V_green', state: null },
	{ company: 'V_green' },
	[{ state: 'V_yes' }],
];

describe.each(open.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
	const { names } = verdictsOf(operation);
	const complete = withResponses(operation, listed(operation));

	test('returns the verdict of listed values, in any case and with outer spaces', () => {
		for (const name of names)
			for (const state of [`V_${name}`, `v_${name}`, ` V_${name.toUpperCase()}\n`])
				expect(verdictOf(complete, { data: { state }, status: 200 })).toBe(name);
	});

	test('is unclear for everything else, and never final', () => {
		for (const data of odd) {
			expect([data, verdictOf(complete, { data, status: 200 })]).toEqual([data, 'unclear']);
			expect([data, isFinal(complete, { data, status: 200 })]).toEqual([data, false]);
		}
		const file = { data: undefined, status: 200, file: {} };
		expect(verdictOf(complete, file)).toBe('unclear');
	});

	test('is never a yes with one list alone', () => {
		for (const name of names.filter((one) => one !== 'yes')) {
			const alone = withResponses(operation, { [name]: condition('V_no') });
			for (const data of [...odd, { state: 'V_yes' }, { state: 'APPROVED' }])
				expect([data, verdictOf(alone, { data, status: 200 })]).toEqual([data, 'unclear']);
		}
	});

	test('is never final with status 202', () => {
		if (operation.effect !== 'read') return expect(complete.effect).not.toBe('read');
		for (const name of names.filter((one) => one !== 'no')) {
			const received = { data: { state: `V_${name}` }, status: 202 };
			expect(['unclear', 'notReady']).toContain(verdictOf(complete, received));
			expect(isFinal(complete, received)).toBe(false);
		}
	});

	test('is undefined without service details', () => {
		for (const data of [...odd, { state: 'V_yes', category: 'green' }, 'green', { score: 0.4, scoreCategory: 'RED' }])
			expect(verdictOf(operation, { data, status: 200 })).toBeUndefined();
	});
});

describe('an operation that is not a read', () => {
	test.each(open.filter(({ effect }) => effect !== 'read').map((operation) => [operation.id, operation] as const))(
		'%s fails with a no, and a debit also without a yes',
		async (_id, operation) => {
			const complete = withResponses(operation, listed(operation));
			const isMoney = operation.effect === 'money';
			expect(detailsOf(await failureOf(answered(complete, json(200, { state: 'v_NO ' })))).outcome).toBe(
				isMoney ? 'unknown' : 'rejected',
			);
			expect((await answered(complete, json(200, { state: 'V_YES', id: 1 }))).data).toEqual({ state: 'V_YES', id: 1 });
			for (const state of ['NEW', 'OK', 'V_other']) {
				const end: unknown = await answered(complete, json(200, { state, id: 1 })).catch((error: unknown) => error);
				expect([state, isBankFailure(end) ? end.details.outcome : 'success']).toEqual([
					state,
					isMoney ? 'unknown' : 'success',
				]);
			}
		},
	);
});

describe('a condition', () => {
	const scoring = operations.find(({ id }) => id === 'scoring.getShort') as Operation;
	const verdict = (responses: ResponseDetails, data: unknown, headers: Record<string, string> = {}) =>
		verdictOf(withResponses(scoring, responses), { data, status: 200, headers });

	test.each<[string, ResponseDetails, unknown, string]>([
		['a number as text', { ready: { field: 'n', values: [1] } }, { n: '1' }, 'ready'],
		['another number', { ready: { field: 'n', values: [1] } }, { n: 2 }, 'unclear'],
		['any value', { ready: { field: 'result' } }, { result: 0 }, 'ready'],
		['no value', { ready: { field: 'result' } }, { result: ' ' }, 'unclear'],
		['all but some', { yes: { field: 's', not: ['NEW', 'BUSY'] } }, { s: 'DONE' }, 'yes'],
		['one of those', { yes: { field: 's', not: ['NEW', 'BUSY'] } }, { s: ' busy' }, 'unclear'],
		['a missing field', { yes: { field: 's', not: ['NEW', 'BUSY'] } }, {}, 'unclear'],
		['a range', { yes: { field: 'score', min: 0.5, max: 1 } }, { score: '0.5' }, 'yes'],
		['a number below it', { yes: { field: 'score', min: 0.5 } }, { score: 0.49 }, 'unclear'],
		['a number above it', { yes: { field: 'score', max: 0.5 } }, { score: 0.51 }, 'unclear'],
		['no number', { yes: { field: 'score', max: 0.5 } }, { score: 'low' }, 'unclear'],
		['an empty text in a range', { yes: { field: 'score', max: 0.5 } }, { score: '' }, 'unclear'],
		[
			'all elements of a list',
			{ yes: { field: '[*].state', values: ['OK'] } },
			[{ state: 'OK' }, { state: 'ok' }],
			'yes',
		],
		[
			'not all of them',
			{ yes: { field: '[*].state', values: ['OK'] } },
			[{ state: 'OK' }, { state: 'BAD' }],
			'unclear',
		],
		['not all have the field', { yes: { field: '[*].state', values: ['OK'] } }, [{ state: 'OK' }, {}], 'unclear'],
		[
			'one no in a list',
			{ no: { field: 'cards[*].state', values: ['BAD'] } },
			{ cards: [{ state: 'OK' }, { state: 'BAD' }] },
			'no',
		],
		[
			'a yes and a no',
			{ yes: { field: 'a', values: ['Y'] }, no: { field: 'b', values: ['N'] } },
			{ a: 'Y', b: 'N' },
			'no',
		],
		[
			'a yes that is not ready',
			{ yes: { field: 'a' }, notReady: { field: 's', values: ['BUSY'] } },
			{ a: 'Y', s: 'BUSY' },
			'notReady',
		],
		['ready, but neither yes nor no', { yes: { field: 'a' }, ready: { field: 's' } }, { s: 'DONE' }, 'unclear'],
	])('with %s', (_what, responses, data, expected) => {
		expect(verdict(responses, data)).toBe(expected);
	});

	test('on a header', () => {
		const responses: ResponseDetails = { yes: { header: 'X-State', values: ['done'] } };
		expect(verdict(responses, {}, { 'x-state': 'DONE' })).toBe('yes');
		expect(verdict(responses, { 'X-State': 'done' })).toBe('unclear');
	});
});

describe('the entry score', () => {
	const score = operations.filter(({ id }) => id.startsWith('entryScore.'));
	test.each(score.map((operation) => [operation.id, operation] as const))(
		'%s refuses a contradiction and another company',
		async (id, operation) => {
			const details = {
				names: { taxNumber: 'inn' },
				responses: { green: { field: 'category', values: ['GREEN'] } },
			};
			const complete: Operation = {
				...operation,
				details: parseServiceDetails({ [operation.id]: details })[operation.id],
			};
			for (const beside of [{ success: false }, { errorCode: 17 }, { statusCode: 500 }, { error: 'down' }])
				expect(
					detailsOf(await failureOf(answered(complete, json(200, { category: 'GREEN', ...beside })))).httpStatus,
				).toBe(200);
			expect(verdictOf(complete, await answered(complete, json(200, { category: 'green ' })))).toBe('green');
			const taxNumber = '7'.repeat(id.endsWith('Company') ? 10 : 12);
			const request = prepared({ ...complete, method: 'POST' }, { unnamedFields: { taxNumber } });
			const of = async (body: object) =>
				await call(complete, request, bankThat(json(200, { category: 'GREEN', ...body })).send);
			for (const field of ['inn', 'taxNumber']) {
				expect((await of({ [field]: taxNumber })).data).toMatchObject({ category: 'GREEN' });
				expect(detailsOf(await failureOf(of({ [field]: `${taxNumber.slice(1)}0` }))).code).toBe('other_response');
			}
			expect(verdictOf(complete, await answered(complete, words(200, 'green')))).toBe('unclear');
		},
	);
});
