/**
 * Limits set by the owner of a credential or by the administrator: no workflow pays more, however it is started. The bank of these
 * tests accepts every package, so the test counts what it receives.
 */
import { existing } from '../../fixtures/src/existing.ts';
import { FakeDatabase, InlineWorkflowRunner } from '../../fixtures/src/processedDataStore.ts';
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { BankTrigger } from '../nodes/BankTrigger/BankTrigger.node.ts';
import { activation } from './support/poll.ts';
import { FakeWorkflow, host } from './support/trigger.ts';
import { acceptEverything, payoutForm, person as anybody, recipient, type Row, packageIn } from './support/payout.ts';
import { credentials, jsonOf, refusalOf, run, runOf, type RunOptions, useBank, outcomesOf } from './support/bank.ts';

const bank = useBank();

/** Each person gets 1,000.00. */
const person = (number: number, change: Partial<Row> = {}): Row =>
	anybody(number, { sequence: `p-${number}`, amount: 1000, ...change });
const people = (count: number, from = 1) => Array.from({ length: count }, (_, index) => person(from + index));

const type = 'bankClientCredentialsOAuth2Api';
const restricted = (restrictions: object): RunOptions => ({
	node: { credentials: { [type]: { id: 'c1', name: 'Our bank' } } },
	credentials: { ...credentials, [type]: { ...credentials[type], restrictUse: true, ...restrictions } },
});
const wide = { largestPayment: '1000000' };
const forInstance = (restrictions: object): RunOptions => ({
	...restricted({}),
	credentials: { ...credentials, [type]: { ...credentials[type], ...restrictions } },
});

/** A gateway credential with restrictions. */
const gateway = (own: object, name = 'Gateway'): RunOptions => ({
	credentials: { ...credentials, bankGatewayApi: { ...credentials.bankGatewayApi, ...own } },
	node: { credentials: { bankGatewayApi: { id: 'c2', name } } },
	remembered: database,
});

let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	bank().answer = acceptEverything(bank);
});

const pay = async (rows: readonly Row[], options: RunOptions, parameters: object = {}, id = 'payment.sendPackage') =>
	await run(
		id,
		{ ...payoutForm, ...parameters },
		{ items: rows.map((row) => ({ ...row })), remembered: database, ...options },
	);
const outcomesAfter = async (running: ReturnType<typeof pay>) => outcomesOf(jsonOf(await running));
const paid = () => bank().seen.flatMap((seen) => packageIn(seen).payments);
const total = () => paid().reduce((sum, { amount }) => sum + amount, 0);

const owner = 'the owner of the credential "Our bank" allows';

