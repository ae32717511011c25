/** Prepare Package sends nothing, and a prepared package is sent exactly as it was reviewed or signed. */
import { packageIn, acceptEverything } from './support/payout.ts';
import { createHash } from 'node:crypto';

import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import {
	asTool,
	credentials,
	jsonOf,
	mapped,
	refusalOf,
	run,
	type RunOptions,
	useBank,
	outcomesOf,
	detailsIn,
} from './support/bank.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';

type Json = Record<string, unknown>;

// Skips the waits between reads of the claims.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const sender = {
	paymentRun: 'salary-2026-11',
	partnerId: 1001,
	inn: '7700000000',
	account: '40702810000000000001',
	additionalFields: { nameCheck: true },
	...mapped,
	name: { last: '={{ $json.last }}' },
};
const recipient = (index: number, more: Json = {}): Json => ({
	amount: 10.5 * index,
	phone: `+7900000000${index}`,
	nspkBankId: '100000000111',
	paymentDescription: 'Reward',
	ric: 1,
	last: 'Fakeman',
	...more,
});
const items = [recipient(1, { sequence: 'a' }), recipient(2, { sequence: 'b' }), recipient(3, { sequence: 'c' })];

const accept = acceptEverything(bank);
beforeEach(() => (bank().answer = accept));

const prepare = async (parameters: Json = {}, options: RunOptions = {}) =>
	jsonOf(await run('payment.preparePackage', { ...sender, ...parameters }, { items, ...options }));
const send = (parameters: Json = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...sender, signedBody: 'c2ln', ...parameters }, { items, ...options });
const sendPrepared = (rows: readonly Json[], options: RunOptions = {}) =>
	run('payment.sendPackage', { recipientsFrom: 'prepared', signedBody: 'c2ln' }, { items: [...rows], ...options });

