/** Examples if something fails or a user declines: each has a branch for it. */
import { demoCredentials } from '../../../src/demoCredentials.ts';
import { readExample } from '../../../src/examples.ts';
import type { Execution } from '../../../src/n8nRest.ts';
import { type Bed, openBed } from '../../support/bed.ts';
import { answerQuestion, clicked, faultOf, outputOf } from '../../support/examples.expect.ts';
import { edit, imported, paidTo, run, waitingTwice } from '../../support/imported.ts';

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

const denied = { kind: 'error', status: 403, code: 'access_denied' } as const;

/** Items of these nodes, as far as they have run. */
const toldBy = (execution: Execution, ...names: string[]) =>
	names.flatMap((node) => (execution.data.resultData.runData[node] ? outputOf(execution, node) : []));

describe('payout-unknown-results.json', () => {
	const file = 'payout-unknown-results.json';
	const breakOff = async (kind: 'resetAfter' | 'resetBefore') =>
		await bed.sandbox.addFault({ operation: 'payment.sendPackage', times: 1, fault: { kind } });
	const sequencesOf = (execution: Execution, node: string) => outputOf(execution, node).map(({ sequence }) => sequence);

	test('resolves payments that the history shows without asking; the next run returns them as accepted', async () => {
		await breakOff('resetAfter');
		const workflow = await imported(bed, file);
		expect(sequencesOf(await run(bed, workflow), 'Found')).toEqual(['b-1', 'b-2']);
		const again = outputOf(await run(bed, workflow), 'Paid');
		expect(again.map(({ sequence, result }) => [sequence, result])).toEqual([
			['b-1', 'alreadyAccepted'],
			['b-2', 'alreadyAccepted'],
		]);
		expect(await paidTo(bed)).toEqual(['b-1', 'b-2']);

		// The note of the example says to change the payment run and the amounts.
		await breakOff('resetAfter');
		await edit(
			bed,
			workflow,
			[/"paymentRun":"[^"]+"/g, '"paymentRun":"december"'],
			['\\"1500.50\\"', '\\"1700\\"'],
			['\\"200.10\\"', '\\"300\\"'],
		);
		expect(sequencesOf(await run(bed, workflow), 'Found')).toEqual(['b-1', 'b-2']);
	});

	test('sends a payment again only after a person says that the bank does not have it', async () => {
		await breakOff('resetBefore');
		const workflow = await imported(bed, file);
		const execution = await run(bed, workflow, [
			['The bank does not have it', 'Anna'],
			['Decide later', 'Anna'],
		]);
		expect(outputOf(execution, 'Open Question').map(({ result }) => result)).toEqual(['notFound', 'notFound']);
		expect(sequencesOf(execution, 'Paid Again')).toEqual(['b-1']);
		expect(sequencesOf(execution, 'Still Open')).toEqual(['b-2']);
		expect(await paidTo(bed)).toEqual(['b-1']);

		const later = await run(bed, workflow, [['The bank has it', 'Boris']]);
		expect(sequencesOf(later, 'Paid')).toEqual(['b-1']);
		expect(sequencesOf(later, 'Paid, Says a Person')).toEqual(['b-2']);
		expect(sequencesOf(await run(bed, workflow), 'Paid')).toEqual(['b-1', 'b-2']);
		expect(await paidTo(bed)).toEqual(['b-1']);
	});
});

describe('payout-from-rows.json', () => {
	test('pays new rows, reports what was paid, and sends nothing for a changed row', async () => {
		const workflow = await imported(bed, 'payout-from-rows.json');
		await run(bed, workflow);
		await edit(bed, workflow, ['\\"1500.50\\"', '\\"1700\\"']);
		const execution = await run(bed, workflow);
		expect(outputOf(execution, 'Paid').map(({ sequence, outcome }) => [sequence, outcome])).toEqual([
			['p-2', 'alreadyAccepted'],
			['p-3', 'alreadyAccepted'],
		]);
		expect(outputOf(execution, 'Undo the Change')).toMatchObject([
			{ sequence: 'p-1', what: expect.stringContaining('1,500.50') },
		]);
		expect(await paidTo(bed)).toEqual(['p-1', 'p-2', 'p-3']);
	});
});

