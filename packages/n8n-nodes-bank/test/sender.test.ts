/** The sender of a package: from the options, or else from the credential. */
import { credentials, jsonOf, mapped, refusalOf, run, useBank } from './support/bank.ts';
import { recipient } from './support/payout.ts';

type Json = Record<string, unknown>;

const bank = useBank();

const type = 'bankClientCredentialsOAuth2Api';
const holding = (sender: Json) => ({ ...credentials, [type]: { ...credentials[type], ...sender } });
const kept = { partnerId: '1001', inn: '7700000000', account: '40702810000000000001' };
const items = [recipient(1)];
const form = { paymentRun: 'salary-2026-11', ...mapped };
const prepared = (parameters: Json, sender: Json) =>
	run('payment.preparePackage', { ...form, ...parameters }, { items, credentials: holding(sender) });

it('is that of the credential if the options have none', async () => {
	const [row] = jsonOf(await prepared({}, kept));
	expect(row).toMatchObject({ client: { partnerId: 1001 }, inn: '7700000000', account: '40702810000000000001' });
});

it('is that of the options if they have one', async () => {
	const other = { partnerId: 7, inn: '7700000001', account: '40702810000000000002' };
	const [row] = jsonOf(await prepared(other, kept));
	expect(row).toMatchObject({ client: { partnerId: 7 }, inn: '7700000001', account: '40702810000000000002' });
});

it.each([
	['partnerId', 'Partner ID'],
	['inn', 'Tax Number'],
	['account', 'Account'],
])('is not that of the credential if the expression for %s returns nothing', async (name, label) => {
	const { message } = await refusalOf(prepared({ ...kept, [name]: '={{ $json.missing }}' }, kept));
	expect(message).toBe(`${label} is required`);
});

it('is required in the options or the credential', async () => {
	expect((await refusalOf(prepared({}, {}))).message).toBe(
		'The credential has no Partner ID, Tax Number, Account. Enter it there, or under "Options"',
	);
});

describe.each([
	['account', 'Account', 'ABC'],
	['account', 'Account', '4070281000000000000O'],
	['account', 'Account', '4070281000000000001'],
	['account', 'Account', '407028100000000000012'],
	['inn', 'Tax Number', '77000000001'],
	['inn', 'Tax Number', '770000000O'],
	['partnerId', 'Partner ID', 'abc'],
	['partnerId', 'Partner ID', '1.5'],
])('a wrong %s (%s: %s)', (name, label, value) => {
	it.each(['payment.sendPackage', 'payment.preparePackage'])('is refused before anything is sent: %s', async (id) => {
		const wrong = { ...kept, [name]: value };
		const pay = async (parameters: Json, sender: Json) =>
			await run(id, { ...form, signedBody: 'c2ln', ...parameters }, { items, credentials: holding(sender) });
		for (const running of [pay({}, wrong), pay(wrong, kept)]) expect((await refusalOf(running)).text).toContain(label);
		expect(bank().seen).toEqual([]);
	});
});
