/** P3: blocks picked in the form, whose lists are tables of rows and arrays, or the whole application as JSON. */
import { operationById, unwrap } from '@bank/core';
import { type GenericSchema } from 'valibot';

import sample from '../../fixtures/samples/loanApplication/create.json';
import { jsonOf, refusalOf, run, useBank } from './support/bank.ts';

const bank = useBank();
const dealId = '123e4567-e89b-42d3-a456-426614174000';
const legal = { dealId, inn: '7700000000' };
const borrower = { legal: { legalInfo: { inn: '7700000000' } } };

beforeEach(() => {
	bank().answer = () => [200, { dealId }];
});
const create = (parameters: Record<string, unknown> = {}) => run('loanApplication.create', { ...legal, ...parameters });
const sent = () => {
	expect(bank().seen).toMatchObject([{ method: 'POST', path: '/api/loan-applications' }]);
	return bank().seen[0]?.body;
};
const partnerSent = () => (sent() as { partner: object }).partner;

/** Every block of the description with every one of its fields, from the sample that the description stands behind. */
const whole = (sample as { cases: { input: { body: { partner: Record<string, unknown> } } }[] }).cases
	.map(({ input }) => input.body.partner)
	.reduce((most, next) => (JSON.stringify(next).length > JSON.stringify(most).length ? next : most));
const partnerSchema = unwrap(operationById('loanApplication.create').body?.entries.partner as GenericSchema).schema;
const blocks = Object.entries(partnerSchema.entries ?? {})
	.filter(([, schema]) => ['strict_object', 'array'].includes(unwrap(schema).schema.type))
	.map(([name]) => name);

/** A value of the API as the form holds it, with each list of objects as `table` makes it. */
const inForm = (table: (list: unknown[]) => unknown) => {
	const convert = (value: unknown): unknown => {
		if (Array.isArray(value)) return typeof value[0] === 'object' ? table(value) : value;
		if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : value;
		return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, convert(field)]));
	};
	return convert;
};
const pick = (from: Record<string, unknown>, names: readonly string[]) =>
	Object.fromEntries(names.map((name) => [name, from[name]]));
const asRows = inForm((list) => ({ rows: list.map(asRows) }));
const asText = inForm((list) => ({ arrays: [{ array: JSON.stringify(list) }] }));
const asExpressions = inForm((list) => ({ arrays: [{ array: () => list }] }));
const asBoth = inForm(([first, ...others]) => ({
	rows: [asRows(first)],
	arrays: [{ array: '' }, { array: () => others }],
}));