describe('payout-from-file.json', () => {
	const file = 'payout-from-file.json';
	const [csv = ''] = /Договор;ФИО[^"]+/.exec(JSON.stringify(readExample(file))) ?? [];

	test.each([
		[
			'a missing column',
			['Сумма', 'Итого'],
			/^Understood: Договор → Sequence, .*Missing: Amount\. Your other columns: .*Итого/,
		],
		['headings only', [csv.slice(csv.indexOf('\\n') + 2), ''], /^The file has no rows below its headings/],
		['lines of different lengths', ['Анна Примерова;', 'Анна;;Примерова;'], /^The file could not be read: .*line 2/],
		[
			'an invalid phone',
			['7 900 000-00-01', '1'],
			/^Д-17: Phone must be [^.]*\. Correct the file, then submit it again\.$/,
		],
		[
			'the same problem in all rows',
			['7 900 000-00-0', ''],
			/^All rows: Phone must be [^.]*: "\+1", "\+2", "\+3"\. Correct/,
		],
	] as const)('pays nobody from a file with %s, and says what to correct', async (_what, change, text) => {
		const execution = await run(bed, await imported(bed, file, change));
		expect(outputOf(execution, 'Not Paid')).toEqual([{ title: 'Nothing was paid', text: expect.stringMatching(text) }]);
		expect(await paidTo(bed)).toEqual([]);
	});

	test.each([
		[
			'Windows-1251, as Excel saves it',
			['"fileName":"payments.csv"', '"fileName":"payments.csv","encoding":"windows1251"'],
		],
		['tabs', [csv, csv.replaceAll(';', '\\t')]],
		['commas', [csv, csv.replaceAll(',', '.').replaceAll(';', ',')]],
	] as const)('pays from a CSV file with %s', async (what, change) => {
		const execution = await run(bed, await imported(bed, file, change, ['file-2026-11', what]));
		expect(outputOf(execution, 'Paid')).toMatchObject([
			{ text: expect.stringMatching(/^Payments: 3, 1800\.00 in all/) },
		]);
		expect(await paidTo(bed)).toEqual(['Д-17', 'Д-18', 'Д-19']);
		const [first] = (await bed.sandbox.state()).ledger[0]?.payments ?? [];
		expect(first?.paymentDescription).toBe('Услуги за ноябрь');
	});

	test('pays from an XLSX file, and accepts an amount with a comma', async () => {
		const cells = { Договор: 'Д-1', Телефон: 79000000001, Банк: '100000000111', Сумма: '200,10', 'За что': 'Услуги' };
		const row = Object.entries({ ...cells, 'Код дохода': 1 })
			.map(([name, value]) => JSON.stringify({ id: name, name, type: typeof value, value }))
			.join();
		const workflow = await imported(
			bed,
			file,
			['"operation":"toText","sourceProperty":"csv"', '"operation":"xlsx"'],
			['payments.csv', 'Payments.XLSX'],
			[`{"id":"csv","name":"csv","type":"string","value":"${csv}"}`, row],
		);
		expect(outputOf(await run(bed, workflow), 'Paid')).toMatchObject([
			{ text: expect.stringMatching(/^Payments: 1, 200\.10 in all/) },
		]);
		expect(await paidTo(bed)).toEqual(['Д-1']);
	});
});

describe('payout-report.json', () => {
	test('says that nothing was paid, counts each payment once, and lists what is unknown', async () => {
		const workflow = await imported(bed, 'payout-report.json');
		expect(outputOf(await run(bed, workflow), 'Nothing Paid')).toHaveLength(1);
		const at = new Date().toISOString();
		const row = (sequence: string, amount: string, outcome: string) => ({
			paymentRun: 'may',
			sequence,
			amount,
			outcome,
			at,
			payment: sequence,
		});
		await bed.rest.addRows(workflow.table('Bank Payment Log'), [
			row('a-1', '0.10', 'unknown'),
			row('a-2', '0.20', 'accepted'),
			row('a-1', '0.10', 'accepted'),
			row('a-3', '4', 'rejected'),
			row('a-3', '5', 'sending'),
			row('a-2', '0.20', 'unknown'),
			{ ...row('a-4', '7', 'accepted'), at: '2001-01-01T00:00:00.000Z' },
		]);
		const execution = await run(bed, workflow);
		expect(outputOf(execution, 'By Payout and Outcome')).toEqual([
			{ paymentRun: 'may', outcome: 'accepted', payments: 2, total: '0.30' },
			{ paymentRun: 'may', outcome: 'unknown', payments: 1, total: '5.00' },
		]);
		expect(outputOf(execution, 'Ask the Bank')).toMatchObject([{ text: expect.stringContaining('a-3') }]);
	});
});

describe('payment-log-archive.json', () => {
	test('deletes old rows of finished payments that are in the file, if its owner allows it', async () => {
		const workflow = await imported(bed, 'payment-log-archive.json');
		expect(outputOf(await run(bed, workflow), 'Nothing to Archive')).toHaveLength(1);
		const old = '2001-01-01T00:00:00.000Z';
		await bed.rest.addRows(workflow.table('Bank Payment Log'), [
			{ payment: 'run', outcome: 'begun', at: old },
			{ payment: 'a', outcome: 'rejected', at: old },
			{ payment: 'a', outcome: 'accepted', at: old },
			{ payment: 'b', outcome: 'unknown', at: old },
			{ payment: 'b', outcome: 'hasNot', at: old },
			{ payment: 'c', outcome: 'accepted', at: new Date().toISOString() },
			{ payment: 'd', outcome: 'accepted', at: old },
		]);
		const left = async () => (await workflow.rows('Bank Payment Log')).map(({ payment }) => payment);
		const first = await run(bed, workflow);
		expect(outputOf(first, 'Not Deleted')).toMatchObject([{ text: expect.stringContaining('In the file: 3 rows') }]);
		expect(await left()).toHaveLength(7);
		await edit(bed, workflow, ['"type":"boolean","value":false', '"type":"boolean","value":true']);
		const second = await run(bed, workflow);
		expect(outputOf(second, 'Archived')).toEqual([{ text: 'Archived and deleted: 3 rows' }]);
		expect(await left()).toEqual(['run', 'b', 'b', 'c']);
		expect(outputOf(await run(bed, workflow), 'Nothing to Archive')).toHaveLength(1);
	});
});

describe('operations-to-file.json', () => {
	test('replaces each pending row by the booked one with another ID, and reports one that is gone', async () => {
		const add = async (fields: object) =>
			await bed.sandbox.send<{ id: string }>('POST', '/_sandbox/operations', {
				direction: 'EXPENSE',
				title: 'Coffee',
				...fields,
			});
		await add({ status: 'HOLD' });
		await add({ status: 'HOLD' });
		const workflow = await imported(bed, 'operations-to-file.json');
		await run(bed, workflow);
		// The bank loses both payments, and then shows one of them with another ID.
		await bed.sandbox.reset();
		const booked = await add({ status: 'SUCCESS', id: 'FAKE-BOOKED-1' });
		const execution = await run(bed, workflow);
		// The sandbox's own operations have another time after the reset.
		const unlisted = outputOf(execution, 'Not Listed').filter(({ title }) => title === 'Coffee');
		expect(unlisted.map(({ what, by }) => [what, String(by).split(' ')[0]])).toEqual([
			['replaced', booked.id],
			['gone', ''],
		]);
		const coffees = async () =>
			(await workflow.rows('Operations of the month')).filter(({ title }) => title === 'Coffee');
		expect((await coffees()).map(({ status }) => status).sort()).toEqual(['HOLD', 'SUCCESS']);
		await run(bed, workflow);
		expect(await coffees()).toHaveLength(2);
	});

	test('keeps all operations of one ID, and those that share its time too', async () => {
		const add = async (fields: object, value: number) =>
			await bed.sandbox.send<{ dateTime: string }>('POST', '/_sandbox/operations', {
				id: 'FAKE-SHARED',
				title: 'Shared',
				status: 'SUCCESS',
				amount: { value, currency: 'RUB', minorUnits: 100 },
				...fields,
			});
		const { dateTime } = await add({ direction: 'EXPENSE' }, 5790);
		await add({ direction: 'EXPENSE', dateTime }, 1782);
		await add({ direction: 'INCOME', dateTime }, 5790);
		const workflow = await imported(bed, 'operations-to-file.json');
		for (let runs = 0; runs < 2; runs++) {
			await run(bed, workflow);
			const rows = await workflow.rows('Operations of the month');
			expect(rows.filter(({ title }) => title === 'Shared')).toHaveLength(3);
		}
	});
});

describe('statement-order.json', () => {
	test('repeats an order that failed, and orders the same period only once', async () => {
		const workflow = await imported(bed, 'statement-order.json');
		await bed.sandbox.addFault({ operation: 'statement.orderAccount', fault: { kind: 'unavailable' } });
		await run(bed, workflow);
		expect(await workflow.rows('Statement orders')).toMatchObject([{ status: 'open', reason: expect.any(String) }]);
		await run(bed, workflow);
		await run(bed, workflow);
		const [report, ...more] = (await bed.sandbox.state()).reports;
		expect(more).toEqual([]);
		expect(await workflow.rows('Statement orders')).toMatchObject([{ status: 'ENQUEUED', reportId: report?.id }]);
	});
});

describe('loan-application.json', () => {
	test('sends the same draft under the same ID once the bank is back, and then no more; with other columns', async () => {
		const workflow = await imported(bed, 'loan-application.json', ['sales', 'turnover']);
		await bed.sandbox.addFault({ operation: 'loanApplication.create', fault: { kind: 'unavailable' } });
		await run(bed, workflow);
		const [kept, ...more] = await workflow.rows('Loan drafts');
		expect([kept?.status, more]).toEqual(['to send', []]);
		await run(bed, workflow);
		const sentBefore = await run(bed, workflow);
		expect(outputOf(sentBefore, 'Sent Before')).toMatchObject([{ dealId: kept?.dealId }]);
		expect((await bed.sandbox.state()).loanDrafts).toMatchObject([{ dealId: kept?.dealId, times: 1 }]);
		expect(await workflow.rows('Loan drafts')).toMatchObject([{ dealId: kept?.dealId, status: 'sent' }]);
	});
});

describe('customer-check.json', () => {
	test('calls nobody green while the bank is unavailable, accepts a refusal, and asks later about open rows only', async () => {
		const workflow = await imported(bed, 'customer-check.json');
		const away = (operation: 'unifiedCheck.run' | 'entryScore.scoreSoleProprietor', containing: string) =>
			bed.sandbox.addFault({ operation, containing, times: 10, fault: { kind: 'empty' } });
		await away('unifiedCheck.run', 'Sidorov');
		await away('entryScore.scoreSoleProprietor', '770000000001');
		const first = await run(bed, workflow, [['Decline', 'Anna Decider', 'Unknown to us']]);
		expect(toldBy(first, 'Sign Contract')).toEqual([]);
		expect(
			outputOf(first, 'Ask Again Later')
				.map(({ surname }) => surname)
				.sort(),
		).toEqual(['Ivanova', 'Offline', 'Sidorov']);
		expect(await workflow.rows('Contract decisions')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					surname: 'Petrova',
					decision: 'declined',
					who: 'Anna Decider',
					reason: 'Unknown to us',
				}),
			]),
		);
		await bed.sandbox.clearFaults();
		const later = await run(bed, workflow);
		expect(outputOf(later, 'Not Decided Yet').map(({ surname }) => surname)).toEqual(['Ivanova', 'Offline', 'Sidorov']);
		expect(outputOf(later, 'Sign Contract').map(({ surname }) => surname)).toEqual(['Ivanova']);
		expect(await workflow.rows('Contract decisions')).toHaveLength(5);
	});
});