describe('to prepare', () => {
	it('names the fields that are empty as the form does', async () => {
		for (const operation of ['payment.preparePackage', 'payment.sendPackage']) {
			const refusal = await refusalOf(
				run(operation, { ...sender, signedBody: 'MIIB', nspkBankId: '', ric: '' }, { items }),
			);
			expect(refusal.message).toBe('Correct Recipient Bank ID, Income Kind Code');
			expect(refusal.description).toContain('Recipient Bank ID is required');
		}
	});

	it.each(['payment.preparePackage', 'payment.sendPackage'])(
		'says of an empty row once that it is one: %s',
		async (operation) => {
			const empty = { amount: ' ', phone: null, nspkBankId: '', ric: undefined };
			const rows = [recipient(1), recipient(2, empty), recipient(3, { phone: '12' }), recipient(4, empty)];
			const refusal = await refusalOf(run(operation, { ...sender, signedBody: 'MIIB' }, { items: rows }));
			expect(refusal.message).toBe('The input needs 2 corrections');
			expect(refusal.description).toBe(
				'Nothing was sent.<ul><li>Amount, Recipient Bank ID, Phone are empty: remove empty rows before this node. ' +
					'Where the row is not empty, map other columns (item 1, Fakeman; item 3, Fakeman)</li>' +
					'<li>Phone must be a phone number of 10 to 15 digits, with or without a leading +: "12" (item 2, Fakeman)</li></ul>',
			);
		},
	);

	it('names every problem of every row at once, with its value and its row, in the words of the form', async () => {
		const rows = [
			recipient(1, { amount: '1 222,50 руб.', sequence: 'A-1' }),
			recipient(2, { nspkBankId: 'Bank A', sequence: 'A-1' }),
			recipient(3, { phone: '1 < 2 & 3', sequence: 'A-3' }),
			recipient(4, { paymentDescription: '' }),
		];
		const parameters = { ...sender, sequence: '={{ $json.sequence }}', paymentRun: '' };
		const refusal = await refusalOf(run('payment.preparePackage', parameters, { items: rows }));
		expect(refusal.message).toBe('Correct Payment Run, Sequence, Amount, Recipient Bank ID, Phone and 1 more');
		expect([...(refusal.description.match(/(?<=<li>).*?(?=<\/li>)/g) ?? []), ...refusal.messages]).toEqual([
			expect.stringMatching(/^Payment Run is required: /),
			'Sequence is empty, but other rows have one. Give every row a sequence, or none (item 3, Fakeman)',
			'Amount must be a number such as 1500.50: "1 222,50 руб." (item 0, A-1)',
			'Recipient Bank ID must be the number of the bank, such as 100000000111: "Bank A" (item 1, A-1)',
			'Phone must be a phone number of 10 to 15 digits, with or without a leading +: "1 &lt; 2 &amp; 3" (item 2, A-3)',
			'2 more: see <i>Error details</i>',
			'Payment Description is required (item 3, Fakeman)',
			'Sequence must differ in every row: "A-1" (item 0, A-1; item 1, A-1)',
		]);
	});

	it('sends nothing, not even for a token, and refuses what sending would refuse', async () => {
		await prepare();
		const refusal = await refusalOf(
			run('payment.preparePackage', sender, { items: [recipient(1, { phone: '' }), recipient(2)] }),
		);
		expect(refusal.message).toContain('Phone is required');
		expect(bank().seen).toEqual([]);
	});

	it('gives an item for each recipient, with the columns of what is sent, outcome and total first, and those of its input', async () => {
		const prepared = await prepare();
		const sent = jsonOf(await send());
		const columns = (rows: Json[]) =>
			rows.map((row) => Object.keys(row).filter((column) => !['toSign', 'last'].includes(column)));
		expect(columns(prepared).map((names) => names.toSorted())).toEqual(columns(sent).map((names) => names.toSorted()));
		expect(prepared.map((row) => [...Object.keys(row).slice(0, 2), row.last])).toEqual(
			prepared.map(() => ['outcome', 'total', 'Fakeman']),
		);
		expect(
			prepared.map(({ outcome, sequence, position, count, total }) => [outcome, sequence, position, count, total]),
		).toEqual([
			['prepared', 'a', 1, 3, 63],
			['prepared', 'b', 2, 3, 63],
			['prepared', 'c', 3, 3, 63],
		]);
		expect(sent.map(({ outcome, transactionId, payPackage }) => [outcome, transactionId, payPackage])).toEqual([
			['accepted', 'tx a', 501],
			['accepted', 'tx b', 501],
			['accepted', 'tx c', 501],
		]);
	});

	it('tells where it would go', async () => {
		const [{ environment, host } = {}] = await prepare();
		expect([environment, host]).toEqual(['sandbox', 'bank.test']);
	});

	it('gives the text to sign once for each package, and its SHA-256: the body that is sent, without the signature', async () => {
		const prepared = await prepare({ options: { maxPayments: 2 } });
		expect(prepared.map(({ toSign }) => toSign !== undefined)).toEqual([false, true, true]);
		await send({ options: { maxPayments: 2 } });
		const texts = bank().seen.map(({ text }) => text.replace(',"signedBody":"c2ln"}', '}'));
		expect([prepared[1]?.toSign, prepared[2]?.toSign]).toEqual(texts);
		const digests = texts.map((text) => createHash('sha256').update(text).digest('hex'));
		expect(prepared.map(({ fingerprint }) => fingerprint)).toEqual([digests[0], digests[0], digests[1]]);
	});

	it('is for AI agents as well, which may not send', async () => {
		const parameters = {
			...sender,
			amount: 1,
			phone: '+79000000001',
			nspkBankId: '1',
			paymentDescription: 'x',
			ric: 1,
		};
		const [row] = jsonOf(await asTool(Bank)('payment.preparePackage', parameters, { items: [{}] }));
		expect(row?.outcome).toBe('prepared');
		const refusal = await refusalOf(asTool(Bank)('payment.sendPackage', parameters));
		expect(refusal.message).toBe('Send Package is not available to AI agents');
	});
});

