import { setTimeout as sleep } from 'node:timers/promises';

import { inParallel } from '../inParallel.ts';
import { N8nRestError } from '../n8nRest.ts';
import { pollUntil } from '../poll.ts';
import type { Testbed } from '../testbed.ts';
import { type Case, mark, type Step } from './cases.ts';
import {
	atTheBank,
	type Evidence,
	logOf,
	numberOf,
	type Report as PaymentReport,
	type Resolved,
	type Visit,
	visitOf,
} from './evidence.ts';
import type { Report } from './report.ts';
import { logName, payouts, resolving, runOf } from './shapes.ts';

/** Number of cases that run in parallel. */
const atOnce = 10;

/** A bank that never responds takes the whole timeout; an execution that is to be interrupted must last. */
const timeoutOf = ({ interruption }: Case, isFirst: boolean) => (isFirst && interruption !== 'none' ? 30 : 2);

/** A case, and what was done for it so far. */
interface Run {
	one: Case;
	/** IDs of the executions of its calls. */
	begun: string[];
	resolved: Resolved[];
	unclear: string[];
}

/** Runs cases in a real n8n and collects evidence about them. */
export class Driver {
	readonly #testbed: Testbed;
	readonly #report: Report;
	#isOpen = false;
	#kills = 0;
	#nextLook: Promise<Set<string>> | undefined;

	constructor(testbed: Testbed, report: Report) {
		this.#testbed = testbed;
		this.#report = report;
	}