describe('card-limits-guard.json', () => {
	test('deletes only the expired limit, after approval; also with other column names', async () => {
		const before = (await bed.sandbox.state()).cardLimits;
		const workflow = await imported(
			bed,
			'card-limits-guard.json',
			['\\"card-0001\\"', '{ \\"number\\": \\"card-0001\\" }'],
			['\\"card-0002\\"', '{ \\"number\\": \\"card-0002\\" }'],
			['$json.cards', '$json.number'],
		);
		await run(bed, workflow, [['Keep']]);
		const again = await run(bed, workflow, [['Delete']]);
		expect(outputOf(again, 'Report').map(({ what }) => what)).toEqual(['expired']);
		const after = (await bed.sandbox.state()).cardLimits;
		expect(after['card-0001']).toEqual(before['card-0001']);
		expect(after['card-0002']).toHaveLength((before['card-0002'] ?? []).length - 1);
	});

	test('deletes nothing that has changed since the person was asked', async () => {
		const workflow = await imported(bed, 'card-limits-guard.json');
		for (const id of await waitingTwice(bed, workflow)) {
			await answerQuestion(bed.rest, id, ['Delete']);
			expect((await bed.rest.waitForExecution(id)).status).toBe('success');
		}
		expect((await bed.sandbox.operations()).filter((operation) => operation === 'cardLimit.delete')).toHaveLength(1);
	});

	test('names a card that the bank rejects, keeps its rows, and continues with the others', async () => {
		const workflow = await imported(bed, 'card-limits-guard.json');
		await run(bed, workflow, [['Keep']]);
		const known = await workflow.rows('Bank card limits');
		expect(known.map(({ cardId }) => cardId)).toContain('card-0001');
		const refuse = async (containing: string) =>
			await bed.sandbox.addFault({ operation: 'cardLimit.getMany', containing, fault: denied });
		await refuse('card-0001');
		expect(outputOf(await run(bed, workflow, [['Delete']]), 'Report')).toMatchObject([
			{ what: 'expired', cardId: 'card-0002' },
			{ what: 'not read', cardId: 'card-0001', message: expect.stringContaining('access_denied') },
		]);
		expect(await workflow.rows('Bank card limits')).toEqual(known);
		// Nothing has changed, so nobody is asked. A card that cannot be read does not count as changed.
		expect(toldBy(await run(bed, workflow), 'Report')).toEqual([]);

		await refuse('card-0001');
		await refuse('card-0002');
		const broken = await clicked(bed.rest, workflow);
		expect([broken.status, faultOf(broken)]).toMatchObject([
			'error',
			{ node: 'Compare', message: expect.stringMatching(/No card could be read.*card-0001: .*card-0002: /s) },
		]);
		expect(await workflow.rows('Bank card limits')).toEqual(known);
	});
});