describe('before anything is sent, for all items at once', () => {
	it.each([
		[
			{ largestPayment: '999.99' },
			/Amount is above the 999\.99 that .+ for one payment \(Largest Payment\): "1,000\.00"/,
		],
		[
			{ largestPackageTotal: '2999.99' },
			/is above the 2,999\.99 that .+ one package \(Largest Package Total\).*3,000\.00/s,
		],
		[
			{ largestDailyTotal: '2999.99' },
			/would come to 3,000\.00\. .+ 2,999\.99 per day \(Largest Daily Total\); 2,999\.99 is/,
		],
		[{ mostPaymentsPerDay: '2' }, /payments on .+ would be 3\. .+ allows 2 per day \(Most Payments per Day\)/],
		[
			{ allowedAccounts: '40702810000000000002' },
			/is not among the accounts that .* \(Allowed Accounts\): "\*{4}0001"/,
		],
		[
			{ allowedPhones: '8 900 000-00-01, +79000000002' },
			/Phone is not among the recipients that .* \(Allowed Phones\): "\+79000000003" \(item 2, p-3\)/,
		],
		[{ allowedBanks: '100000000004' }, /is not among the banks that .* \(Allowed Banks\)/],
		[{ onlyPreparedPackages: true }, /Only packages from "Prepare Package" can be sent.* \("Only Prepared Packages"\)/],
	])('%j refuses the package, and says which limit and who set it', async (restrictions, words) => {
		for (const id of ['payment.sendPackage', 'payment.preparePackage']) {
			if (id === 'payment.preparePackage' && 'onlyPreparedPackages' in restrictions) continue;
			const { text } = await refusalOf(pay(people(3), restricted(restrictions), {}, id));
			expect(text).toMatch(words);
			expect(text.toLowerCase()).toContain(owner.toLowerCase());
			expect(text).toMatch(/(?:Nothing|No payment) was sent\./);
			const refused = outcomesAfter(pay(people(3), { ...restricted(restrictions), continueOnFail: true }, {}, id));
			expect(await refused).toEqual(Array(3).fill('notSent'));
		}
		const ofInstance = Object.entries(restrictions).map(([name, value]) => [
			`instance${name.charAt(0).toUpperCase()}${name.slice(1)}`,
			value,
		]);
		const { text } = await refusalOf(pay(people(3), forInstance(Object.fromEntries(ofInstance))));
		expect(text).toMatch(words);
		expect(text).toMatch(/your n8n administrator allows/i);
		expect(bank().seen).toEqual([]);
	});

	it.each([
		{ largestPayment: '1000' },
		{ largestPackageTotal: '3 000,00' },
		{ largestDailyTotal: '3000.00' },
		{ mostPaymentsPerDay: 3 },
		{ allowedAccounts: '40702 810 0 00000000001' },
		{ allowedPhones: '89000000001\n+7 (900) 000-00-02; 9000000003' },
		{ allowedBanks: '100000000004, 100000000111' },
		{ onlyPreparedPackages: true },
	])('%j allows packages up to the limit', async (restrictions) => {
		const options = restricted(restrictions);
		const prepared = jsonOf(await pay(people(3), options, {}, 'payment.preparePackage'));
		expect(outcomesOf(prepared)).toEqual(Array(3).fill('prepared'));
		const [rows, form] =
			'onlyPreparedPackages' in restrictions ? [prepared, { recipientsFrom: 'prepared' }] : [people(3), {}];
		expect(await outcomesAfter(pay(rows as Row[], options, form))).toEqual(Array(3).fill('accepted'));
	});

	it('names the recipient of a row without a sequence, whose position would look like an item', async () => {
		const rows = [recipient(1), recipient(2, { amount: 5000, recipient: 'Anna' })];
		const { text } = await refusalOf(pay(rows, restricted({ largestPayment: '1000' })));
		expect(text).toContain('"5,000.00" (item 1, Anna (+*******0002))');
	});

	it('all problems of all rows are reported', async () => {
		const rows = [person(1, { amount: 5000 }), person(2), person(3, { amount: 7000 })];
		const { text } = await refusalOf(pay(rows, restricted({ largestPayment: '1000', allowedPhones: '+79000000001' })));
		for (const words of ['5,000.00', '7,000.00', 'is not among the recipients']) expect(text).toContain(words);
	});

	it('a package that breaks a rule stops the run; if it goes to the error output, the others are paid', async () => {
		const rows = [person(1), person(2, { amount: 5000 }), person(3)];
		const parameters = { options: { maxPayments: 1 } };
		const { text } = await refusalOf(pay(rows, restricted({ largestPayment: '1000' }), parameters));
		expect([paid(), text]).toEqual([[], expect.stringContaining('5,000.00')]);
		const options = { ...restricted({ largestPayment: '1000' }), continueOnFail: true };
		const outcomes = await outcomesAfter(pay(rows, options, parameters));
		expect(outcomes).toEqual(['accepted', 'notSent', 'accepted']);
		expect(paid().map(({ sequence }) => sequence)).toEqual(['p-1', 'p-3']);
	});

	it('payments that were already sent do not count again, and are not refused by a limit that was lowered since', async () => {
		await pay(people(3), restricted(wide));
		const rows = [...people(3), person(4, { amount: 10 })];
		const options = { ...restricted({ largestPayment: '10', largestPackageTotal: '10', largestDailyTotal: '10' }) };
		expect(await outcomesAfter(pay(rows, options))).toEqual([...Array<string>(3).fill('alreadyAccepted'), 'accepted']);
		expect(total()).toBe(3010);
	});
});

