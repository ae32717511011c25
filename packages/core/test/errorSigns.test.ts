/** Errors in responses with a success status: one recognizer for all operations, and the stricter one for payments. */
import { isBankFailure, operations, unconfirmedFieldIn, wordOf } from '../src/index.ts';
import { answered, detailsOf, failureOf, json } from './support/bank.ts';

const sent = operations.filter(({ effect }) => effect !== 'none');

/** Each says that the request was not carried out, for any service. */
const errors: readonly object[] = [
	{ statusCode: 500 },
	{ statusCode: '404' },
	{ httpStatus: 500 },
	{ httpCode: '400' },
	{ resultCode: -1 },
	{ resultCode: '17' },
	{ errcode: 40001 },
	{ errorCode: 'E-1' },
	{ code: 419 },
	{ code: 419, message: 'expired' },
	{ success: false },
	{ isSuccess: 'no' },
	{ ok: 0 },
	{ error: 'access_denied' },
	{ errors: ['declined'] },
	{ error: { code: 'E77', message: 'no' } },
	{ fault: 'declined' },
	{ exceptionMessage: 'declined' },
	{ errorInfo: { errorCode: '999', errorString: 'no' } },
];
/** If the requested result may be a state, these are data and not errors. */
const states: readonly object[] = [
	'rejected',
	'REJECTED',
	'Error',
	' ERROR ',
	'failed',
	'FAILURE',
	'Declined by bank',
	'denied',

	'ОТКАЗАНО',
	500,
	-1,
].flatMap((value) => [{ status: value }, { state: value }, { result: value }, { operationStatus: value }]);

test.each(sent.map((operation) => [operation.id, operation] as const))(
	'%s does not succeed with an error',
	async (_id, operation) => {
		const key = operation.list?.key ?? 'operations';
		const expected = operation.effect === 'read' ? 'nothingChanged' : 'unknown';
		const wrong: unknown[] = [];
		for (const body of [...errors, ...(operation.returnsState === true ? [] : states)]) {
			// A `code` next to a list is data, not the code of an error.
			const besideList = Object.hasOwn(body, 'code') ? [] : [{ ...body, [key]: [] }];
			// In the list that a read returns, a state may be that of a row.
			const inList = operation.effect === 'read' && states.includes(body) ? [] : [[body]];
			for (const whole of [body, { response: body }, ...inList, ...besideList]) {
				const end: unknown = await answered(operation, json(200, whole)).catch((error: unknown) => error);
				const { httpStatus = 0, outcome = 'success', code = '' } = isBankFailure(end) ? end.details : {};
				// The code of 7.1 says that nothing was done.
				const isListed = outcome === 'rejected' && code === 'access_denied';
				if (httpStatus !== 200 || (outcome !== expected && !isListed)) wrong.push([whole, httpStatus, outcome]);
			}
		}
		expect(wrong).toEqual([]);
	},
);

test('a state is data for operations that return one', async () => {
	const returning = sent.filter(({ returnsState }) => returnsState === true);
	expect(returning.map(({ id }) => id)).toEqual(
		[
			...['directDebit.getOffer', 'directDebit.getPaymentOrder', 'scoring.getFull', 'scoring.getShort'],
			...[
				'card.getResult',
				'printForm.getResult',
				'scan.getResults',
				'preApproved.search',
				'channelApplication.getResults',
			],
		].sort((a, b) => returning.findIndex(({ id }) => id === a) - returning.findIndex(({ id }) => id === b)),
	);
	for (const operation of returning)
		for (const body of states) expect(await answered(operation, json(200, body))).toMatchObject({ data: body });
});

/** Operations without a documented response: documented ones need their own fields. */
test.each([
	{ errorCode: 0, status: 'REJECTED' },
	{ error: null, errors: [], fault: '', success: true, state: 'failed' },
	{ errorInfo: { errorCode: 'SUCCESS', errorString: 'Запрос выполнен' } },
	{ statusCode: 200, resultCode: '000', code: 'OK' },
	{ status: 'NEW', id: 7 },
	{ status: 1 },
	{ result: 'В обработке' },
	{ error: 'none', errorCode: 'none', errorMessage: 'No errors' },
])('is not a sign of an error: %j', async (body) => {
	for (const operation of sent.filter(({ response, effect }) => response === undefined && effect !== 'money'))
		expect(await answered(operation, json(200, body))).toMatchObject({ data: body });
});

test.each(['file.getMany', 'accountOperation.getMany', 'preApproved.search'])(
	'rows of a read are data: %s',
	async (id) => {
		for (const rows of [[{ id: '1', status: 'FAILED' }], [{ status: 'REJECTED', error: 'E1' }, { success: false }]])
			for (const body of id === 'accountOperation.getMany'
				? [{ operations: rows }]
				: [{ files: rows }, rows].slice(rows.length - 1))
				expect((await answered(id, json(200, body))).data).toEqual(body);
	},
);