describe('health.json', () => {
	test('alerts once, however often it runs, and reports once that all is well again', async () => {
		const workflow = await imported(bed, 'health.json');
		const look = async () => toldBy(await run(bed, workflow), 'Alert', 'Well Again');
		expect(await look()).toEqual([]);
		await bed.sandbox.addFault({ operation: 'webhook.get', times: 2, fault: denied });
		expect(await look()).toMatchObject([{ text: expect.stringContaining('The subscription cannot be read') }]);
		expect(await look()).toEqual([]);
		await bed.sandbox.clearFaults();
		expect(await look()).toEqual([{ text: 'The connection to the bank is well again' }]);
		// The bank does not respond at all.
		await bed.sandbox.addFault({ times: 20, fault: { kind: 'empty' } });
		expect(await look()).toMatchObject([
			{ text: expect.stringMatching(/subscription .*\nOperations cannot be read/s) },
		]);
		expect(await look()).toEqual([]);
	});

	/** What to find in the workflow and what to put there, so that the node *Expected* has another value. */
	const expecting = (name: string, type: string, ...values: [from: string, to: string]) => {
		const [from, to] = values.map((value) => `"name":"${name}","type":"${type}","value":"${value}"`);
		return [from ?? '', to ?? ''] as const;
	};
	const subscription = '/_sandbox/webhooks/00000000-0000-4000-8000-00000000a001';
	/** *Check* with a credential that has a certificate. */
	const ofCertificate = ({ id, name }: { id: string; name: string }) => {
		const check = '"operation":"check","authenticateWith":';
		const credential = '"options":{}},"credentials":';
		const demo =
			'{"bankAuthorizationCodeOAuth2Api":{"id":"bankDemoAuthCode","name":"Bank sandbox: authorization code"}}';
		return [
			`${check}"authorizationCode",${credential}${demo}`,
			`${check}"mutualTls",${credential}${JSON.stringify({ bankMutualTlsApi: { id, name } })}`,
		] as const;
	};

	test('reports each new problem until all is well: disabled, another URL, no response', async () => {
		const workflow = await imported(
			bed,
			'health.json',
			expecting('mustBeEnabled', 'boolean', 'false', 'true'),
			// With -2 days, the last operation is always too old.
			expecting('daysWithoutOperation', 'number', '7', '-2'),
		);
		const look = async () => toldBy(await run(bed, workflow), 'Alert', 'Well Again').map(({ text }) => text);
		const [{ callbackUri = '' } = {}] = (await bed.sandbox.state()).webhooks;
		const elsewhere = callbackUri.replace('://', '://other.invalid/');
		const silence = 'No operation for -2 days: is that so?';
		const leadTo = async (uri: string) =>
			await bed.sandbox.send('POST', `${subscription}/register`, { callbackUri: uri });

		expect(await look()).toEqual([`The subscription is disabled.\n${silence}`]);
		expect(await look()).toEqual([]);
		await bed.sandbox.send('POST', `${subscription}/enable`, {});
		await leadTo(elsewhere);
		expect(await look()).toEqual([`The events lead elsewhere: ${elsewhere}\n${silence}`]);
		expect(await look()).toEqual([]);
		await leadTo(callbackUri);
		expect(await look()).toEqual([silence]);
		expect(await look()).toEqual([]);
		const dateTime = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
		await bed.sandbox.send('POST', '/_sandbox/operations', { dateTime });
		expect(await look()).toEqual(['The connection to the bank is well again']);
		expect(await look()).toEqual([]);
	});

	test('reports once that a certificate expires soon', async () => {
		const given = ofCertificate({ id: 'bankDemoMutualTls', name: 'Bank sandbox: mutual TLS' });
		const lasting = await imported(bed, 'health.json', given);
		expect(toldBy(await run(bed, lasting), 'Alert', 'Well Again')).toEqual([]);
		const soon = await imported(bed, 'health.json', given, expecting('daysOfCertificate', 'number', '30', '400'));
		expect(toldBy(await run(bed, soon), 'Alert')).toEqual([
			{ text: expect.stringMatching(/^The certificate ends in \d+ days: renew it\.$/) },
		]);
		expect(toldBy(await run(bed, soon), 'Alert', 'Well Again')).toEqual([]);
	});

	test('reports once that a certificate has expired', async () => {
		const type = 'bankMutualTlsApi';
		const { certificate } = bed.sandbox.tls.refused.expired;
		const demo = (await demoCredentials(bed.sandbox)).find((credential) => credential.type === type);
		const data = { ...demo?.data, clientCertificate: certificate };
		const ended = await bed.rest.createCredential({ name: 'Certificate that has ended', type, data });
		const [alert, ...more] = toldBy(await run(bed, await imported(bed, 'health.json', ofCertificate(ended))), 'Alert');
		expect(more).toEqual([]);
		expect(String(alert?.text).split('\n')).toEqual([expect.stringMatching(/^Client Certificate expired on/)]);
	});
});