describe('what is compared with a list is what is sent', () => {
	/** Spellings that people, spreadsheets and attackers use for a number. */
	function spellingsOf(number: string): string[] {
		const half = number.length / 2;
		const joined = (separator: string) => `${number.slice(0, half)}${separator}${number.slice(half)}`;
		const digitsFrom = (zero: number) => number.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
		const separators = [' ', '\u00a0', '\u2009', '\u3000', '-', '\u2010', '\u2011', '\u2013', '\u2212', '\uff0d', '.'];
		return [
			...[...separators, '/', '_', '\u00ad', '\u200b', '\ufeff', '\u2060', ',', ';', '\n', 'O'].map(joined),
			// Full-width, Arabic-Indic, mathematical and superscript digits.
			...[0xff10, 0x660, 0x1d7ce, 0x2080].map(digitsFrom),
			...['0', '+', '\u200e', '"', '[', '=', "'"].map((before) => before + number),
			...['0', '.0', '.00', ' ', '\u200f', '\t', 'a', ']'].map((after) => number + after),
			number.slice(1),
			`7${number}`,
			`8${number}`,
			`+8${number}`,
			`+7${number}`,
			number.toLowerCase(),
		];
	}

	const allowed = { account: '40702810000000000001', phone: '9000000001', nspkBankId: '100000000111' };
	/** Whether a phone is a spelling of the allowed recipient: with or without the country code. */
	const isAllowedPhone = (phone: string) => /^(?:\+?7|8)?9000000001$/.test(phone) && phone !== '+9000000001';
	const limits = restricted({
		allowedAccounts: allowed.account,
		allowedPhones: `+7${allowed.phone}`,
		allowedBanks: allowed.nspkBankId,
	});

	it.each(['account', 'phone', 'nspkBankId'] as const)('%s', async (field) => {
		let sent = 0;
		for (const [index, spelling] of spellingsOf(allowed[field]).entries()) {
			const isAccount = field === 'account';
			const row = person(index, { phone: '+79000000001', ...(isAccount ? {} : { [field]: spelling }) });
			await pay([row], { ...limits, continueOnFail: true }, isAccount ? { account: spelling } : {}).catch(
				() => undefined,
			);
			const received = bank().seen.splice(0).map(packageIn);
			sent += received.length;
			for (const { account, payments } of received) {
				expect([spelling, account]).toEqual([spelling, allowed.account]);
				for (const { phone, nspkBankId } of payments)
					expect([spelling, nspkBankId, isAllowedPhone(phone)]).toEqual([spelling, allowed.nspkBankId, true]);
			}
		}
		expect(sent).toBeGreaterThan(0);
	});
});

/**
 * An object whose property returns `value` for some reads, then the value of another recipient: n8n's legacy expression
 * engine returns getters.
 */
function fickle(value: unknown, other: unknown, reads: number): unknown {
	if (typeof value !== 'object' || value === null) return value;
	const changed = other as Record<string, unknown>;
	const result = Array.isArray(value) ? [] : {};
	for (const [name, field] of Object.entries(value)) {
		let count = 0;
		const now = fickle(field, changed[name], reads);
		const get = () => (count++ < reads ? now : changed[name]);
		Object.defineProperty(result, name, { enumerable: true, get });
	}
	return result;
}

describe('what is compared with a limit is what is sent, although an expression returns objects that change when they are read', () => {
	const limits = restricted({ largestPayment: '1000', allowedPhones: '+79000000001', allowedBanks: '100000000111' });
	const foreign = { amount: 9000, phone: '+79000000002', nspkBankId: '100000000004' };
	const numbers = Array.from({ length: 12 }, (_, index) => index);

	it.each(['list', 'prepared'])('recipients from a %s', async (recipientsFrom) => {
		let sent = 0;
		for (const reads of numbers) {
			const row = person(1, { sequence: `${recipientsFrom} ${reads}` });
			const rows = recipientsFrom === 'list' ? [row] : jsonOf(await pay([row], limits, {}, 'payment.preparePackage'));
			const other = rows.map((one) => ({ ...one, ...foreign }));
			const form = { recipientsFrom, payments: fickle(rows, other, reads), prepared: fickle(rows, other, reads) };
			await pay([row], limits, form).catch(() => undefined);
			for (const { payments } of bank().seen.splice(0).map(packageIn)) {
				sent += 1;
				expect([reads, ...payments]).toEqual([reads, expect.objectContaining({ amount: 1000, phone: '+79000000001' })]);
			}
		}
		expect(sent).toBeGreaterThan(0);
	});
});