describe('a prepared package', () => {
	it('is sent as it was prepared, to the byte, and each result goes to its row', async () => {
		const rows = await prepare();
		const output = await sendPrepared(rows);
		await send();
		expect(bank().seen[0]?.text).toBe(bank().seen[1]?.text);
		expect(output.map(({ json, pairedItem }) => [json.outcome, json.sequence, json.paymentRun, pairedItem])).toEqual([
			['accepted', 'a', 'salary-2026-11', { item: 0 }],
			['accepted', 'b', 'salary-2026-11', { item: 1 }],
			['accepted', 'c', 'salary-2026-11', { item: 2 }],
		]);
	});

	it('says who was paid', async () => {
		const hints: { message: string }[] = [];
		const rows = await prepare({}, { items: items.map((item, index) => ({ ...item, ФИО: `Person ${index + 1}` })) });
		expect(jsonOf(await sendPrepared(rows, { hints }))).toMatchObject([
			{ recipient: 'Person 1' },
			{ recipient: 'Person 2' },
			{ recipient: 'Person 3' },
		]);
		expect(hints[0]?.message).toBe('3 of 3 accepted: 63.00 to Person 1, Person 2, Person 3. Nothing is open.');
	});

	it('names whose payment is unknown', async () => {
		const hints: { message: string }[] = [];
		const rows = await prepare({}, { items: items.map((item, index) => ({ ...item, ФИО: `Person ${index + 1}` })) });
		bank().answer = () => [500, {}];
		await sendPrepared(rows, { hints, continueOnFail: true });
		expect(hints[0]?.message).toContain('not sent again: Person 1 (a), Person 2 (b), Person 3 (c). ');
	});

	it('may come in another order, in several packages, and from a field', async () => {
		const rows = await prepare({ options: { packagePerItem: true } });
		await sendPrepared(rows.toReversed());
		expect(bank().seen).toHaveLength(3);
		const parameters = { recipientsFrom: 'prepared', signedBody: 'x', prepared: () => rows };
		expect(jsonOf(await run('payment.sendPackage', parameters, { items: [{}] }))).toHaveLength(3);
		expect(jsonOf(await run('payment.sendPackage', { ...parameters, prepared: JSON.stringify(rows) }))).toHaveLength(3);
	});

	it('is put in order again, however many rows it has, and each result goes to its own', async () => {
		const many = Array.from({ length: 12 }, (_, index) => recipient(1, { phone: `+790000000${10 + index}` }));
		const rows = (await prepare({}, { items: many })).toReversed();
		const output = await sendPrepared(rows);
		await send({}, { items: many });
		expect(bank().seen[0]?.text).toBe(bank().seen[1]?.text);
		for (const { json, pairedItem } of output)
			expect(rows[(pairedItem as { item: number }).item]?.phone).toBe(json.phone);
	});

	it('that was refused or sent before says no outcome but its own, and keeps its other columns in the details', async () => {
		const rows = await prepare();
		for (const [given, outcome, options] of [
			[rows.slice(1), 'notSent', {}],
			[rows, 'unknown', {}],
		] as const) {
			bank().answer = () => [500, {}];
			const output = await sendPrepared(given, { ...options, continueOnFail: true });
			// If `pairedItem` is an object, n8n merges the item into that input item; if it is a number, it does not.
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(given.map((_, item) => item));
			const details = output.map(({ json }) => detailsIn(json));
			expect(details.map((one) => one.outcome)).toEqual(given.map(() => outcome));
			const inputs = given.map(({ outcome: _, toSign: __, ...row }) => row);
			expect(details.map(({ input }) => input)).toEqual(inputs);
		}
	});

	const refused: [string, (rows: Json[]) => Json[], string][] = [
		['a row is missing', (rows) => rows.slice(1), 'holds 2 of 3 rows'],
		['a row is there twice', (rows) => [...rows, ...rows.slice(0, 1)], 'holds 4 of 3 rows'],
		['there is none', () => [{}], 'it has no fingerprint'],
		['the payment run is not one', ([first, ...rows]) => [{ ...first, paymentRun: 'x' }, ...rows], 'one paymentRun'],
		['its payment run was changed', (rows) => rows.map((row) => ({ ...row, paymentRun: 'another' })), 'was changed'],
		[
			'its sequences are said to be positions',
			(rows) => rows.map((row) => ({ ...row, sequenceGiven: false })),
			'was changed',
		],
		[
			'a row of it is for another host',
			([first, ...rows]) => [{ ...first }, ...rows.map((row) => ({ ...row, host: 'other.test' }))],
			'for host "other.test"',
		],
		['it is for another host', (rows) => rows.map((row) => ({ ...row, host: 'other.test' })), 'for host "other.test"'],
		[
			'it is for another environment',
			(rows) => rows.map((row) => ({ ...row, environment: 'production' })),
			'environment',
		],
		...['amount', 'phone', 'nspkBankId', 'paymentDescription', 'ric', 'sequence'].map(
			(field): (typeof refused)[number] => [
				`its ${field} was changed`,
				([first, ...rows]) => [{ ...first, [field]: field === 'phone' ? '+79000000009' : 42 }, ...rows],
				'was changed after it was prepared',
			],
		),
		...['account', 'inn'].map((field): (typeof refused)[number] => [
			`its ${field} was changed`,
			(rows) => rows.map((row) => ({ ...row, [field]: '7700000001' })),
			'was changed after it was prepared',
		]),
	];
	it.each(refused)('is refused where %s, and nothing is sent', async (_why, change, words) => {
		const rows = await prepare();
		const refusal = await refusalOf(sendPrepared(change(rows)));
		expect(refusal.text).toContain(words);
		expect(refusal.text).toContain('Nothing was sent');
		expect(bank().seen).toEqual([]);
	});

	it('is refused by a credential for another bank', async () => {
		const rows = await prepare();
		const other = { ...credentials.bankClientCredentialsOAuth2Api, sandboxBaseUrl: 'https://other.test' };
		const refusal = await refusalOf(sendPrepared(rows, { credentials: { bankClientCredentialsOAuth2Api: other } }));
		expect(refusal.message).toContain('was prepared for host "bank.test", and the credential is for "other.test"');
	});

	it.each([
		['host', { sandboxBaseUrl: 'https://other.test' }],
		['environment', { environment: 'production', productionBaseUrl: 'https://bank.test' }],
	])('is refused where it was prepared for another %s, whatever its rows say now', async (field, other) => {
		const bankClientCredentialsOAuth2Api = { ...credentials.bankClientCredentialsOAuth2Api, ...other };
		const rows = await prepare({}, { credentials: { bankClientCredentialsOAuth2Api } });
		const [here = {}] = await prepare();
		expect(rows[0]?.[field]).not.toBe(here[field]);
		const refusal = await refusalOf(sendPrepared(rows.map((row) => ({ ...row, [field]: here[field] }))));
		expect(refusal.text).toContain('was changed after it was prepared');
		expect(bank().seen).toEqual([]);
	});
});

