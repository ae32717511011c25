/** Examples in which a user approves payments: failures around the decision never cause a second payment, or one without approval. */
import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { findChromium, launchChromium } from '../../../src/browser.ts';
import { demoCredentialIds, demoCredentials } from '../../../src/demoCredentials.ts';
import type { Execution } from '../../../src/n8nRest.ts';
import { isAvailable } from '../../../src/optionalDependencies.ts';
import { type Bed, openBed } from '../../support/bed.ts';
import {
	type Answer,
	answerQuestion,
	approved,
	clicked,
	faultOf,
	linkIn,
	outputOf,
	says,
} from '../../support/examples.expect.ts';
import { edit, imported, paidTo, run, waitingTwice } from '../../support/imported.ts';

let bed: Bed;
const withBrowser = isAvailable(findChromium);
/** Forms that nobody answers in time. n8n ends them once a minute, so they are opened before the other tests and read after them. */
let unanswered: { id: string; link: string; page: Page; fill: readonly [string, string]; reason: string }[] = [];

beforeAll(async () => {
	bed = await openBed();
	if (withBrowser) unanswered = await openForms();
});

afterAll(async () => await unanswered[0]?.page.context().browser()?.close());

beforeEach(() => bed.sandbox.reset());

/** Shortens the time limit, so that nobody answers within it. Still long enough to open the form on a busy machine. */
const late = ['"resumeAmount":3,"resumeUnit":"days"', '"resumeAmount":30,"resumeUnit":"seconds"'] as const;

async function openForms() {
	const browser = await launchChromium();
	const open = [];
	for (const [file, fill, reason] of [
		['payout-with-approval.json', ['Pay', 'code'], 'Nothing was paid: Nobody answered in time'],
		['payout-new-recipients.json', ['all', 'Olga'], 'Nobody answered in time: the payments on hold were not made'],
	] as const) {
		const workflow = await imported(bed, file, late);
		const id = await bed.rest.runWorkflow(workflow.id);
		const link = linkIn(await bed.rest.waitForQuestion(id, 1));
		const page = await (await browser.newContext()).newPage();
		await page.goto(link);
		open.push({ id, link, page, fill, reason });
	}
	return open;
}

const formOf = (fields: readonly string[]) => {
	const form = new FormData();
	for (const [index, text] of fields.entries()) form.append(`field-${index}`, text);
	return form;
};

/** Replaces the credential for payments by one whose owner has set every limit. */
async function fullyRestricted(): Promise<[from: string, to: string]> {
	const type = 'bankClientCredentialsOAuth2Api';
	const demo = (await demoCredentials(bed.sandbox)).find(({ id }) => id === demoCredentialIds.clientCredentials);
	const restrictions = {
		restrictUse: true,
		allowedOperations: 'list',
		operationList: 'payment.preparePackage, payment.sendPackage',
		largestPayment: '1500.50',
		largestPackageTotal: '1800',
		largestDailyTotal: '5400',
		mostPaymentsPerDay: '9',
		limitTimeZone: 'Europe/Moscow',
		allowedAccounts: '40702810000000000001',
		allowedPhones: '+79000000001, 89000000002, 9000000003, +79000000011, +79000000012, +79000000013, +79000000019',
		allowedBanks: '100000000111, 100000000222',
		onlyPreparedPackages: true,
	};
	const { id } = await bed.rest.createCredential({ name: 'Limited', type, data: { ...demo?.data, ...restrictions } });
	return [`"id":"${demoCredentialIds.clientCredentials}"`, `"id":"${id}"`];
}