describe('allowed operations', () => {
	const refused = async (operations: object, id: string, parameters: object = payoutForm) =>
		(await refusalOf(run(id, { ...parameters }, { ...restricted(operations), remembered: database }))).message;

	it('Read Only neither sends nor prepares', async () => {
		for (const id of ['payment.sendPackage', 'payment.preparePackage'])
			expect(await refused({ allowedOperations: 'read' }, id, { ...payoutForm, ...person(1) })).toMatch(
				/ is not allowed with the credential "Our bank"$/,
			);
		expect(bank().seen).toEqual([]);
	});

	it('Read and Prepare allows preparing, but not sending', async () => {
		const options = restricted({ allowedOperations: 'prepare' });
		const prepared = await outcomesAfter(pay(people(2), options, {}, 'payment.preparePackage'));
		expect(prepared).toEqual(['prepared', 'prepared']);
		const { message, description } = await refusalOf(pay(people(2), options));
		expect(message).toBe('Send Package is not allowed with the credential "Our bank"');
		expect(description).toContain('allows reading and preparing only');
	});

	it('a list allows its operations', async () => {
		const options = restricted({ allowedOperations: 'list', operationList: 'payment.sendPackage, payment.resolve' });
		expect(await outcomesAfter(pay(people(1), options))).toEqual(['accepted']);
		await expect(pay(people(1), options, {}, 'payment.preparePackage')).rejects.toThrow('is not allowed with');
	});

	it('apply to triggers: one that cannot change its subscription does not start, and one that cannot read does not poll', async () => {
		const person = 'bankAuthorizationCodeOAuth2Api';
		const limited = (restrictions: object) => ({
			...credentials,
			[person]: { ...credentials[person], restrictUse: true, ...restrictions },
		});
		const id = '123e4567-e89b-42d3-a456-426614174000';
		const object = 'ul_transaction_default';
		bank().answer = () => [200, { id, object, callbackUri: `${host}/old`, enabled: true }];
		const form = { id, object, verifySender: false, accountsMode: 'all' };
		const hook = new FakeWorkflow(form, limited({ allowedOperations: 'read' })).hook('activate');
		await expect(new BankTrigger().webhookMethods.default.create.call(hook)).rejects.toThrow(
			'Update is not allowed with the credential',
		);
		expect(bank().seen.map(({ method }) => method)).toEqual(['GET']);
		bank().seen.length = 0;
		const held = limited({ allowedOperations: 'list', operationList: 'cardLimit.getMany' });
		const polled = activation().poll({ credentials: held });
		await expect(polled).rejects.toThrow('Get Many is not allowed with the credential');
		expect(bank().seen).toEqual([]);
	});

	it('refuse a method and path with which a read would be a payment', async () => {
		const read = runOf(BankPartnerServices);
		const forged = { method: 'POST', path: '/api/v1/b2c/payments', payload: '{"amount": 5}' };
		const parameters = { authenticateWith: 'gateway', serviceDetails: forged };
		const options = gateway({ restrictUse: true, mostPaymentsPerDay: '9' }, 'Debits');
		const { text } = await refusalOf(read('directDebit.getOffer', parameters, options));
		expect(text).toContain('Method and Path cannot be overridden, because the credential "Debits" is restricted');
		expect(bank().seen).toEqual([]);
		bank().answer = () => [200, {}];
		await read('directDebit.getOffer', parameters);
		expect(bank().seen).toHaveLength(1);
	});

	it('hold if an expression takes address and token from different credentials', async () => {
		const author = 'bankHostToHostOAuth2Api';
		const serviceDetails = JSON.stringify({ 'directDebit.getOffer': { method: 'POST', path: '/debits' } });
		let reads = 0;
		const get = () => (reads++ === 0 ? 'hostToHost' : 'clientCredentials');
		const item = Object.defineProperty({}, 'flow', { get });
		const owned = { ...credentials[type], restrictUse: true, allowedOperations: 'read' };
		bank().answer = () => [200, {}];
		const held = { ...credentials, [type]: owned, [author]: { ...credentials[author], serviceDetails } };
		const parameters = { authenticateWith: '={{ $json.flow }}', serviceDetails: {} };
		await runOf(BankPartnerServices)('directDebit.getOffer', parameters, { items: [item], credentials: held });
		expect(bank().seen.map(({ headers }) => headers['authorization'])).toEqual([`Bearer token of ${author}`]);
	});

	it('orders that the bank accepts once are not payments', async () => {
		const options = gateway({ restrictUse: true, mostPaymentsPerDay: '0' });
		bank().answer = () => [200, {}];
		await runOf(BankCardIssuance)('printForm.generate', { appId: '1', serviceDetails: {} }, options);
		expect(bank().seen).toHaveLength(1);
	});

	it('an administrator can narrow what the owner allows', async () => {
		const options = restricted({ ...wide, allowedOperations: 'all', instanceAllowedOperations: 'read' });
		const { description } = await refusalOf(pay(people(1), options));
		expect(description).toContain('Your n8n administrator allows reading only');
	});

	it('a debit, whose amount is not known, is refused by limits for amounts', async () => {
		const fields = { amount: { type: 'number', value: 5 } };
		const details = { method: 'POST', path: '/debits', names: { purpose: 'purpose' }, fields };
		const serviceDetails = JSON.stringify({ 'directDebit.debit': details });
		const parameters = { authenticateWith: 'gateway', transactionId: 'T-1', serviceDetails: {} };
		const debit = async (restrictions: object) =>
			await runOf(BankPartnerServices)('directDebit.debit', parameters, gateway({ ...restrictions, serviceDetails }));
		bank().answer = () => [200, { paymentOrderId: '1' }];
		const { text } = await refusalOf(debit({ instanceLargestDailyTotal: '10' }));
		expect(text).toContain('Amount and account are not known');
		expect(bank().seen).toEqual([]);
		await debit({ restrictUse: true, mostPaymentsPerDay: '1' });
		expect(bank().seen).toHaveLength(1);
	});
});