describe('a payout of which some was sent before', () => {
	let database: FakeDatabase;
	let executions = 0;
	beforeEach(() => (database = new FakeDatabase()));
	const options = (): RunOptions => ({ remembered: database, executionId: String(++executions), continueOnFail: true });
	const sent = () => bank().seen.map(({ body }) => packageIn({ body }).payments.map(({ sequence }) => sequence));
	const given = [recipient(1, { sequence: 'a' }), recipient(2, { sequence: 'b' }), recipient(3, { sequence: 'c' })];
	const corrected = [recipient(1, { sequence: 'a', amount: 99 }), ...given.slice(1)];

	it('is prepared without those, which are listed with their results', async () => {
		await send({}, { ...options(), items: given.slice(0, 1) });
		bank().answer = () => [500, {}];
		await send({}, { ...options(), items: given.slice(1, 2) });
		const rows = await prepare({}, { ...options(), items: given });
		expect(
			rows.map(({ outcome, sequence, position, count, total }) => [outcome, sequence, position, count, total]),
		).toEqual([
			['alreadyAccepted', 'a', undefined, undefined, 31.5],
			['unknown', 'b', undefined, undefined, 31.5],
			['prepared', 'c', 1, 1, 31.5],
		]);
		expect(rows[0]).toMatchObject({ transactionId: 'tx a', acceptedIn: expect.any(String) });
		expect(rows[1]).toMatchObject({
			message: expect.stringContaining('b may have been paid on'),
			attempt: expect.any(String),
		});
		expect(outcomesOf(await prepare({}, { ...options(), items: corrected }))).toEqual([
			'conflict',
			'unknown',
			'prepared',
		]);
	});

	it('goes on with the others: what was listed comes out with them, and is not sent', async () => {
		await send({}, { ...options(), items: given.slice(0, 1) });
		bank().answer = () => [500, {}];
		await send({}, { ...options(), items: given.slice(1, 2) });
		bank().answer = accept;
		const rows = await prepare({}, { ...options(), items: given });
		const output = jsonOf(await sendPrepared(rows, options()));
		expect(outcomesOf(output).sort()).toEqual(['accepted', 'alreadyAccepted', 'unknown']);
		expect(output.find(({ outcome }) => outcome === 'alreadyAccepted')).toMatchObject({ transactionId: 'tx a' });
		const unknown = output.find(({ details }) => details !== undefined);
		expect(unknown).toMatchObject({
			error: expect.stringContaining('b may have been paid on'),
			details: { sequence: 'b', attempt: rows[1]?.attempt },
		});
		expect(sent()).toEqual([['a'], ['b'], ['c']]);
	});

	it('has nothing to prepare, and nothing to send, where all of it was', async () => {
		await send({}, { ...options(), items: given });
		const rows = await prepare({}, { ...options(), items: given });
		expect(outcomesOf(rows)).toEqual(given.map(() => 'alreadyAccepted'));
		expect(rows.filter(({ toSign }) => toSign !== undefined)).toEqual([]);
		expect(outcomesOf(jsonOf(await sendPrepared(rows, options())))).toEqual(given.map(() => 'alreadyAccepted'));
		expect(bank().seen).toHaveLength(1);
	});

	it('is refused as a whole where one row was sent after it was prepared, and nobody is paid', async () => {
		const rows = await prepare({}, { ...options(), items: given });
		await send({}, { ...options(), items: given.slice(1, 2) });
		const output = jsonOf(await sendPrepared(rows, options()));
		expect(outcomesOf(output)).toEqual(['notSent', 'alreadyAccepted', 'notSent']);
		expect(output[0]?.error).toBe('The prepared package was not sent: b was sent after it was prepared');
		expect(output[0]?.message).toContain('Run Prepare Package again');
		expect(sent()).toEqual([['b']]);
		const again = await prepare({}, { ...options(), items: given });
		expect(outcomesOf(jsonOf(await sendPrepared(again, options())))).toEqual([
			'accepted',
			'accepted',
			'alreadyAccepted',
		]);
	});

	it('is sent once, even if two people approve it at the same moment', async () => {
		const rows = await prepare({}, { ...options(), items: given });
		const both = await Promise.all([1, 2].map(() => sendPrepared(rows, options())));
		expect(both.map((output) => new Set(outcomesOf(jsonOf(output))))).toContainEqual(new Set(['accepted']));
		expect(bank().seen).toHaveLength(1);
		const again = jsonOf(await sendPrepared(rows, options()));
		expect(outcomesOf(again)).toEqual(['alreadyAccepted', 'alreadyAccepted', 'alreadyAccepted']);
		expect(bank().seen).toHaveLength(1);
	});
});

