/** Prepare Package sends nothing, and a prepared package is sent exactly as it was reviewed or signed. */
import { createHash } from 'node:crypto';

import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import {
	credentials,
	detailsIn,
	jsonOf,
	outcomesOf,
	refusalOf,
	run,
	type RunOptions,
	useBank,
} from './support/bank.ts';
import { acceptEverything, packageIn, payoutForm, recipient } from './support/payout.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const { signedBody, ...form } = {
	...payoutForm,
	nameCheck: true,
	name: { last: '={{ $json.last }}' },
};
const named = (index: number, change: Json = {}): Json => recipient(index, { last: 'Fakeman', ...change });
const items = ['a', 'b', 'c'].map((sequence, index) => named(index + 1, { sequence }));

const accept = acceptEverything(bank);
beforeEach(() => (bank().answer = accept));

const prepare = async (parameters: Json = {}, options: RunOptions = {}) =>
	jsonOf(await run('payment.preparePackage', { ...form, ...parameters }, { items, ...options }));
const send = (parameters: Json = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...form, signedBody, ...parameters }, { items, ...options });
const sendPrepared = (rows: readonly Json[], options: RunOptions = {}) =>
	run('payment.sendPackage', { recipientsFrom: 'prepared', signedBody }, { items: [...rows], ...options });

describe('Prepare Package', () => {
	it('reports all issues of all rows at once, each with value, row and label', async () => {
		const rows = [
			named(1, { amount: '1 222,50 руб.', sequence: 'A-1' }),
			named(2, { nspkBankId: 'Bank A', sequence: 'A-1' }),
			named(3, { phone: '1 < 2 & 3', sequence: 'A-3' }),
			named(4, { paymentDescription: '' }),
		];
		const refusal = await refusalOf(prepare({ paymentRun: '' }, { items: rows }));
		expect(refusal.message).toBe('Correct Payment Run, Sequence, Amount, Recipient Bank ID, Phone and 1 more');
		expect([...(refusal.description.match(/(?<=<li>).*?(?=<\/li>)/g) ?? []), ...refusal.messages]).toEqual([
			expect.stringMatching(/^Payment Run is required: /),
			'Sequence is empty, but other rows have one. Give every row a sequence, or none (item 3, Fakeman)',
			'Amount must be a number such as 1500.50: "1 222,50 руб." (item 0, A-1)',
			'Recipient Bank ID must be the number of the bank, such as 100000000111, not its BIK, or a name from "Bank Names" of the credential: ' +
				'"Bank A" (item 1, A-1)',
			'Phone must be a phone number of 10 to 15 digits, with or without a leading +: "1 &lt; 2 &amp; 3" (item 2, A-3)',
			'2 more: see <i>Error details</i>',
			'Payment Description is required (item 3, Fakeman)',
			'Sequence must differ in every row: "A-1" (item 0, A-1; item 1, A-1)',
		]);
	});

	it('names every invalid value, at most three of them in the message', async () => {
		const amounts = ['a', 'b', 'c', 'd', 'e'];
		const rows = amounts.map((amount, index) => named(index + 1, { amount }));
		const refusal = await refusalOf(prepare({}, { items: rows }));
		expect(refusal.message).toMatch(/"a" .*"b" .*"c" .*, and 2 more$/);
		expect(refusal.messages).toEqual([expect.stringMatching(/"a" .*"b" .*"c" .*"d" .*"e" /)]);
	});

	it('names a negative amount, not the negative total', async () => {
		const { message } = await refusalOf(prepare({}, { items: [named(1, { amount: '-5' })] }));
		expect(message).toMatch(/^Amount must be more than zero/);
	});

	it('shows all decimals of a computed amount, which are no card number', async () => {
		const { message } = await refusalOf(prepare({}, { items: [named(1, { amount: 0.7999999999999999 })] }));
		expect(message).toMatch(/^Amount must have at most two decimals .*: "0\.7999999999999999" /);
	});

	it('is recognized if its items are read as columns', async () => {
		const rows = await prepare();
		const refusal = await refusalOf(send({ recipientsFrom: 'columns' }, { items: rows }));
		expect(refusal.message).toBe(
			'Recipients From must be "Prepared Package": the input is a package that was prepared',
		);
		expect(bank().seen).toEqual([]);
	});

	it('reports a payment run that differs in every row once', async () => {
		const rows = [named(1), named(2), named(3)];
		const { text } = await refusalOf(prepare({ paymentRun: () => String(Math.random()) }, { items: rows }));
		expect(text).toContain('Payment Run must be the same on every run');
		expect(text).not.toContain('differs from item');
	});

	it('sends nothing, and returns an item for each recipient, with the columns of a sent one and of its input', async () => {
		const prepared = await prepare();
		expect(bank().seen).toEqual([]);
		const sent = jsonOf(await send());
		const columns = (rows: Json[]) => rows.map(({ toSign: _, last: __, ...row }) => Object.keys(row).sort());
		expect(columns(prepared)).toEqual(columns(sent));
		expect(prepared.map((row) => Object.keys(row).slice(0, 2))).toEqual(items.map(() => ['outcome', 'total']));
		const sums = { outcome: 'prepared', count: 3, total: 30 };
		const common = { ...sums, last: 'Fakeman', environment: 'sandbox', host: 'bank.test' };
		const expected = ['a', 'b', 'c'].map((sequence, index) => ({ ...common, sequence, position: index + 1 }));
		expect(prepared).toMatchObject(expected);
	});

	it('returns the text to sign of each package, which is the body without the signature, and its SHA-256', async () => {
		const prepared = await prepare({ options: { maxPayments: 2 } });
		expect(prepared.map(({ toSign }) => toSign !== undefined)).toEqual([false, true, true]);
		await send({ options: { maxPayments: 2 } });
		const texts = bank().seen.map(({ text }) => text.replace(',"signedBody":"c2ln"}', '}'));
		expect([prepared[1]?.toSign, prepared[2]?.toSign]).toEqual(texts);
		const digests = texts.map((text) => createHash('sha256').update(text).digest('hex'));
		expect(prepared.map(({ fingerprint }) => fingerprint)).toEqual([digests[0], digests[0], digests[1]]);
	});
});