	/** Runs the cases to their end. The sandbox is reset first. */
	async run(cases: readonly Case[]): Promise<Map<Case, Evidence>> {
		const { sandbox } = this.#testbed;
		await sandbox.reset();
		await this.#open();
		const since = new Date().toISOString();
		const runs = cases.map((one): Run => ({ one, begun: [], resolved: [], unclear: [] }));
		for (const { number, faults } of cases)
			for (const fault of faults)
				await sandbox.addFault({ operation: 'payment.sendPackage', containing: mark(number), fault });
		const killed = runs.filter(({ one }) => one.interruption === 'kill');
		const perKill = 8;
		for (let from = 0; from < killed.length; from += perKill) await this.#kill(killed.slice(from, from + perKill));
		await this.#each(runs, async (run) => {
			if (run.one.interruption !== 'kill') await this.#begin(run);
			for (const step of run.one.then) await this.#take(run, step);
		});
		await this.#untilSettled();
		await this.#each(runs, async (run) => await this.#finish(run));
		return await this.#evidence(since, runs);
	}

	async #each(runs: readonly Run[], work: (run: Run) => Promise<void>): Promise<void> {
		await inParallel(runs, atOnce, async (run) => {
			try {
				await work(run);
			} catch (error) {
				run.unclear.push(error instanceof Error ? error.message : String(error));
			}
		});
	}

	// ---- the parts of a case

	/** Makes the first calls, and interrupts them as the case says. */
	async #begin(run: Run): Promise<void> {
		const { interruption, times } = run.one;
		const begun = await this.#call(run, times, true);
		if (interruption === 'stopAtTheBank') await this.#untilAtTheBank([run]);
		if (interruption === 'stopAtOnce' || interruption === 'stopAtTheBank') for (const id of begun) await this.#stop(id);
		for (const id of begun) await this.#end(id);
	}

	async #take(run: Run, { do: what, times }: Step): Promise<void> {
		if (what === 'resolve') return await this.#resolve(run, times);
		for (const id of await this.#call(run, times)) await this.#end(id);
	}

	/** Runs again and answers for unknown payments as the bank's ledger says, until nothing is unknown. */
	async #finish(run: Run): Promise<void> {
		// Each of two faults takes a round. Every second round identifies the payments by the other key (sequence or
		// phone), which may take one more.
		for (let rounds = 0; rounds < 8; rounds++) {
			for (const id of await this.#call(run, 1)) await this.#end(id);
			const reports = (await this.#lastVisit(run))?.reports ?? [];
			if (reports.every(({ outcome }) => outcome !== 'unknown' && outcome !== 'notSent')) return;
			await this.#resolve(run, 1);
		}
	}

	/** Answers, as a person would, for each unknown payment of the last call. */
	async #resolve(run: Run, times: number): Promise<void> {
		// The bank may still be processing a request whose execution was interrupted.
		if (run.one.interruption !== 'none') await sleep(3500);
		const unknown = ((await this.#lastVisit(run))?.reports ?? []).filter(({ outcome }) => outcome === 'unknown');
		if (unknown.length === 0) return;
		const { paid } = await this.#atTheBank(run.one);
		const answers = Map.groupBy(unknown, ({ key }) => (paid.some((one) => one.key === key) ? 'has' : 'hasNot'));
		for (const [answer, payments] of answers)
			await Promise.all(Array.from({ length: times }, () => this.#answer(run, answer, payments)));
	}

	async #answer({ resolved }: Run, answer: 'has' | 'hasNot', rows: readonly PaymentReport[]): Promise<void> {
		const items = (await this.#post(resolving[answer].id, { rows })) as { message?: string; payment?: string }[];
		const at = Date.now();
		for (const { key, payment } of rows) {
			const isRecorded = items.some(
				(item) => item.payment === payment && item.message?.startsWith('Recorded:') === true,
			);
			this.#report.count(isRecorded ? 'payments resolved' : 'resolutions that changed nothing');
			if (isRecorded) resolved.push({ key, bankHasIt: answer === 'has', at });
		}
	}

	/** Kills a process that runs a group of cases, restarts it, and stops executions that n8n still considers running. */
	async #kill(group: readonly Run[]): Promise<void> {
		const { n8n, workers } = this.#testbed;
		const begun = Promise.allSettled(group.map((run) => this.#call(run, run.one.times, true)));
		// Every second kill happens before requests arrive at the bank, while the node claims payments or prepares to send.
		if (this.#kills % 2 === 0) await this.#untilAtTheBank(group);
		else await sleep(50 + (((group[0]?.one.number ?? 0) * 37) % 800));
		// In queue mode, every third kill hits the main process, which runs no workflows itself.
		const victim = this.#kills++ % 3 === 2 ? undefined : workers[this.#kills % 2];
		await (victim ?? n8n).kill();
		this.#report.count(victim === undefined ? 'process killed' : 'worker killed');
		if (victim === undefined) await this.#testbed.restartN8n();
		else await this.#testbed.restartWorker(victim);
		await begun;
		await this.#endAll();
	}

	/** Stops executions that n8n does not end itself after a kill, as a user would. */
	async #endAll(): Promise<void> {
		const until = Date.now() + 35_000;
		for (;;) {
			const left = await this.#look();
			if (left.size === 0) return;
			if (Date.now() > until) {
				for (const id of left) await this.#stop(id);
				return;
			}
			await sleep(300);
		}
	}

	/** Waits until no interrupted attempt may still run, for the payment log. */
	async #untilSettled(): Promise<void> {
		const rows = await this.#testbed.rest.tableRows(logName);
		const until = Math.max(0, ...rows.map((row) => Number(row['until'])));
		await sleep(Math.max(0, until - Date.now()));
	}

	async #untilAtTheBank(runs: readonly Run[]): Promise<void> {
		const missing = new Set(runs.map(({ one }) => mark(one.number)));
		const until = Date.now() + 15_000;
		// Does not wait longer for requests that never arrive.
		while (missing.size > 0 && Date.now() < until) {
			const calls = JSON.stringify((await this.#testbed.sandbox.calls()).map(({ body }) => body));
			for (const each of missing) if (calls.includes(each)) missing.delete(each);
			if (missing.size > 0) await sleep(50);
		}
	}

	// ---- n8n

	/** Calls the workflows of a case, several times at once. @returns the IDs of the started executions */
	async #call({ one, begun }: Run, times: number, isFirst = false): Promise<string[]> {
		const { number, rows, sequences, workflows, maxPayments } = one;
		const order = { run: runOf({ number }), maxPayments, timeout: timeoutOf(one, isFirst) };
		const calls = Array.from({ length: times }, async () => {
			const turn = begun.push('') - 1;
			const isNamed = sequences === 'both' ? turn % 2 === 0 : sequences === 'mapped';
			const body = { rows: rows.map((row) => ({ ...row, ...order, ...(isNamed ? {} : { sequence: '' }) })) };
			const { id } = payouts[turn % workflows] ?? {};
			const { execution } = (await this.#post(String(id), body)) as { execution: unknown };
			this.#report.count('executions begun by a call');
			begun[turn] = String(execution);
			return String(execution);
		});
		return await Promise.all(calls);
	}

	async #post(path: string, body: object): Promise<unknown> {
		return await pollUntil(
			async () => {
				const answer = await fetch(`${this.#testbed.webhookUrl}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				});
				const text = await answer.text();
				if (answer.ok) return JSON.parse(text) as unknown;
				// A newly published webhook is not available yet; no execution has started.
				if (answer.status === 404) return undefined;
				throw new Error(`The webhook ${path} was answered with ${answer.status}: ${text}`);
			},
			{ what: `The webhook ${path}` },
		);
	}

	async #stop(id: string): Promise<void> {
		try {
			await this.#testbed.rest.request('POST', `/rest/executions/${id}/stop`);
			this.#report.count('executions stopped');
		} catch (error) {
			// The execution ended before it could be stopped.
			if (!(error instanceof N8nRestError)) throw error;
		}
	}

	async #end(id: string): Promise<void> {
		const hasEnded = async () => !(await this.#look()).has(id);
		await pollUntil(hasEnded, { what: `The end of execution ${id}`, intervalMs: 0 });
	}

	/** Running executions, from a request that starts after this call. Concurrent callers share the request. */
	#look(): Promise<Set<string>> {
		return (this.#nextLook ??= sleep(250).then(async () => {
			this.#nextLook = undefined;
			const { results } = await this.#testbed.rest.executions({ status: ['new', 'running', 'waiting', 'unknown'] });
			return new Set(results.map(({ id }) => id));
		}));
	}

	async #open(): Promise<void> {
		if (this.#isOpen) return;
		const { rest } = this.#testbed;
		for (const workflow of [...payouts, ...Object.values(resolving)]) {
			await rest.createWorkflow(workflow);
			const { active, message } = await rest.activateToEnd(workflow.id);
			if (!active) throw new Error(`The workflow ${workflow.name} cannot be published: ${message}`);
		}
		this.#isOpen = true;
	}

	// ---- what is known

	async #atTheBank(one: Case) {
		const { sandbox } = this.#testbed;
		return atTheBank(one, await sandbox.calls(), (await sandbox.state()).ledger);
	}

	async #lastVisit({ begun, unclear }: Run): Promise<Visit | undefined> {
		const id = begun.at(-1);
		if (id === undefined || id === '') return undefined;
		return visitOf(await this.#testbed.rest.getExecution(id), false, (text) => unclear.push(text));
	}

	async #evidence(since: string, runs: readonly Run[]): Promise<Map<Case, Evidence>> {
		const { sandbox, rest } = this.#testbed;
		await this.#endAll();
		const [calls, { ledger }, log] = [await sandbox.calls(), await sandbox.state(), await rest.tableRows(logName)];
		const evidence = new Map(
			runs.map(({ one, resolved, unclear }): [Case, Evidence] => [
				one,
				{ ...atTheBank(one, calls, ledger), log: logOf(one, log), visits: [], resolved, unclear },
			]),
		);
		for (const { id: workflowId } of payouts) {
			const executions = await rest.allExecutions(workflowId, since);
			await inParallel(executions, 4, async ({ id, status }) => {
				this.#report.count(`executions that ended with ${status}`);
				const stored = await rest.getExecution(id);
				const run = runs.find(({ one }) => one.number === numberOf(stored));
				if (run === undefined) return;
				const { visits = [], unclear = [] } = evidence.get(run.one) ?? {};
				if (run.one.interruption === 'none' && status !== 'success')
					unclear.push(`execution ${id} ended with ${status}`);
				const visit = visitOf(stored, run.begun.at(-1) === id, (text) => unclear.push(text));
				if (visit !== undefined) visits.push(visit);
			});
		}
		return evidence;
	}
}
