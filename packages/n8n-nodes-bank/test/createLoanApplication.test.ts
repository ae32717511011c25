/** P3: blocks picked in the form, filled from arrays, JSON or rows, or the whole application as JSON. */
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

/** As the form holds it when lists are typed in row by row; lists inside rows are JSON there. */
const asRows = (value: unknown, inRow = false): unknown => {
	if (Array.isArray(value))
		return typeof value[0] !== 'object'
			? value
			: inRow
				? JSON.stringify(value)
				: { rows: value.map((row) => asRows(row, true)) };
	if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : value;
	return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, asRows(field, inRow)]));
};
const asText = (value: unknown): unknown => {
	if (Array.isArray(value)) return typeof value[0] === 'object' ? JSON.stringify(value) : value;
	return typeof value !== 'object' || value === null
		? value
		: Object.fromEntries(Object.entries(value).map(([key, field]) => [key, asText(field)]));
};
const asExpressions = (value: unknown): unknown => {
	if (Array.isArray(value)) return typeof value[0] === 'object' ? () => value : value;
	return typeof value !== 'object' || value === null
		? value
		: Object.fromEntries(Object.entries(value).map(([key, field]) => [key, asExpressions(field)]));
};

describe('each block', () => {
	it('is in the sample, so that the tests below leave none out', () => {
		expect(blocks).toHaveLength(14);
		expect(Object.keys(whole)).toEqual(expect.arrayContaining(blocks));
	});

	describe.each(blocks)('%s', (block) => {
		it.each([
			['arrays of expressions', 'arrays', asExpressions],
			['JSON text', 'arrays', asText],
			['rows', 'rows', asRows],
		])('is sent whole when it is filled from %s', async (_name, listSource, form) => {
			const output = await create({ blocks: [block], listSource, [block]: form(whole[block]) });
			expect(sent()).toEqual({ dealId, borrower, partner: { [block]: whole[block] } });
			expect(output).toEqual([{ json: { dealId }, pairedItem: { item: 0 } }]);
		});

		it('is not sent when it is not picked', async () => {
			await create({ blocks: [], [block]: asText(whole[block]) });
			expect(partnerSent()).toEqual({});
		});
	});

	it('is sent together with the others', async () => {
		await create({
			blocks,
			...Object.fromEntries(blocks.map((block) => [block, asText(whole[block])])),
			additionalFields: { numberOfInteractionDays: '400', startDateOfInteraction: '2024-01-31T00:00:00' },
		});
		expect(partnerSent()).toEqual({
			...Object.fromEntries(blocks.map((block) => [block, whole[block]])),
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
		['legal', '770000000001', 'borrower.legal.legalInfo.inn must have 10 digits, got 12'],
		['individual', '7700000000', 'borrower.individual.legalInfo.inn must have 12 digits, got 10'],
		['legal', '', 'borrower.legal.legalInfo.inn is required. To send no borrower, choose Not Given'],
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
			listSource: 'rows',
			feeList: sums,
			profitTax: { incomes: { rows: [{ sum: '', date: '' }] } },
			delay: {},
		});
		expect(partnerSent()).toEqual({ feeList: [{ sum: 10.5, date: '2026-01-31' }] });
	});

	it('are counted as the user sees them when one is wrong', async () => {
		const feeList = { rows: [{}, { sum: '1 000,5' }, { sum: '1', date: '2026-02-30' }] };
		const refusal = await refusalOf(create({ blocks: ['feeList'], listSource: 'rows', feeList }));
		expect(refusal.description).toContain('partner.feeList[1].sum must be written with a point');
		expect(refusal.description).toContain('partner.feeList[2].date is not a day of the calendar');
		expect(bank().seen).toEqual([]);
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
			'partner.sellerQuality.sellerRatings must be a list, got an object',
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