describe('a prepared package', () => {
	it('is sent as it was prepared, to the byte, and each result goes to its row', async () => {
		const rows = await prepare();
		const output = await sendPrepared(rows);
		await send();
		expect(bank().seen[0]?.text).toBe(bank().seen[1]?.text);
		expect(output.map(({ json, pairedItem }) => [json.outcome, json.sequence, json.paymentRun, pairedItem])).toEqual(
			['a', 'b', 'c'].map((sequence, item) => ['accepted', sequence, 'salary-2026-11', { item }]),
		);
	});

	it('may consist of several packages, and be given in a field', async () => {
		const rows = await prepare({ options: { packagePerItem: true } });
		await sendPrepared(rows);
		expect(bank().seen).toHaveLength(3);
		const given = (prepared: unknown) =>
			run('payment.sendPackage', { recipientsFrom: 'prepared', signedBody: 'x', prepared }, { items: [{}] });
		for (const prepared of [() => rows, JSON.stringify(rows)]) expect(await given(prepared)).toHaveLength(3);
		for (const prepared of [() => [], '[]', 'rows', 7])
			expect((await refusalOf(given(prepared))).message).toContain('must be the items of "Prepare Package"');
	});

	it.each([
		['text in every column', (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))],
		['upper-case booleans', (value: unknown) => (typeof value === 'boolean' ? String(value).toUpperCase() : value)],
	])('may come from a sheet that stores it as %s', async (_how, stored) => {
		for (const change of [{}, { sequence: '' }]) {
			const rows = await prepare({ paymentRun: '2026' }, { items: items.map((item) => ({ ...item, ...change })) });
			const inSheet = rows.map((row) =>
				Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? '' : stored(value)])),
			);
			const fromSheet = jsonOf(await sendPrepared(inSheet.map((row) => ({ ...row, paymentRun: 2026 }))));
			expect(outcomesOf(fromSheet)).toEqual(['accepted', 'accepted', 'accepted']);
			await sendPrepared(rows);
			const [first, second] = bank().seen.splice(0);
			expect(first?.text).toBe(second?.text);
		}
	});

	it('may be given as items of n8n', async () => {
		const rows = await prepare();
		const prepared = () => rows.map((json, item) => ({ json, pairedItem: { item } }));
		const parameters = { recipientsFrom: 'prepared', signedBody: 'x', prepared };
		expect(jsonOf(await run('payment.sendPackage', parameters, { items: [{}] }))).toHaveLength(3);
	});

	it('may come in another order; each result belongs to its row', async () => {
		const many = Array.from({ length: 12 }, (_, index) => named(1, { phone: `+790000000${10 + index}` }));
		const rows = (await prepare({}, { items: many })).toReversed();
		const output = await sendPrepared(rows);
		await send({}, { items: many });
		expect(bank().seen[0]?.text).toBe(bank().seen[1]?.text);
		for (const { json, pairedItem } of output)
			expect(rows[(pairedItem as { item: number }).item]?.phone).toBe(json.phone);
	});

	it('that is refused or unknown keeps its columns in the details, except the outcome', async () => {
		const rows = await prepare();
		bank().answer = () => [500, {}];
		for (const [given, outcome] of [
			[rows.slice(1), 'notSent'],
			[rows, 'unknown'],
		] as const) {
			const output = await sendPrepared(given, { continueOnFail: true });
			// If `pairedItem` is an object, n8n merges the item into that input item; if it is a number, it does not.
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(given.map((_, item) => item));
			const details = output.map(({ json }) => detailsIn(json));
			expect(details.map((one) => one.outcome)).toEqual(given.map(() => outcome));
			const inputs = given.map(({ outcome: _, toSign: __, ...row }) => row);
			expect(details.map(({ input }) => input)).toEqual(inputs);
		}
	});

	it('that was changed counts each row once, and says why nothing was sent', async () => {
		const remembered = new FakeDatabase();
		await send({}, { remembered, items: items.slice(0, 1) });
		const [sent = {}, ...rows] = await prepare({}, { remembered });
		const hints: { message: string }[] = [];
		const changed = [sent, ...rows.map((row) => ({ ...row, amount: 99 }))];
		const output = jsonOf(await sendPrepared(changed, { remembered, hints, continueOnFail: true }));
		expect(outcomesOf(output).toSorted()).toEqual(['alreadyAccepted', 'notSent', 'notSent']);
		expect(hints[0]?.message).toMatch(
			/^1 of 3 accepted .*; 2 not sent\. Prepared Package was changed after it was prepared/,
		);
	});

	const first =
		(change: Json) =>
		([row, ...rows]: Json[]) => [{ ...row, ...change }, ...rows];
	const each = (change: Json) => (rows: Json[]) => rows.map((row) => ({ ...row, ...change }));
	const changed = 'was changed after it was prepared';
	const refused: [string, (rows: Json[]) => Json[], string][] = [
		['a row is missing', (rows) => rows.slice(1), 'holds 2 of 3 rows'],
		['a row is repeated', (rows) => [...rows, ...rows.slice(0, 1)], 'holds 4 of 3 rows of a package: some occur twice'],
		[
			'a row replaces another',
			(rows) => [...rows.slice(1), ...rows.slice(1, 2)],
			'some occur twice. Send each row once',
		],
		[
			'it has no rows of Prepare Package',
			() => [{}],
			"no fingerprint. Enter the items of that node, such as {{ $('Prepare').all().map((one) => one.json) }}",
		],
		['its payment runs differ', first({ paymentRun: 'x' }), 'one paymentRun'],
		['its payment run was changed', each({ paymentRun: 'another' }), changed],
		['its sequences are marked as positions', each({ sequenceGiven: false }), changed],
		['one row is for another host', first({ host: 'other.test' }), 'for host "other.test"'],
		['it is for another environment', each({ environment: 'production' }), 'environment'],
		...['amount', 'nspkBankId', 'paymentDescription', 'ric', 'sequence'].map((field): (typeof refused)[number] => [
			`its ${field} was changed`,
			first({ [field]: 42 }),
			changed,
		]),
		['the name that a reviewer has seen was changed', first({ recipient: 'Somebody else' }), changed],
		['its phone was changed', first({ phone: '+79000000009' }), changed],
		['its account was changed', each({ account: '40702810000000000002' }), changed],
		['its tax number was changed', each({ inn: '7700000001' }), changed],
	];
	it.each(refused)('is refused if %s, and nothing is sent', async (_why, change, words) => {
		const rows = await prepare();
		const refusal = await refusalOf(sendPrepared(change(rows)));
		expect(refusal.text).toContain(words);
		expect(refusal.text).toContain('Nothing was sent');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['host', { sandboxBaseUrl: 'https://other.test' }],
		['environment', { environment: 'production', productionBaseUrl: 'https://bank.test' }],
	])('is refused if it was prepared for another %s and its rows were changed', async (field, other) => {
		const bankClientCredentialsOAuth2Api = { ...credentials.bankClientCredentialsOAuth2Api, ...other };
		const rows = await prepare({}, { credentials: { bankClientCredentialsOAuth2Api } });
		const [here = {}] = await prepare();
		expect(rows[0]?.[field]).not.toBe(here[field]);
		const refusal = await refusalOf(sendPrepared(rows.map((row) => ({ ...row, [field]: here[field] }))));
		expect(refusal.text).toContain('was changed after it was prepared');
		expect(bank().seen).toEqual([]);
	});
});

