/**
 * Histories of payouts with the real nodes. A seed decides everything: which step of which execution is next, what fails, what the bank
 * does, who is killed or stopped, and the time.
 */
import crypto from 'node:crypto';
import { Readable } from 'node:stream';

import type { INodeExecutionData } from 'n8n-workflow';

import { FakeDatabase, InlineWorkflowRunner } from '../../../fixtures/src/processedDataStore.ts';
import { seededRandom } from '../../../fixtures/src/seededRandom.ts';
import { BankPartnerServices } from '../../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { credentials, detailsIn, jsonOf, run, runOf, type RunOptions } from '../support/bank.ts';
import { payoutForm, person, type Row } from '../support/payout.ts';

type Json = Record<string, unknown>;
type InlineWorkflow = Parameters<InlineWorkflowRunner['run']>;

/** An execution, or the bank, whose steps are never killed. */
interface Process {
	name: string;
	workflow: string;
	isAlive: boolean;
	stop: AbortController;
	isDone?: boolean;
	/** Whether each step of the database fails for a while. */
	isCutOff?: boolean;
	/** Probability that a step of the database fails. */
	faults: number;
	/** Whether one of its payments was made before, and *If Already Sent* refuses the whole run. */
	isRefused?: boolean;
	/** Whether the process is a person, who looks at the bank and reads the log in one step. */
	isPerson?: boolean;
}

interface Waiting {
	process: Process;
	label: string;
	go: () => void;
}

interface Made {
	/** Number of the person who is paid. */
	payee: number;
	by: string;
}

export interface History {
	problem?: string;
	/** What happened, in order. */
	trace: string[];
	/** Outcomes, kills, faults and races that occurred. */
	seen: Set<string>;
}

const minute = 60_000;
const start = Date.UTC(2026, 10, 23, 6);
const debit = runOf(BankPartnerServices);
const money = 'bankClientCredentialsOAuth2Api';
const debitForm = {
	path: '/direct-debit/debits',
	transactionId: '={{ $json.sequence }}',
	purpose: 'Repayment',
	names: { purpose: 'purpose' },
	payload: '{"loanAccount": "L-1"}',
};

export class Simulation {
	readonly trace: string[] = [];
	readonly seen = new Set<string>();
	readonly #random: ReturnType<typeof seededRandom>;
	readonly #database = new FakeDatabase();
	readonly #ledger: Made[] = [];
	readonly #waiting: Waiting[] = [];
	readonly #bank = this.#process('bank', '');
	readonly #processes: Process[] = [];
	readonly #isDebit: boolean;
	readonly #bySequence: boolean;
	readonly #people: number;
	/**
	 * Whether runs are mixed: with and without sequences, or in copies of the workflow. With both, a payment run can
	 * become unusable.
	 */
	readonly #isMixed: boolean;
	readonly #limits: object;
	/** Whether each run begins only when the one before has ended. */
	readonly #isPatient: boolean;
	#isPeace = false;
	#now = start;
	#problem: string | undefined;

	constructor(seed: number) {
		this.#random = seededRandom(seed);
		const { below, happens } = this.#random;
		this.#isDebit = happens(0.15);
		this.#bySequence = this.#isDebit || happens(0.7);
		this.#isMixed = !this.#isDebit && happens(0.3);
		this.#people = 1 + below(4);
		this.#isPatient = happens(0.2);
		this.#limits = happens(0.3) ? { restrictUse: true, largestDailyTotal: String(1100 * (1 + below(4))) } : {};
	}