describe('daily limits', () => {
	const daily = (change: object = {}) => restricted({ largestDailyTotal: '5000', mostPaymentsPerDay: '10', ...change });

	it('count payments of all executions, nodes and workflows', async () => {
		await pay(people(2), daily());
		await pay(people(2, 3), { ...daily(), workflowId: 'another' });
		const { text } = await refusalOf(pay(people(2, 5), { ...daily(), workflowId: 'third' }));
		expect(text).toMatch(/would come to 6,000\.00\. The owner .* allows 5,000\.00 per day .*; 1,000\.00 is left/);
		expect(await outcomesAfter(pay([person(7)], daily()))).toEqual(['accepted']);
		expect(total()).toBe(5000);
	});

	// The descriptions of the limits say so.
	it('count no payment that was sent while the credential had none', async () => {
		await pay(people(5), restricted({ largestPayment: '1000' }));
		expect(await outcomesAfter(pay(people(5, 10), daily()))).toEqual(Array(5).fill('accepted'));
		const lowered = pay([person(20)], daily({ largestDailyTotal: '4000' }));
		await expect(lowered).rejects.toThrow(/would come to 6,000\.00\. .*; 0\.00 is left/);
	});

	it('count each credential separately; those of the administrator count all credentials for a bank', async () => {
		const other = (options: RunOptions): RunOptions => ({
			...options,
			node: { credentials: { [type]: { id: 'c9', name: 'Copy' } } },
		});
		await pay(people(5), daily());
		expect(await outcomesAfter(pay([person(6)], other(daily())))).toEqual(['accepted']);
		const instance = forInstance({ instanceLargestDailyTotal: '2000' });
		await pay(people(2, 10), instance);
		await expect(pay([person(20)], other(instance))).rejects.toThrow('would come to 3,000.00');
	});

	it.each([1, 2, 3])('are not exceeded by 20 simultaneous packages (round %i)', async () => {
		const options = { ...daily({ mostPaymentsPerDay: '' }), continueOnFail: true };
		const payOne = (_: unknown, index: number) =>
			pay([person(index + 1)], { ...options, workflowId: `workflow ${index % 4}` });
		await Promise.all(Array.from({ length: 20 }, payOne));
		expect(total()).toBeLessThanOrEqual(5000);
		// Refused packages have reserved nothing.
		for (let index = 30; total() < 5000; index++)
			expect(await outcomesAfter(pay([person(index)], options))).toEqual(['accepted']);
	});

	it('count unknown payments, but not rejected ones', async () => {
		const answer = bank().answer;
		const options = { ...daily(), continueOnFail: true };
		bank().answer = () => [400, { error: 'invalid_request', error_description: 'wrong' }];
		expect(await outcomesAfter(pay(people(5), options))).toEqual(Array(5).fill('rejected'));
		bank().answer = () => [504, 'gateway'];
		expect(await outcomesAfter(pay(people(2, 10), options))).toEqual(['unknown', 'unknown']);
		bank().answer = answer;
		expect(await outcomesAfter(pay(people(3, 20), options))).toEqual(Array(3).fill('accepted'));
		expect(await outcomesAfter(pay([person(30)], options))).toEqual(['notSent']);
	});

	it('count what a killed run had claimed', async () => {
		for (let dieAfter = 0; dieAfter < 12; dieAfter++) {
			database = new FakeDatabase();
			bank().seen.length = 0;
			void pay(people(3), { ...daily(), dieAfter });
			for (let left = 60; left > 0; left--) await new Promise(setImmediate);
			const before = total();
			await pay([person(10, { amount: 5000 - before })], { ...daily(), continueOnFail: true });
			expect(total()).toBeLessThanOrEqual(5000);
		}
	});

	it.each([
		{ environment: 'production', productionBaseUrl: 'https://bank.test' },
		{ sandboxBaseUrl: 'https://BANK.test:443//' },
		{ sandboxBaseUrl: 'https://bank.test./' },
		{ sandboxBaseUrl: 'https://bank.test/./' },
	])('for the instance count all credentials for a host together: %j', async (change) => {
		const instance = { instanceLargestDailyTotal: '2000' };
		await pay(people(2), forInstance(instance));
		const other = {
			...forInstance({ ...instance, ...change }),
			node: { credentials: { [type]: { id: 'c9', name: 'Other' } } },
		};
		await expect(pay([person(9)], other)).rejects.toThrow('would come to 3,000.00');
	});

	describe('in the Data Table', () => {
		const both = daily({ instanceLargestDailyTotal: '9000', instanceLimitTimeZone: 'Pacific/Auckland' });
		const rows = () => database.log('Bank Daily Totals');

		/** The operations of the nodes on the table, for each inline workflow. */
		async function operationsOf(work: () => Promise<unknown>): Promise<string[]> {
			const run = jest.spyOn(InlineWorkflowRunner.prototype, 'run');
			const { calls } = run.mock;
			await work().finally(() => run.mockRestore());
			const id = database.tables.find(({ name }) => name === 'Bank Daily Totals')?.id;
			const workflows = calls.map(([{ nodes }]) =>
				nodes.flatMap(({ parameters: { dataTableId, operation } }) =>
					(dataTableId as { value?: string } | undefined)?.value === id && id !== undefined ? [String(operation)] : [],
				),
			);
			return workflows.map((operations) => operations.join(' ')).filter((operations) => operations !== '');
		}

		/** A year of totals, as if they had never been deleted. */
		function addYear(): void {
			const of = { scope: 'c1', amount: '100000.00', payments: '500' };
			const today = Date.now();
			for (let day = 400; day > 0; day--) {
				const at = new Date(today - day * 86_400_000).toISOString();
				rows().push({ id: rows().length + 1, day: at.slice(0, 10), reservation: `r${day}`, at, ...of });
			}
		}

		it('a package costs one insert and one read before it is sent, and one update after it, with any number of limits', async () => {
			await pay(people(1), both);
			expect(await operationsOf(async () => await pay(people(2, 10), both))).toEqual(['insert get', 'update']);
			const many = { options: { maxPayments: 1 } };
			const several = await operationsOf(async () => await pay(people(2, 20), both, many));
			expect(several).toEqual(['get', 'insert get', 'update', 'insert get', 'update']);
		});

		it('days that are long over are deleted once a day, after a package was sent', async () => {
			jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'], now: Date.parse('2031-03-10T12:00:00Z') });
			await pay([person(1)], both);
			jest.setSystemTime(Date.parse('2031-03-11T12:00:00Z'));
			addYear();
			const [first, second] = [2, 3].map((number) => async () => await pay([person(number)], both));
			expect(await operationsOf(existing(first))).toEqual(['insert get', 'update deleteRows']);
			expect(rows().length).toBeLessThan(15);
			expect(await operationsOf(existing(second))).toEqual(['insert get', 'update']);
			await expect(pay(people(4, 10), both)).rejects.toThrow('would come to 6,000.00');
			jest.useRealTimers();
		});

		it('a failed deletion changes nothing', async () => {
			database.tableFailure = 'deleteRows';
			expect(await outcomesAfter(pay(people(5), both))).toEqual(Array(5).fill('accepted'));
			await expect(pay([person(9)], both)).rejects.toThrow('would come to 6,000.00');
		});

		it.each(['day', 'scope', 'amount', 'payments', 'reservation'])(
			'without the column %s nothing is sent',
			async (column) => {
				await pay(people(1), daily());
				database.deleteColumn(column, 'Bank Daily Totals');
				await expect(pay([person(2)], daily())).rejects.toThrow('daily total is not known');
				expect(bank().seen).toHaveLength(1);
			},
		);
	});

	it.each([
		['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'a day of 23 hours'],
		['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'a day of 25 hours'],
		['Pacific/Tongatapu', '2026-11-22T11:00:00Z', '2026-11-23T11:00:00Z', 'a day ahead of UTC'],
		['Asia/Kathmandu', '2026-11-22T18:15:00Z', '2026-11-23T18:15:00Z', 'a quarter of an hour'],
	])('in %s count from %s until %s: %s', async (limitTimeZone, begin, end) => {
		const options = daily({ limitTimeZone });
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'], now: Date.parse(begin) - 1 });
		const send = async (number: number) => await pay([person(number, { amount: 5000 })], options);
		await send(1);
		jest.setSystemTime(Date.parse(begin));
		await send(2);
		jest.setSystemTime(Date.parse(end) - 1);
		await expect(send(3)).rejects.toThrow('would come to');
		jest.setSystemTime(Date.parse(end));
		await send(4);
		jest.useRealTimers();
	});

	it.each(['all', 'insert', 'get'] as const)('send nothing if the Data Table fails (%s)', async (tableFailure) => {
		// The error depends on which table is read first, the payment log or the daily totals.
		database.tableFailure = tableFailure;
		await expect(pay(people(1), daily())).rejects.toThrow(/daily total is not known|payment log could not be read/);
		expect(bank().seen).toEqual([]);
	});

	it('send nothing if the Data Table does not have the row that was reserved', async () => {
		await pay(people(1), daily());
		const rows = database.log('Bank Daily Totals');
		rows.push = () => rows.length;
		await expect(pay(people(1, 2), daily())).rejects.toThrow('daily total is not known');
		expect(bank().seen).toHaveLength(1);
	});

	it('send nothing if the reservation took more than two minutes', async () => {
		await pay(people(1), daily());
		const rows = database.log('Bank Daily Totals');
		const push = rows.push.bind(rows);
		rows.push = (...added) => {
			const late = Date.now() + 130_000;
			jest.spyOn(Date, 'now').mockReturnValue(late);
			return push(...added);
		};
		await expect(pay([person(2)], daily())).rejects.toThrow('preparing them took more than two minutes');
		jest.restoreAllMocks();
		expect(bank().seen).toHaveLength(1);
	});

	it.each([
		['amount', '-1000000'],
		['amount', ''],
		['payments', ''],
		['payments', '-5'],
	])('send nothing after somebody changed %s of a row to "%s"', async (column, value) => {
		await pay(people(1), daily());
		for (const row of database.log('Bank Daily Totals')) row[column] = value;
		await expect(pay([person(2)], daily())).rejects.toThrow('daily total is not known');
	});

	it.each([
		['9000', 3000],
		['4500', 2500],
	])('are shown by Prepare Package: the least that is left, with %s for the whole instance', async (limit, left) => {
		const both = daily({ instanceLargestDailyTotal: limit });
		await pay(people(2), both);
		const hints: { message: string }[] = [];
		const input = [person(3), person(4)].map((row) => ({ ...row, leftToday: 'a column of the user' }));
		const rows = jsonOf(await pay(input, { ...both, hints }, {}, 'payment.preparePackage'));
		expect(rows).toMatchObject([{ leftToday: left }, { leftToday: left }]);
		expect(hints.map(({ message }) => message).join(' ')).toContain(`${left.toLocaleString('en-US')}.00 left today`);
	});
});

it('an unreadable restriction allows nothing', async () => {
	for (const [restrictions, words] of [
		[{ largestPayment: 'plenty' }, 'Largest Payment must be an amount'],
		[{ instanceLargestPayment: 'plenty' }, 'instanceLargestPayment must be an amount'],
	] as const) {
		const { text } = await refusalOf(pay(people(1), restricted(restrictions)));
		expect(text).toContain(words);
	}
	expect(bank().seen).toEqual([]);
});