describe('a payout that was sent in part', () => {
	let database: FakeDatabase;
	beforeEach(() => (database = new FakeDatabase()));
	const options = (): RunOptions => ({ remembered: database, continueOnFail: true });
	const sent = () => bank().seen.map(({ body }) => packageIn({ body }).payments.map(({ sequence }) => sequence));
	const corrected = [named(1, { sequence: 'a', amount: 99 }), ...items.slice(1)];

	it('is prepared without the sent payments, which are listed with their results', async () => {
		await send({}, { ...options(), items: items.slice(0, 1) });
		bank().answer = () => [500, {}];
		await send({}, { ...options(), items: items.slice(1, 2) });
		const rows = await prepare({}, options());
		expect(rows.map((row) => [row.outcome, row.sequence, row.position, row.count, row.total])).toEqual([
			['alreadyAccepted', 'a', undefined, undefined, 10],
			['unknown', 'b', undefined, undefined, 10],
			['prepared', 'c', 1, 1, 10],
		]);
		expect(rows[0]).toMatchObject({
			payPackage: expect.any(Number),
			transactionId: 'tx a',
			acceptedIn: expect.any(String),
		});
		expect(rows[1]).toMatchObject({
			message: expect.stringContaining('b may have been paid on'),
			payment: expect.any(String),
		});
		const again = await prepare({}, { ...options(), items: corrected });
		expect(outcomesOf(again)).toEqual(['conflict', 'unknown', 'prepared']);
	});

	it('is completed by the next package; sent payments are returned, but not sent again', async () => {
		await send({}, { ...options(), items: items.slice(0, 1) });
		bank().answer = () => [500, {}];
		await send({}, { ...options(), items: items.slice(1, 2) });
		bank().answer = accept;
		const rows = await prepare({}, options());
		const output = jsonOf(await sendPrepared(rows, options()));
		expect(outcomesOf(output).sort()).toEqual(['accepted', 'alreadyAccepted', 'unknown']);
		expect(output.find(({ outcome }) => outcome === 'alreadyAccepted')).toMatchObject({ transactionId: 'tx a' });
		const unknown = output.find(({ details }) => details !== undefined);
		expect(unknown).toMatchObject({
			error: expect.stringContaining('b may have been paid on'),
			details: { sequence: 'b', payment: rows[1]?.payment },
		});
		expect(sent()).toEqual([['a'], ['b'], ['c']]);
	});

	it.each([
		['unknown', items],
		['conflict', corrected],
	])(
		'says that a payment was already sent, also if the columns with the reason were removed: %s',
		async (outcome, payout) => {
			if (outcome === 'unknown') bank().answer = () => [500, {}];
			await send({}, { ...options(), items: items.slice(0, 1) });
			bank().answer = accept;
			const prepared = await prepare({}, { ...options(), items: payout });
			const rows = prepared.map(({ message: _, description: __, ...row }) => row);
			expect(jsonOf(await sendPrepared(rows, options()))).toContainEqual({
				error: 'a was already sent',
				message: 'It was not sent again.',
				details: expect.objectContaining({ outcome, sequence: 'a' }),
			});
		},
	);

	it('of payments without sequences marks the positions of the others as positions', async () => {
		const unnamed = items.map((item) => ({ ...item, sequence: '' }));
		await send({}, { ...options(), items: unnamed.slice(0, 1) });
		const rows = await prepare({}, { ...options(), items: unnamed });
		expect(rows.map(({ outcome, sequenceGiven }) => [outcome, sequenceGiven])).toEqual([
			['alreadyAccepted', false],
			['prepared', false],
			['prepared', false],
		]);
	});

	it('needs no package if all payments were sent', async () => {
		await send({}, options());
		const rows = await prepare({}, options());
		expect(outcomesOf(rows)).toEqual(items.map(() => 'alreadyAccepted'));
		expect(rows.filter(({ toSign }) => toSign !== undefined)).toEqual([]);
		expect(outcomesOf(jsonOf(await sendPrepared(rows, options())))).toEqual(items.map(() => 'alreadyAccepted'));
		expect(bank().seen).toHaveLength(1);
	});

	it('is refused completely if one row was sent after it was prepared', async () => {
		const rows = await prepare({}, options());
		await send({}, { ...options(), items: items.slice(1, 2) });
		const output = jsonOf(await sendPrepared(rows, options()));
		expect(outcomesOf(output)).toEqual(['notSent', 'alreadyAccepted', 'notSent']);
		expect(output[0]?.error).toBe('The prepared package was not sent because of payments that were already sent: b');
		expect(output[0]?.message).toContain('Run "Prepare Package" again');
		expect(sent()).toEqual([['b']]);
		const again = await prepare({}, options());
		const outcomes = outcomesOf(jsonOf(await sendPrepared(again, options())));
		expect(outcomes).toEqual(['accepted', 'accepted', 'alreadyAccepted']);
	});

	it('is not prepared if the log cannot be read', async () => {
		database.tableFailure = 'get';
		const { text } = await refusalOf(prepare({}, { remembered: database, items }));
		expect(text).toContain('The payment log cannot be read: Data table size limit exceeded');
		expect(text).toContain('Nothing was prepared.');
	});
});

