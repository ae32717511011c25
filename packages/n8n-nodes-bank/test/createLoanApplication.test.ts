/** P3: fields for the borrower, and one JSON field for the seller's figures. */
import sample from '../../fixtures/samples/loanApplication/create.json';
import { jsonOf, refusalOf, run, useBank } from './support/bank.ts';

const bank = useBank();
const dealId = '123e4567-e89b-42d3-a456-426614174000';
const borrower = { legal: { legalInfo: { inn: '7700000000' } } };

beforeEach(() => {
	bank().answer = () => [200, { dealId }];
});
const create = (parameters: Record<string, unknown> = {}) =>
	run('loanApplication.create', { dealId, inn: '7700000000', partner: '{}', ...parameters });
const sent = () => {
	expect(bank().seen).toMatchObject([{ method: 'POST', path: '/api/loan-applications' }]);
	return bank().seen[0]?.body;
};
const partnerSent = () => (sent() as { partner: object }).partner;

/** All blocks of the sample with all fields. */
const whole = (sample as { cases: { input: { body: { partner: Record<string, unknown> } } }[] }).cases
	.map(({ input }) => input.body.partner)
	.reduce((most, next) => (JSON.stringify(next).length > JSON.stringify(most).length ? next : most));

describe('the partner data', () => {
	it.each([
		['JSON text', JSON.stringify(whole)],
		['an object', () => whole],
	])('are sent completely, given as %s', async (_name, partner) => {
		const output = await create({ partner });
		expect(sent()).toEqual({ dealId, borrower, partner: whole });
		expect(jsonOf(output)).toEqual([{ dealId }]);
	});

	it('may have empty blocks, which are not sent', async () => {
		await create({
			partner: () => ({ feeList: [{}, { sum: '', date: null }], delay: {}, profitTax: { incomes: [] } }),
		});
		expect(partnerSent()).toEqual({});
	});

	it.each([
		['[1]', 'must be an object, got a list'],
		['{', 'must be an object, got text'],
		[() => [], 'is required'],
		[() => undefined, 'is required'],
	])('must be one JSON object, not %s', async (partner, message) => {
		expect((await refusalOf(create({ partner }))).message).toContain(`Partner Data ${message}`);
		expect(bank().seen).toEqual([]);
	});

	it.each([
		[{ more: 1 }, 'more is not a field'],
		[
			{ feeList: [{}, { sum: '1,000' }] },
			'partner.feeList.sum must be a number such as 1500.50: "1,000" (partner.feeList[1])',
		],
	])('%j are refused with the name of the field', async (partner, message) => {
		const refusal = await refusalOf(create({ partner: () => partner }));
		expect(`${refusal.message} ${refusal.description ?? ''}`).toContain(message);
		expect(bank().seen).toEqual([]);
	});
});

describe('a borrower', () => {
	it.each([
		['legal', '7700000000', { legal: { legalInfo: { inn: '7700000000', contactPhone: '+7 900' } } }],
		['individual', '770000000001', { individual: { legalInfo: { inn: '770000000001', contactPhone: '+7 900' } } }],
		['none', undefined, {}],
	])('of the type %s is sent as the API description says', async (borrowerType, inn, expected) => {
		await create({ borrowerType, inn, additionalFields: { contactPhone: '+7 900' } });
		expect(sent()).toEqual({ dealId, borrower: expected, partner: {} });
	});
});