describe('payout-with-approval.json', () => {
	const file = 'payout-with-approval.json';
	const nobodyUpTo = (amount: number) => `"name":"askNobodyUpTo","type":"number","value":${amount}`;
	const oneUpTo = (amount: number) =>
		[
			'"name":"askTwoAbove","type":"number","value":1500',
			`"name":"askTwoAbove","type":"number","value":${amount}`,
		] as const;
	const decisions = (rows: IDataObject[]) => rows.map(({ who, decision }) => [who, decision]);

	test('accepts no second approval by the same person, and none with a wrong code', async () => {
		const workflow = await imported(bed, file, await fullyRestricted());
		const anna = says('Pay', 'Anna Approver');
		const execution = await run(bed, workflow, [anna, anna, ['Pay', 'guessed'], says('Pay', 'Vera Approver')]);
		expect(outputOf(execution, 'Accepted').map(({ approvedBy }) => approvedBy)).toEqual(
			Array.from({ length: 3 }, () => 'Anna Approver, Vera Approver'),
		);
		expect(decisions(await workflow.rows('Bank approvals'))).toEqual([
			['Anna Approver', 'Pay'],
			['Anna Approver', 'Pay'],
			['unknown', 'wrong code'],
			['Vera Approver', 'Pay'],
		]);
		expect(await paidTo(bed)).toEqual(['a-1', 'a-2', 'a-3']);
	});

	test('pays nobody if the second person declines, and records who did', async () => {
		const workflow = await imported(bed, file);
		const no: Answer = (waiting) => [...resolved(says('Do not pay', 'Boris Approver'), waiting), 'Wrong month'];
		const execution = await clicked(bed.rest, workflow, [says('Pay', 'Anna Approver'), no]);
		expect(faultOf(execution)).toMatchObject({ message: 'Nothing was paid: Boris Approver refused: Wrong month' });
		expect(decisions(await workflow.rows('Bank approvals'))).toEqual([
			['Anna Approver', 'Pay'],
			['Boris Approver', 'Do not pay'],
		]);
		expect(await paidTo(bed)).toEqual([]);
	});

	test('asks one person below the amount, and refuses a package that was changed since', async () => {
		const workflow = await imported(bed, file, oneUpTo(1800), [
			"$('Prepare').all().map((item) => item.json)",
			"$('Prepare').all().map((item) => ({ ...item.json, amount: 1 }))",
		]);
		const execution = await run(bed, workflow, approved.slice(0, 1));
		expect(outputOf(execution, 'Not Accepted').map(({ outcome }) => outcome)).toEqual(
			outputOf(execution, 'Not Accepted').map(() => 'notSent'),
		);
		expect(outputOf(execution, 'Not Accepted').length).toBeGreaterThan(0);
		expect(await paidTo(bed)).toEqual([]);
	});

	const resolved = (answer: Answer, waiting: Execution) => (typeof answer === 'function' ? answer(waiting) : answer);

	test('asks nobody up to an amount, and records that', async () => {
		const workflow = await imported(bed, file, [nobodyUpTo(500), nobodyUpTo(1800)]);
		const execution = await run(bed, workflow);
		expect(outputOf(execution, 'Accepted').map(({ approvedBy }) => approvedBy)).toEqual(['nobody', 'nobody', 'nobody']);
		expect(await workflow.rows('Bank approvals')).toMatchObject([
			{ who: 'nobody', decision: 'Pay', remark: 'up to 1800', total: '1800.00', fingerprint: expect.any(String) },
		]);
		expect(await paidTo(bed)).toEqual(['a-1', 'a-2', 'a-3']);
	});

	test.each(['askNobodyUpTo', 'askTwoAbove'])('asks people if the rule %s is missing', async (rule) => {
		const workflow = await imported(bed, file, [`"name":"${rule}"`, '"name":"renamed"']);
		const id = await bed.rest.runWorkflow(workflow.id);
		const waiting = await bed.rest.waitForQuestion(id, 1);
		expect(outputOf(waiting, 'People Needed')).toMatchObject([{ needed: 2 }]);
		expect(await paidTo(bed)).toEqual([]);
	});

	test('pays once if the button is pressed twice, and if two runs wait', async () => {
		const workflow = await imported(bed, file, oneUpTo(1800));
		const [first = '', second = ''] = await waitingTwice(bed, workflow);
		const waiting = await bed.rest.getExecution(first);
		const yes = ['Pay', String(outputOf(waiting, 'Message')[0]?.code)];
		await Promise.all([1, 2].map(() => fetch(linkIn(waiting), { method: 'POST', body: formOf(yes) })));
		expect(outputOf(await bed.rest.waitForExecution(first), 'Accepted')).toHaveLength(3);
		await answerQuestion(bed.rest, second, says('Pay', 'Vera Approver'));
		const other = await bed.rest.waitForExecution(second);
		expect([other.status, faultOf(other)]).toEqual(['success', undefined]);
		expect(await paidTo(bed)).toEqual(['a-1', 'a-2', 'a-3']);
	});
});