it('Without a sequence, a person of the same name who was paid in this payment run is pointed out', async () => {
	const remembered = new FakeDatabase();
	await send({}, { remembered, items: [recipient(1, { ФИО: 'Anna' })] });
	const hints: { message: string }[] = [];
	await prepare({}, { remembered, items: [recipient(2, { ФИО: 'Anna' }), recipient(3, { ФИО: 'Boris' })], hints });
	const [hint] = hints.filter(({ message }) => message.includes('same name'));
	expect(hint?.message).toMatch(/paid in this payment run: Anna \(\+\*+0002\), paid at \+\*+0001\. .*remove the row/);
});

it('The hint tells payments in conflict and unknown ones from those that were accepted', async () => {
	const remembered = new FakeDatabase();
	await send({}, { remembered, items: items.slice(0, 2) });
	bank().answer = () => [500, {}];
	await send({}, { remembered, items: items.slice(2), continueOnFail: true });
	const [, second, third] = items;
	const rows = [named(1, { sequence: 'a', amount: 99 }), { ...second }, { ...third }, named(4, { sequence: 'd' })];
	const hints: { type: string; message: string }[] = [];
	await prepare({}, { remembered, items: rows, hints });
	const sum =
		/^1 payment, 10\.00, 1 already sent, 1 in conflict, 1 unknown, nothing sent now\. The message of each payment/;
	expect(hints[0]).toMatchObject({ type: 'warning', message: expect.stringMatching(sum) });
	hints.length = 0;
	await prepare({}, { remembered, items: rows.map((row) => ({ ...row, sequence: '' })), hints });
	expect(hints[0]?.message).toMatch(/^0 payments, 0\.00, 4 refused, nothing sent now\./);
});