test('an order without ID or with the state ERROR is no success (P4, P5)', async () => {
	const order = { id: 'r-1', date: '2026-03-31T09:00:00.000Z', type: { code: 'x', title: 'y' }, status: 'ENQUEUED' };
	for (const id of ['statement.orderAccount', 'statement.orderCredit']) {
		expect((await answered(id, json(200, order))).data).toEqual(order);
		for (const change of [{ status: 'ERROR' }, { id: undefined }, { id: null }, { id: ' ' }]) {
			const end = await failureOf(answered(id, json(200, { ...order, ...change })));
			expect([change, detailsOf(end).outcome]).toEqual([change, 'unknown']);
		}
	}
});

describe('a row or package in the response to a payment', () => {
	const good = {
		sequence: '1',
		transactionId: 'tx-1',
		amount: 10,
		feeAmount: 0,
		phone: '79000000001',
		createDate: '2026-01-31',
	};
	const places: Readonly<Record<string, (field: object) => object>> = {
		own: (field) => ({ ...good, ...field }),
		nested: (field) => ({ ...good, result: field }),
		deeper: (field) => ({ ...good, data: { details: [{ ...field }] } }),
	};
	const flags = [
		'accepted',
		'executed',
		'success',
		'ok',
		'isAccepted',
		'processed',
		'completed',
		'approved',
		'confirmed',
		'paid',
	];
	const signs: Readonly<Record<string, readonly unknown[]>> = {
		...Object.fromEntries(flags.map((flag) => [flag, [false, 'false', 'no', 0, 'N']])),
		...Object.fromEntries(
			[
				'rejectReason',
				'declineReason',
				'failure',
				'failureReason',
				'refusalReason',
				'error',
				'errorText',
				'cancelReason',
			].map((name) => [name, ['LIMIT', 'Превышен лимит', { code: 'E1' }, ['LIMIT'], 7]]),
		),
		...Object.fromEntries(
			['rejected', 'declined', 'isFailed', 'blocked', 'cancelled', 'reversed'].map((name) => [name, [true, 'yes', 1]]),
		),
		...Object.fromEntries(
			['message', 'text', 'description', 'reason', 'statusText', 'resultMessage', 'warning'].map((name) => [
				name,
				['Package rejected', 'Payment declined', 'Отказано', 'Insufficient funds', 'Limit exceeded'],
			]),
		),
		...Object.fromEntries(
			['code', 'errorCode', 'resultCode', 'statusCode', 'returnCode', 'reasonCode', 'paymentStatusCode'].map((name) => [
				name,
				['E17', 17, -1, '500', 'REJECTED', 'PENDING'],
			]),
		),
		httpStatus: [500, 404, '400'],
		httpCode: [500, '422'],
		...Object.fromEntries(
			['status', 'state', 'result', 'paymentStatus', 'operation_state', 'packageStatus', 'outcome'].map((name) => [
				name,
				['REJECTED', 'Package rejected', 'PENDING', 'HOLD', 'Отказано', 'NEW', 0, 2, false, 'unknown'],
			]),
		),
	};
	const cases = Object.entries(signs).flatMap(([field, values]) =>
		values.flatMap((value) =>
			Object.entries(places).map(([place, put]) => ({ field, value, place, body: put({ [field]: value }) })),
		),
	);

	test('that says no in any of the listed ways is an objection', () => {
		expect(cases.length).toBeGreaterThan(194);
		const accepted = cases.filter(({ body }) => unconfirmedFieldIn(body) === undefined);
		expect(accepted.map(({ field, value, place }) => [field, value, place])).toEqual([]);
	});

	test('that confirms the payment is no objection', () => {
		const values = {
			status: ['ACCEPTED', 'ok', 'Success', 'DONE', ' processed ', null, '', true, 'created'],
			resultCode: [0, '0', '000', 200, 'OK', 'SUCCESS', 'none'],
			error: [null, '', [], {}, false, 'none', 0],
			rejected: [false, 'no', 0],
			message: ['OK', 'Success', 'accepted', null],
			success: [true, 'true', 1],
			nameCheck: [false, true],
		};
		for (const [field, given] of Object.entries(values))
			for (const value of given)
				expect([field, value, unconfirmedFieldIn({ ...good, [field]: value })]).toEqual([field, value, undefined]);
	});

	test('may have values that the user lists, and those that were sent', () => {
		const row = { ...good, status: 'In Queue', description: 'Salary' };
		expect(unconfirmedFieldIn(row)).toBe('status');
		expect(unconfirmedFieldIn(row, new Set([wordOf('IN_QUEUE')]))).toBe('description');
		expect(unconfirmedFieldIn(row, new Set([wordOf('in-queue')]), new Set(['Salary']))).toBeUndefined();
	});
});