describe('Check Recipients', () => {
	const statuses = async (options: RunOptions, parameters: Json = {}) =>
		(await prepare({ options: { checkRecipients: true, ...parameters } }, { continueOnFail: true, ...options })).map(
			({ recipientStatus }) => recipientStatus,
		);
	const run1 = { paymentRun: 'november', items: [recipient(1, { last: 'Known' }), recipient(2, { last: 'Rejected' })] };

	it('knows who was paid in another payout, who has another number now, and takes everybody else for new', async () => {
		const remembered = new FakeDatabase();
		expect(await statuses({ remembered, items: run1.items })).toEqual(['new', 'new']);
		await send({ paymentRun: run1.paymentRun }, { remembered, items: run1.items.slice(0, 1) });
		bank().answer = () => [400, { error: 'invalid' }];
		await send({ paymentRun: run1.paymentRun }, { remembered, continueOnFail: true, items: run1.items.slice(1) });
		const items = [
			recipient(1, { phone: '8 (900) 000-00-01', last: 'Other' }),
			recipient(2, { last: 'Rejected' }),
			recipient(3, { last: 'Known' }),
			recipient(4, { last: 'Nobody' }),
		];
		expect(await statuses({ remembered, items })).toEqual(['known', 'new', 'newNumber', 'new']);
		expect(await statuses({ remembered, items: items.slice(0, 1) }, { logToDataTable: '' })).toEqual(['unchecked']);
		remembered.tableFailure = 'all';
		expect(await statuses({ remembered, items: items.slice(0, 1) })).toEqual(['unchecked']);
	});

	it('does not take a payment at the sandbox for one at the bank', async () => {
		const remembered = new FakeDatabase();
		await send({}, { remembered, items: run1.items });
		const production = { environment: 'production', productionBaseUrl: 'https://bank.test' };
		const other = { ...credentials.bankClientCredentialsOAuth2Api, ...production };
		expect(
			await statuses({
				remembered,
				items: run1.items,
				credentials: { ...credentials, bankClientCredentialsOAuth2Api: other },
			}),
		).toEqual(['new', 'new']);
	});
});