describe('payout-new-recipients.json', () => {
	const file = 'payout-new-recipients.json';
	const statuses = (execution: Execution) =>
		outputOf(execution, 'Check Recipients').map(({ recipientStatus }) => recipientStatus);

	test('pays known recipients at once, and points out a known name with a new number', async () => {
		const workflow = await imported(bed, file, await fullyRestricted());
		const first = await run(bed, workflow, [['ALL', 'Olga']]);
		expect(outputOf(first, 'Paid After Approval')).toHaveLength(3);
		await edit(bed, workflow, [/"paymentRun":"[^"]+"/g, '"paymentRun":"december"'], ['+79000000013', '+79000000019']);
		const next = await run(bed, workflow, [['none', 'Olga']]);
		expect(statuses(next)).toEqual(['known', 'known', 'newNumber']);
		expect(outputOf(next, 'Paid').map(({ sequence }) => sequence)).toEqual(['p-1', 'p-2']);
		expect(String(outputOf(next, 'Question')[0]?.question)).toMatch(
			/p-3: .*THIS NAME WAS PAID BEFORE, AT ANOTHER NUMBER/,
		);
		expect(outputOf(next, 'Still Held')).toMatchObject([{ sequence: 'p-3', decidedBy: 'Olga' }]);
		const last = await run(bed, workflow, [['p-3', 'Olga']]);
		expect(outputOf(last, 'Already Sent').map(({ sequence }) => sequence)).toEqual(['p-1', 'p-2']);
		expect(await paidTo(bed)).toEqual(['p-1', 'p-1', 'p-2', 'p-2', 'p-3', 'p-3']);
	});

	test('pays nobody after an answer with an unknown record, and asks again', async () => {
		const answers = ['all except p-3', 'p-1, p-4', 'none'].map((answer) => [answer, 'Olga']);
		const execution = await run(bed, await imported(bed, file), answers);
		expect(execution.data.resultData.runData.Question).toHaveLength(3);
		expect(outputOf(execution, 'Still Held').map((row) => [row.sequence, row.decidedBy])).toEqual(
			['p-1', 'p-2', 'p-3'].map((sequence) => [sequence, 'Olga']),
		);
		expect(await paidTo(bed)).toEqual([]);
	});

	test('pays once if two runs wait for the same answer', async () => {
		const workflow = await imported(bed, file);
		const ids = await waitingTwice(bed, workflow);
		for (const id of ids) {
			await answerQuestion(bed.rest, id, ['all', 'Olga']);
			expect((await bed.rest.waitForExecution(id)).status).toBe('success');
		}
		expect(await paidTo(bed)).toEqual(['p-1', 'p-2', 'p-3']);
	});

	test('stops if a column has another name, and pays each person once also without sequences', async () => {
		const renamed = await imported(bed, file, ['\\"phone\\"', '\\"mobile\\"']);
		const stopped = await clicked(bed.rest, renamed);
		expect([stopped.status, faultOf(stopped)]).toMatchObject(['error', { node: 'Check Recipients' }]);
		const unnamed = await imported(bed, file, ['\\"record\\"', '\\"number\\"']);
		await run(bed, unnamed, [['all', 'Olga']]);
		const again = await run(bed, unnamed);
		expect(outputOf(again, 'Already Sent')).toHaveLength(3);
		expect(await paidTo(bed)).toEqual(['1', '2', '3']);
	});
});

describe('close-of-day.json', () => {
	const groups = (execution: Execution) =>
		outputOf(execution, 'Changed')
			.filter(({ sequence }) => sequence !== '')
			.map(({ sequence, group, status, change }) => [sequence, group, status, change]);

	/** Runs the end-of-day example for the payments of another example. */
	async function closeOf(log: (workflow: { table: (name: string) => string }) => string) {
		const workflow = await imported(bed, 'close-of-day.json');
		await edit(bed, workflow, [workflow.table('Bank Payment Log'), log(workflow)]);
		return workflow;
	}

	test('matches payments, changes nothing when run again, and reports later changes', async () => {
		const payout = await imported(bed, 'payout-new-recipients.json');
		await run(bed, payout, [['p-1, p-2', 'Olga']]);
		const close = await closeOf(() => payout.table('Bank Payment Log'));
		const first = await run(bed, close);
		expect(groups(first)).toEqual([
			['p-1', 'matched', 'SUCCESS', ''],
			['p-2', 'matched', 'SUCCESS', ''],
		]);
		const unexplained = outputOf(first, 'Changed').filter(({ group }) => group === 'unexplained');
		expect(unexplained.length).toBeGreaterThan(0);
		expect(String(outputOf(first, 'Report')[0]?.text)).toContain(`Unexplained outgoing money: ${unexplained.length}\n`);
		const file = first.data.resultData.runData.Report?.[0]?.data?.main?.[0]?.[0]?.binary?.data;
		expect(file?.fileName).toMatch(/^close-of-day-\d{4}-\d\d-\d\d\.xlsx$/);

		const known = await close.rows('Bank close of day');
		expect(known).toHaveLength(2 + unexplained.length);
		const again = await run(bed, close);
		expect(outputOf(again, 'Report')[0]?.text).toBe(outputOf(first, 'Report')[0]?.text);
		expect(await close.rows('Bank close of day')).toEqual(known);

		// Afterwards the bank no longer shows the payments.
		await bed.sandbox.reset();
		const gone = await run(bed, close);
		expect(groups(gone)).toEqual([
			['p-1', 'missing', '', 'matched SUCCESS -> missing'],
			['p-2', 'missing', '', 'matched SUCCESS -> missing'],
		]);
		expect(String(outputOf(gone, 'Report')[0]?.text)).toMatch(
			/Missing at the bank: 2\n.*since the last close: \n- p-1, 1500.50/s,
		);
		expect(groups(await run(bed, close)).map(([, , , change]) => change)).toEqual(['', '']);
	});

	test('stops if the log lacks a column, and compares nothing', async () => {
		const stopped = await clicked(bed.rest, await closeOf(({ table }) => table('Bank close of day')));
		expect([stopped.status, faultOf(stopped)]).toMatchObject([
			'error',
			{ node: 'Compare', message: expect.stringContaining('The payment log cannot be read') },
		]);
	});
});

(withBrowser ? test : test.skip)(
	'nobody is paid after the time is over, and the page does not say that the response was recorded',
	async () => {
		for (const { id, link, page, fill, reason } of unanswered) {
			const execution = await bed.rest.waitForExecution(id);
			expect(String(Object(faultOf(execution)).message)).toContain(reason);
			const [first, second] = fill;
			const fields = page.locator('form').locator('select, input:not([type=hidden])');
			await (first === 'Pay' ? fields.first().selectOption(first) : fields.first().fill(first));
			await fields.nth(1).fill(second);
			await page.getByRole('button', { name: 'Submit' }).click();
			// A form that shows its own page at the end gives the same answer as one that is opened too late.
			const problem = page.getByText(/Problem (?:submitting response|loading form)/);
			await problem.filter({ visible: true }).first().waitFor();
			await page.goto(link);
			await page.getByText('has finished with error').waitFor();
		}
		expect(await paidTo(bed)).toEqual([]);
	},
);