describe('each block', () => {
	it('is in the sample, so that the tests below leave none out', () => {
		expect(blocks).toHaveLength(14);
		expect(Object.keys(whole)).toEqual(expect.arrayContaining(blocks));
	});

	it.each([
		['arrays of expressions', asExpressions],
		['JSON text', asText],
		['rows', asRows],
		['a first row and the others as an array', asBoth],
	])('is sent whole when it is filled from %s', async (_name, form) => {
		const filled = Object.fromEntries(blocks.map((block) => [block, form(whole[block])]));
		const output = await create({ blocks, ...filled });
		expect(sent()).toEqual({ dealId, borrower, partner: pick(whole, blocks) });
		expect(output).toEqual([{ json: { dealId }, pairedItem: { item: 0 } }]);
	});

	it('is not sent when it is not picked', async () => {
		const [picked = '', ...others] = blocks;
		await create({ blocks: [picked], ...(asText(whole) as object) });
		expect(partnerSent()).toEqual(pick(whole, [picked]));
		expect(others.length).toBeGreaterThan(0);
	});

	it('loses an expression in place of a whole table when n8n reads the workflow, which is why an array is a part of the table', async () => {
		await create({ blocks: ['feeList'], feeList: () => whole.feeList });
		expect(partnerSent()).toEqual({});
	});

	it('is left out where it was picked and nothing was added to it, or to its table', async () => {
		await create({ blocks: ['feeList', 'delay', 'profitTax'], feeList: {}, delay: {}, profitTax: { incomes: {} } });
		expect(partnerSent()).toEqual({});
	});

	it.each<[string, Record<string, unknown>]>([
		['a table that is an empty object', { feeList: { arrays: [{ array: '{}' }] } }],
		['an array by an expression that is an empty object', { feeList: { arrays: [{ array: () => ({}) }] } }],
		['a row that is empty', { feeList: { rows: [{}] } }],
		['a row of empty fields', { feeList: { rows: [{ sum: '', date: '' }] } }],
		['a table with neither', { profitTax: { incomes: { rows: [], arrays: [{ array: '' }] } } }],
		[
			'a table inside a row',
			{ vat: { counterparts: { rows: [{ quantity: '', purchases: { rows: [{}] }, sales: {} }] } } },
		],
		['a list in place of a block', { delay: [] }],
		['an object of empty fields in place of a list', { feeList: { sum: '', date: null } }],
	])('is nothing with %s', async (_what, parameters) => {
		await create({ blocks: Object.keys(parameters), ...parameters });
		expect(partnerSent()).toEqual({});
	});

	it('is sent together with what stands beside the blocks', async () => {
		await create({
			blocks: ['feeList'],
			feeList: asText(whole.feeList),
			additionalFields: { numberOfInteractionDays: '400', startDateOfInteraction: '2024-01-31T00:00:00' },
		});
		expect(partnerSent()).toEqual({
			feeList: whole.feeList,
			numberOfInteractionDays: 400,
			startDateOfInteraction: '2024-01-31',
		});
	});
});

describe('a borrower', () => {
	it.each([
		['legal', '7700000000', { legal: { legalInfo: { inn: '7700000000', contactPhone: '+7 900' } } }],
		['individual', '770000000001', { individual: { legalInfo: { inn: '770000000001', contactPhone: '+7 900' } } }],
		['none', undefined, {}],
	])('of the type %s is sent as the description says', async (borrowerType, inn, expected) => {
		await create({ borrowerType, inn, additionalFields: { contactPhone: '+7 900' } });
		expect(sent()).toEqual({ dealId, borrower: expected, partner: {} });
	});

	it.each([
		['legal', '770000000001', 'Tax Number (borrower.legal.legalInfo.inn) must have 10 digits, got 12'],
		['individual', '7700000000', 'Tax Number (borrower.individual.legalInfo.inn) must have 12 digits, got 10'],
		['legal', '', 'Tax Number (borrower.legal.legalInfo.inn) is required. To send no borrower, choose Not Given'],
	])('of the type %s with the tax number "%s" is refused', async (borrowerType, inn, message) => {
		expect((await refusalOf(create({ borrowerType, inn }))).message).toBe(`Item 0: ${message}`);
		expect(bank().seen).toEqual([]);
	});

	it('may have a number for a tax number', async () => {
		await create({ inn: 7700000000 });
		expect(sent()).toEqual({ dealId, borrower, partner: {} });
	});
});