	async run(): Promise<History> {
		const { below, happens } = this.#random;
		jest.useFakeTimers({
			now: start,
			doNotFake: [
				...['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'queueMicrotask'],
				'performance',
			] as 'nextTick'[],
		});
		const uuid = jest.spyOn(crypto, 'randomUUID').mockImplementation(() => {
			const digits = Array.from({ length: 32 }, () => below(16).toString(16)).join('');
			return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
		});
		try {
			const isBusy = happens(0.3);
			for (let index = 2 + below(2); index > 0; index--) {
				this.#startPayout(isBusy ? 0.06 : 0);
				// A person who is not patient starts runs that overlap, or that follow each other at once.
				if (this.#isPatient) await this.#schedule(600);
				else if (happens(0.4)) await this.#schedule(below(60));
			}
			await this.#schedule(600);
			await this.#makePeace();
		} catch (error) {
			this.#problem ??= `the simulation failed: ${String(error instanceof Error ? error.stack : error)}`;
		} finally {
			uuid.mockRestore();
			jest.useRealTimers();
		}
		return { trace: this.trace, seen: this.seen, ...(this.#problem === undefined ? {} : { problem: this.#problem }) };
	}

	#process(name: string, workflow: string, more: Partial<Process> = {}): Process {
		return { name, workflow, isAlive: true, stop: new AbortController(), faults: 0, ...more };
	}

	#saw(what: string, process?: Process): void {
		this.seen.add(what);
		this.trace.push(`${process?.name ?? '-'}: ${what}`);
	}

	#advance(milliseconds: number): void {
		this.#now += milliseconds;
		jest.setSystemTime(this.#now);
	}

	/** Lets the executions go on, one step at a time, until all wait for nothing. */
	async #schedule(steps: number): Promise<void> {
		const { below } = this.#random;
		for (let left = steps; left > 0 && this.#problem === undefined; left--) {
			await settle();
			const waiting = this.#waiting.filter(({ process }) => process.isAlive);
			this.#checkLog();
			if (waiting.length === 0) return;
			for (const label of ['claim', 'insert', 'deleteRows'])
				if (waiting.filter((one) => one.label === label).length > 1) this.seen.add(`two at ${label}`);
			if (!this.#isPeace) this.#disturb();
			const next = waiting[below(waiting.length)];
			if (next === undefined || !next.process.isAlive) continue;
			this.#waiting.splice(this.#waiting.indexOf(next), 1);
			this.#advance(below(2000));
			this.trace.push(`${next.process.name} ${next.label}`);
			next.go();
		}
	}

	#disturb(): void {
		const { below, happens } = this.#random;
		const running = this.#processes.filter(({ isAlive, isDone }) => isAlive && isDone !== true);
		const victim = running[below(running.length)];
		const label = this.#waiting.find(({ process }) => process === victim)?.label ?? 'send';
		if (victim !== undefined && happens(0.012)) {
			victim.isAlive = false;
			this.#saw(`killed at ${label}`, victim);
		}
		if (victim !== undefined && happens(0.01)) {
			victim.stop.abort();
			this.#saw(`stopped at ${label}`, victim);
		}
		if (victim !== undefined && happens(0.03)) {
			victim.isCutOff = true;
			this.#saw('cut off from the database', victim);
		}
		for (const process of running.filter(({ isCutOff }) => isCutOff)) process.isCutOff = happens(0.9);
		if (happens(0.01)) {
			this.#advance(below(3) * minute);
			this.#saw('late');
		}
		if (happens(0.01)) {
			this.#advance(30 * minute);
			this.#saw('frozen');
		}
		if (happens(0.03)) this.#ask();
	}

	async #gate(process: Process, label: string): Promise<void> {
		await new Promise<void>((go) => void this.#waiting.push({ process, label, go }));
	}

	/** The parts of n8n that an execution uses. */
	#n8n(process: Process, options: { credentials?: Record<string, Json> }): RunOptions {
		const { happens } = this.#random;
		const fail = (when: string): void => {
			if (process.isCutOff !== true && !happens(process.faults)) return;
			this.#saw(`database fails ${when}`, process);
			throw new Error('Connection terminated unexpectedly');
		};
		const turn = async (operation: string) => {
			if (process.isPerson === true && operation !== 'insert') return;
			await this.#gate(process, operation);
			fail('before');
		};
		const runner = new InlineWorkflowRunner(this.#database, turn);
		const executeWorkflow = async ({ code }: { code: InlineWorkflow[0] }, items: InlineWorkflow[1]) => {
			const data = await runner.run(code, items);
			if (process.isPerson !== true) await this.#gate(process, 'reply');
			fail('after');
			return { executionId: 'x', data };
		};
		return {
			n8n: {
				executeWorkflow,
				getWorkflow: () => ({ id: process.workflow, active: true }),
				getExecutionCancelSignal: () => process.stop.signal,
				helpers: {
					httpRequestWithAuthentication: async (_type: string, request: Json) => await this.#request(process, request),
				},
			},
			executionId: process.name,
			...options,
		};
	}

	async #request(process: Process, { url, timeout, body }: Json): Promise<unknown> {
		const { below, happens } = this.#random;
		const deadline = this.#now + Number(timeout);
		const isLate = () => this.#now > deadline;
		const broken = (code: string): never => {
			this.#saw(`bank: ${code}`, process);
			throw new Error('The request did not succeed', { cause: { isAxiosError: true, code, config: { url } } });
		};
		const respond = (statusCode: number, json: object) => {
			this.#saw(`bank: ${statusCode}`, process);
			return {
				statusCode,
				headers: { 'content-type': 'application/json' },
				body: Readable.from([Buffer.from(JSON.stringify(json))]),
			};
		};
		const sent = JSON.parse(Buffer.from(body as Uint8Array | string).toString()) as Json & { payments?: Row[] };
		const payees = sent.payments?.map(payeeOf) ?? [Number(/T-(\d+)/.exec(String(sent.purpose))?.[1])];
		for (const payee of payees) this.#checkTime(process, payee, deadline);
		await this.#gate(this.#bank, `receives from ${process.name}`);
		if (isLate()) return broken('ECONNABORTED');
		const what = this.#isPeace ? 0 : below(9);
		if (what === 5) return broken('ECONNRESET');
		if (what === 6) return respond(400, { error: 'invalid_request' });
		if (what === 7) return respond(500, { error: 'internal_error' });
		for (const payee of payees) {
			this.trace.push(`bank: makes payment ${payee} of ${process.name}`);
			if (this.#ledger.some((made) => made.payee === payee)) this.#problem ??= `${payee} was paid twice`;
			if (process.isRefused === true) this.#problem ??= `${payee} was paid by a run that refuses to pay anybody`;
			this.#ledger.push({ payee, by: process.name });
		}
		if (process.workflow === 'copy') this.seen.add('paid by a copy');
		if (this.#ledger.filter(({ by }) => by === process.name).length > payees.length) this.seen.add('several packages');
		this.seen.add(this.#isDebit ? 'debit' : this.#bySequence ? 'by sequence' : 'by phone');
		if (process.stop.signal.aborted || !process.isAlive) this.#saw('made after the end of the execution', process);
		await this.#gate(this.#bank, `responds to ${process.name}`);
		if (isLate() || what === 4) return broken('ECONNABORTED');
		if (what === 3) return broken('ECONNRESET');
		if (what === 2) return respond(500, { error: 'internal_error' });
		if (sent.payments === undefined) return respond(200, { paymentOrder: `PO-${payees[0]}` });
		const rows = sent.payments.map((row) => ({ ...row, transactionId: `tx ${row.sequence}`, feeAmount: 0 }));
		const isCut = rows.length > 1 && what === 1 && happens(0.5);
		return respond(200, {
			client: sent.client,
			payPackage: 500 + this.#ledger.length,
			payments: isCut ? rows.slice(1) : rows,
		});
	}

	#startPayout(faults: number): void {
		const { below, happens } = this.#random;
		const process = this.#process(`e${this.#processes.length}`, this.#isMixed || happens(0.7) ? 'workflow' : 'copy', {
			faults,
		});
		this.#processes.push(process);
		const most = below(3);
		const options = {
			...(most > 0 && !this.#isPeace ? { maxPayments: most } : {}),
			...(!this.#isPeace && happens(this.#isPatient ? 0.5 : 0.1) ? { ifAlreadySent: 'refuse' } : {}),
		};
		const bySequence = this.#isPeace ? this.#isBegunBySequence() : this.#isMixed ? happens(0.5) : this.#bySequence;
		const rows = Array.from({ length: this.#people }, (_, index) => this.#row(index + 1, bySequence)).filter(
			() => this.#isPeace || happens(0.85),
		);
		const isPrepared = !this.#isPeace && !this.#isDebit && happens(this.#isPatient ? 0.4 : 0.2);
		const continueOnFail = this.#isPeace || happens(0.7);
		if (rows.length > 0) void this.#execute(process, rows, { options, isPrepared, continueOnFail });
	}

	#row(number: number, bySequence: boolean): Row {
		const isCorrected = !this.#isPeace && this.#random.happens(0.08);
		const { sequence: _, ...row } = person(number, { amount: 1000 + number + (isCorrected ? 0.01 : 0) });
		return bySequence ? { ...row, sequence: `T-${number}` } : row;
	}

	#isBegunBySequence(): boolean {
		const begun = this.#database.log().find(({ outcome }) => outcome === 'begun');
		return begun === undefined ? this.#bySequence : begun.content === 'sequence';
	}

	async #execute(
		process: Process,
		rows: readonly Row[],
		{ options, isPrepared, continueOnFail }: { options: object; isPrepared: boolean; continueOnFail: boolean },
	): Promise<void> {
		await this.#gate(process, 'start');
		if (!this.#isDebit && 'ifAlreadySent' in options && rows.some((row) => this.#isLogged(row))) {
			process.isRefused = true;
			this.#saw('refuses the whole run', process);
		}
		const own = { ...credentials[money], ...(this.#isPeace ? {} : this.#limits) };
		const n8n = this.#n8n(process, { credentials: { ...credentials, [money]: own } });
		const node = { credentials: { [money]: { id: 'c1', name: 'Our bank' } } };
		const shared = { ...n8n, node, continueOnFail, items: rows.map((row) => ({ ...row })) };
		const form = { ...payoutForm, options };
		try {
			if (this.#isDebit)
				return this.#check(process, rows, await debit('directDebit.debit', debitForm, { ...shared, node: {} }));
			if (!isPrepared) return this.#check(process, rows, await run('payment.sendPackage', form, shared));
			const { signedBody, ...unsigned } = form;
			const prepared = await run('payment.preparePackage', unsigned, shared);
			this.#saw('prepared', process);
			const given = { ...shared, items: jsonOf(prepared) };
			const results = await run('payment.sendPackage', { recipientsFrom: 'prepared', signedBody, options }, given);
			this.#check(
				process,
				prepared.flatMap((item) => rows[indexOf(item)] ?? []),
				results,
			);
			this.#saw('sent as prepared', process);
		} catch (error) {
			this.#noteLimit(error);
			this.seen.add('stopped by a failure');
			this.trace.push(`${process.name} failed: ${String((error as Error).message)}`);
		} finally {
			process.isDone = true;
		}
	}

	#isLogged(row: Row): boolean {
		return this.#database.log().some((one) => one.outcome === 'accepted' && this.#payeeIn(one) === payeeOf(row));
	}

	#payeeIn({ sequence, amount }: Json): number {
		return this.#isDebit ? Number(String(sequence).slice(2)) : Math.floor(Number(amount)) - 1000;
	}