describe('Check Recipients', () => {
	const statuses = async (options: RunOptions, parameters: Json = {}) =>
		(await prepare({ options: { checkRecipients: true, ...parameters } }, { continueOnFail: true, ...options })).map(
			({ recipientStatus }) => recipientStatus,
		);
	const run1 = { paymentRun: 'november', items: [named(1, { last: 'Known' }), named(2, { last: 'Rejected' })] };

	it('marks recipients who were paid before, those with a new number, and new ones', async () => {
		const remembered = new FakeDatabase();
		expect(await statuses({ remembered, items: run1.items })).toEqual(['new', 'new']);
		await send({ paymentRun: run1.paymentRun }, { remembered, items: run1.items.slice(0, 1) });
		bank().answer = () => [400, { error: 'invalid' }];
		await send({ paymentRun: run1.paymentRun }, { remembered, continueOnFail: true, items: run1.items.slice(1) });
		const items = [
			named(1, { phone: '8 (900) 000-00-01', last: 'Other' }),
			named(2, { last: 'Rejected' }),
			named(3, { last: 'Known' }),
			named(4, { last: 'Nobody' }),
		];
		expect(await statuses({ remembered, items })).toEqual(['known', 'new', 'newNumber', 'new']);
	});

	it('ignores payments of the sandbox in production', async () => {
		const remembered = new FakeDatabase();
		await send({}, { remembered, items: run1.items });
		const production = { environment: 'production', productionBaseUrl: 'https://bank.test' };
		const bankClientCredentialsOAuth2Api = { ...credentials.bankClientCredentialsOAuth2Api, ...production };
		const options = { remembered, items: run1.items, credentials: { bankClientCredentialsOAuth2Api } };
		expect(await statuses(options)).toEqual(['new', 'new']);
	});
});