describe('rows', () => {
	it('that are empty are left out, and with them a block that holds nothing else', async () => {
		const sums = { rows: [{ sum: '', date: '' }, { sum: '10.50', date: '2026-01-31' }, {}] };
		await create({
			blocks: ['feeList', 'profitTax', 'delay'],
			feeList: sums,
			profitTax: { incomes: { rows: [{ sum: '', date: '' }] } },
			delay: {},
		});
		expect(partnerSent()).toEqual({ feeList: [{ sum: 10.5, date: '2026-01-31' }] });
	});

	it('are counted as the user sees them when one is wrong', async () => {
		const feeList = { rows: [{}, { sum: '1,000' }, { sum: '1', date: '2026-02-30' }] };
		const refusal = await refusalOf(create({ blocks: ['feeList'], feeList }));
		expect(refusal.description).toContain('partner.feeList[1].sum must be written with a point');
		expect(refusal.description).toContain('partner.feeList[2].date is not a day of the calendar');
		expect(bank().seen).toEqual([]);
	});

	it('are counted on in the arrays behind them', async () => {
		const feeList = { rows: [{ sum: '1' }], arrays: [{ array: () => [{ sum: 2 }, { sum: 'x' }] }] };
		const refusal = await refusalOf(create({ blocks: ['feeList'], feeList }));
		expect(refusal.message).toContain('partner.feeList[2].sum must be a number');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['text', () => 'none', 'must be a list'],
		['one row', () => ({ sum: 1 }), 'must be a list, got an object'],
	])('must be in an array, not given as %s', async (_name, array, message) => {
		const refusal = await refusalOf(create({ blocks: ['feeList'], feeList: { arrays: [{ array }] } }));
		expect(refusal.message).toContain(`Fees (partner.feeList) ${message}`);
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['nothing', ''],
		['nothing by an expression', () => null],
		['an empty array', () => []],
	])('are none where the array is %s', async (_name, array) => {
		await create({ blocks: ['feeList'], feeList: { arrays: [{ array }] } });
		expect(partnerSent()).toEqual({});
	});

	it('may hold zero and false', async () => {
		await create({
			blocks: ['premiumAccount', 'calculationsInformation'],
			premiumAccount: { hasPremiumAccount: false },
			calculationsInformation: { currentInterestsSum: '0' },
		});
		expect(partnerSent()).toEqual({
			premiumAccount: { hasPremiumAccount: false },
			calculationsInformation: { currentInterestsSum: 0 },
		});
	});
});

describe('the whole application', () => {
	const json = (application: unknown) =>
		run('loanApplication.create', { inputMode: 'json', application: () => application });
	const body = { dealId, borrower, partner: { feeList: [{ sum: 1, date: '2026-01-31' }] } };

	it.each([
		['an object', body],
		['JSON', JSON.stringify(body)],
	])('may be %s', async (_name, application) => {
		expect(jsonOf(await json(application))).toEqual([{ dealId }]);
		expect(sent()).toEqual(body);
	});

	it.each([['[]'], ['{'], [''], [[]], [5], [null]])('must be an object, not %s', async (application) => {
		expect((await refusalOf(json(application))).message).toContain('application must be one JSON object');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		[{ borrower, partner: {} }, 'dealId is required'],
		[{ dealId: 'x', borrower, partner: {} }, 'dealId must be a UUID'],
		[{ dealId, partner: {} }, 'borrower'],
		[{ dealId, borrower, partner: {}, more: 1 }, 'more is not a field'],
		[
			{ dealId, borrower, partner: { vat: { counterparts: [{}, { sales: [{ sum: 'x' }] }] } } },
			'partner.vat.counterparts[1].sales[0].sum must be a number',
		],
		[
			{ dealId, borrower, partner: { transportedGoodsInfo: { deliveries: [{ volume: 1 }] } } },
			'partner.transportedGoodsInfo.deliveries[0].volume is not a field',
		],
		[
			{ dealId, borrower, partner: { sellerQuality: { sellerRatings: { rating: 5 } } } },
			'Ratings (partner.sellerQuality.sellerRatings) must be a list, got an object',
		],
		[
			{ dealId, borrower, partner: { delay: { loans: [{ duration: -1 }] } } },
			'partner.delay.loans[0].duration must not be negative',
		],
		[
			{ dealId, borrower, partner: { delay: { loans: [{ duration: 1.5 }] } } },
			'partner.delay.loans[0].duration must be a whole number',
		],
	])('%j names the path of its fault', async (application, message) => {
		expect((await refusalOf(json(application))).message).toContain(`Item 0: ${message}`);
		expect(bank().seen).toEqual([]);
	});
});