	/** Every payment that was made is in the log: nothing else stops a copy of the workflow from paying again. */
	#checkLog(): void {
		const mayBeMade = ['sending', 'accepted', 'unknown', 'has'];
		const shown = this.#database.log().filter(({ outcome }) => mayBeMade.includes(String(outcome)));
		for (const { payee } of this.#ledger)
			if (!shown.some((row) => this.#payeeIn(row) === payee))
				this.#problem ??= `${payee} was made, and the log does not show it`;
	}

	/** Until a request has ended by every worker's clock, no person's answer about its payments is accepted. */
	#checkTime({ name }: Process, payee: number, deadline: number): void {
		const isOwn = (row: Json) => row.execution === name && row.outcome === 'sending' && this.#payeeIn(row) === payee;
		if (!this.#database.log().some((row) => isOwn(row) && Number(row.until) >= deadline + minute / 2))
			this.#problem ??= `${payee} may be resolved while ${name} still sends it`;
	}

	#noteLimit(failure: unknown): void {
		if (String((failure as Error).message).includes('would come to')) this.seen.add('above a limit');
	}

	/** The results of a run are true. */
	#check(process: Process, rows: readonly Row[], results: readonly INodeExecutionData[]): void {
		if (!process.isAlive) return;
		for (const item of results) {
			const outcome = String(item.json.outcome ?? detailsIn(item.json).outcome);
			const row = rows[indexOf(item)];
			this.#noteLimit(item.json);
			this.seen.add(outcome);
			if (row === undefined) continue;
			const name = payeeOf(row);
			this.trace.push(`${process.name}: ${name} is ${outcome}`);
			const made = this.#ledger.filter(({ payee }) => payee === payeeOf(row));
			const isShown = outcome === 'accepted' || outcome === 'alreadyAccepted';
			if (isShown && made.length === 0) this.#problem ??= `${name} is shown as ${outcome}, and was not made`;
			const isNot = outcome === 'rejected' || outcome === 'notSent';
			if (isNot && made.some(({ by }) => by === process.name))
				this.#problem ??= `${name} is shown as ${outcome}, and was made`;
			if (!this.#isPeace) continue;
			this.#shown.set(payeeOf(row), outcome);
		}
	}

	readonly #shown = new Map<number, string>();

	/** A person answers truthfully for payments of the log. */
	#ask(isAll = false): void {
		const log = this.#database.log().filter(({ sequence }) => sequence !== '');
		const rows = new Map(log.map((row) => [String(row.payment), row]));
		const asked = [...rows.values()].filter(() => isAll || this.#random.happens(0.5));
		if (asked.length === 0) return;
		for (const bankAnswer of ['has', 'hasNot']) {
			const items = asked
				.filter((row) => this.#isMade(row) === (bankAnswer === 'has'))
				.map(({ payment }) => ({ payment }));
			if (items.length > 0) void this.#resolve(items, bankAnswer);
		}
	}

	#isMade(row: Json): boolean {
		return this.#ledger.some((made) => made.payee === this.#payeeIn(row));
	}

	async #resolve(items: Json[], bankAnswer: string): Promise<void> {
		const process = this.#process(`person${this.#processes.length}`, 'resolve', { isPerson: true });
		this.#processes.push(process);
		const n8n = { ...this.#n8n(process, { credentials: {} }), items, continueOnFail: true };
		try {
			const found = jsonOf(await run('payment.resolve', { payment: '={{ $json.payment }}', bankAnswer }, n8n));
			for (const json of found)
				this.#saw(`person: ${bankAnswer} ${String(json.outcome ?? detailsIn(json).outcome)}`, process);
		} catch (error) {
			this.trace.push(`${process.name} failed: ${String((error as Error).message)}`);
		} finally {
			process.isDone = true;
		}
	}

	/**
	 * After the faults have ended: run, person, run, person, run. Then everybody was paid once, and the result says so.
	 */
	async #makePeace(): Promise<void> {
		this.#isPeace = true;
		for (const process of this.#processes) Object.assign(process, { isAlive: false, isCutOff: false });
		await this.#schedule(100);
		for (let round = 0; round < 3; round++) {
			this.#advance(24 * 60 * minute);
			this.#startPayout(0);
			await this.#schedule(2000);
			this.#ask(true);
			await this.#schedule(2000);
		}
		for (let payee = 1; payee <= this.#people; payee++) {
			const count = this.#ledger.filter((made) => made.payee === payee).length;
			const shown = this.#shown.get(payee);
			const isTold = shown === 'accepted' || shown === 'alreadyAccepted' || shown === 'conflict';
			if (count !== 1 || !isTold) this.#problem ??= `at the end ${payee} was paid ${count} times, and is ${shown}`;
		}
	}
}

const indexOf = ({ pairedItem }: INodeExecutionData): number =>
	typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : Number(pairedItem);
const payeeOf = ({ phone }: Row): number => Number(phone.slice(-4));

/** Everything that does not wait for a step of the schedule has happened. */
async function settle(): Promise<void> {
	for (let turns = 4; turns > 0; turns--) await new Promise(setImmediate);
}

/** The result of a history as text. The same seed gives exactly the same text. */
export const failureText = (seed: number, { problem, trace }: History): string =>
	`${problem}\nReplay: npm run simulate -- --runs 1 --seed ${seed}\n${trace.join('\n')}`;
