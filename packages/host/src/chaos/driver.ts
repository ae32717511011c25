import { setTimeout as sleep } from 'node:timers/promises';

import { inParallel } from '../inParallel.ts';
import { N8nRestError } from '../n8nRest.ts';
import { pollUntil } from '../poll.ts';
import type { WorkflowFile } from '../n8nCli.ts';
import type { Testbed } from '../testbed.ts';
import {
	type Case,
	correctedBy,
	type Correction,
	isAlwaysNamed,
	type Kind,
	mark,
	type Packaging,
	type Row,
	type Sender,
	sender,
	type Settings,
	type Step,
	timeoutOf,
} from './cases.ts';
import { entryOf, type Evidence, keyOf, type Resolved } from './evidence.ts';
import { EvidenceByCase, sequenceOf, type ShownUnknown, unknownIn } from './parseExecutions.ts';
import type { Report } from './report.ts';
import { logNames, type Payout, paymentNodes, payout, resolving, runOf, sharedWorkflow } from './shapes.ts';

/** Number of cases that run in parallel. */
const atOnce = 10;

/** Body of a call, as the webhook receives it. */
interface Order extends Packaging, Sender {
	run: string;
	timeout: number;
	/** The Data Table used as payment log. */
	log: string;
	/** Workflow to share protection with; the calling one if it shares with none. */
	share: string;
	rows: Row[];
}

/** A user's decision about payments in *Payment: Resolve*. */
interface Resolution {
	bankHasIt: boolean;
	payments: Array<{ sequence: string; attempt: string; log: string }>;
}

/** A case with its workflows, and what it has done so far. */
interface Run {
	one: Case;
	payout: Payout;
	/** Executions started by calls that got a response. */
	begun: string[];
	resolutions: Resolution[];
	resolved: Resolved[];
	unclear: string[];
}

/** Runs cases in a real n8n and collects evidence about them. */
export class Driver {
	readonly #testbed: Testbed;
	readonly #report: Report;
	readonly #perKill: number;
	readonly #payouts = new Map<string, Payout>();
	#kills = 0;
	#nextLook: Promise<Map<string, string>> | undefined;

	/** @param perKill number of running cases when a process is killed */
	constructor(testbed: Testbed, report: Report, perKill: number) {
		this.#testbed = testbed;
		this.#report = report;
		this.#perKill = perKill;
	}

	/** Runs the cases to their end. The sandbox is reset first. */
	async run(cases: readonly Case[]): Promise<(number: number) => Evidence> {
		await this.#testbed.sandbox.reset();
		const since = new Date().toISOString();
		const runs: Run[] = [];
		for (const one of cases) {
			await this.#setFaults(one);
			// Published before anything runs, so that no workflow is being published during a kill.
			runs.push({ one, payout: await this.#open(one.kind), begun: [], resolutions: [], resolved: [], unclear: [] });
		}
		const killed = runs.filter(({ one }) => one.interruption === 'kill');
		for (let from = 0; from < killed.length; from += this.#perKill)
			await this.#kill(killed.slice(from, from + this.#perKill));
		await inParallel(runs, atOnce, async (run) => {
			try {
				if (run.one.interruption !== 'kill') await this.#begin(run);
				await this.#goOn(run);
			} catch (error) {
				run.unclear.push(error instanceof Error ? error.message : String(error));
			}
		});
		return await this.#evidence(since, runs);
	}

	async #setFaults({ number, faults, kind }: Case): Promise<void> {
		for (const fault of faults)
			await this.#testbed.sandbox.addFault({
				operation: kind.shape === 'debit' ? 'directDebit.debit' : 'payment.sendPackage',
				containing: mark(number),
				fault,
			});
	}

	// ---- the parts of a case

	/** Makes the first call, several times in parallel if the case says so, and interrupts it as the case says. */
	async #begin(run: Run): Promise<void> {
		const { one } = run;
		const { interruption } = one;
		const begun = await this.#call(run, one.times, firstOrder(one), one.settings);
		if (interruption === 'stopAtTheBank') await this.#untilAtTheBank([run]);
		if (interruption === 'stopAtOnce' || interruption === 'stopAtTheBank') for (const id of begun) await this.#stop(id);
		for (const id of begun) await this.#end(id);
		// n8n stops an execution but not the sub-workflow that it waits for, which continues to pay.
		if (one.kind.shape === 'subWorkflow') await this.#endSubExecutions(run);
	}

	async #goOn(run: Run): Promise<void> {
		const { one, payout } = run;
		for (const step of one.then) await this.#take(run, step);
		await this.#resolveAgain(run);
		const order = orderOf(one, one.settings, one);
		await this.#end(await this.#post(`${payout.last.id}/final`, { ...order, share: payout.last.id }));
	}

	async #take(run: Run, step: Step): Promise<void> {
		const { one } = run;
		if (step.do === 'retry') {
			const failed = await this.#failedExecution(run);
			if (failed !== undefined) return await this.#retry(failed, step.saved);
			this.#report.count('retry: nothing to retry');
			return;
		}
		if (step.do === 'executeStep') return await this.#executeStep(run);
		if (step.do === 'resolve') {
			const rows = step.after === 'reversed' ? one.rows.toReversed() : one.rows;
			const order = orderOf(one, one.settings, { rows, packaging: one.packaging });
			if (step.after !== 'none') await this.#callToEnd(run, 1, order, one.settings);
			return await this.#resolve(run, step.times);
		}
		if (step.do === 'deleteLog') {
			this.#report.count('logs deleted');
			return await this.#testbed.rest.deleteTable(logNames.deleted);
		}
		const rows = step.reversed ? one.rows.toReversed() : one.rows;
		const order = orderOf(one, step, { rows, packaging: step.packaging, correction: step.correction });
		await this.#callToEnd(run, step.times, order, step);
	}

	// ---- what a person says

	/**
	 * Resolves each payment that the log shows as unknown, unless it is uncertain whether the bank has it. Enters the values of its
	 * error, as a user would, or those of the log if the last execution has no error for it.
	 */
	async #resolve(run: Run, times: number): Promise<void> {
		const { one } = run;
		await this.#resolveAgain(run);
		// The bank may still be processing a request whose execution was stopped.
		if (one.interruption !== 'none') await sleep(3500);
		const { rest, sandbox } = this.#testbed;
		const { ledger, paymentOrders } = await sandbox.state();
		const calls = await sandbox.calls();
		const executionOf = new Map(
			calls.map(({ id, body }) => [id, /^visit (\d+) /.exec(String(Object(body).signedBody))?.[1]]),
		);
		const shown = await this.#shownUnknown(run);
		const answers = new Map<boolean, Resolution['payments']>();
		for (const log of [logNames.kept, logNames.deleted]) {
			const rows = (await rest.tableRows(log).catch(() => [])).filter((row) => isOfCase(row, one));
			const groups = Map.groupBy(rows, ({ execution, sequence, amount, phone }) =>
				JSON.stringify(
					one.kind.shape === 'debit' ? [sequence] : [execution, entryOf({ phone: String(phone), amount })],
				),
			);
			for (const [group, same] of groups) {
				const paid =
					one.kind.shape === 'debit'
						? paymentOrders.filter(({ transactionId }) => JSON.stringify([transactionId]) === group)
						: ledger.flatMap(({ call, payments }) =>
								payments.filter((payment) => JSON.stringify([executionOf.get(call), entryOf(payment)]) === group),
							);
				const open = same.filter(({ outcome }) => isOpen(String(outcome)));
				const left = paid.length - same.filter(({ outcome }) => outcome === 'accepted').length;
				// With equal payments in one execution it is undetermined which of them the bank has.
				if (open.length === 0 || (left > 0 && left < open.length)) continue;
				const payments = open.map(({ sequence, attempt, phone }) => {
					const recipients = [String(sequence), String(phone).slice(-4)];
					const at = shown.findIndex(
						(one) => recipients.includes(one.recipient) && one.attempt.startsWith(String(attempt)),
					);
					const [error] = at < 0 ? [] : shown.splice(at, 1);
					if (error !== undefined) this.#report.count('payments to resolve found by their errors');
					return { sequence: error?.sequence ?? String(sequence), attempt: error?.attempt ?? String(attempt), log };
				});
				answers.set(left > 0, [...(answers.get(left > 0) ?? []), ...payments]);
			}
		}
		for (const [bankHasIt, payments] of answers) {
			const resolution = { bankHasIt, payments };
			run.resolutions.push(resolution);
			await Promise.all(Array.from({ length: times }, () => this.#sayOnce(run, resolution)));
		}
	}

	/** The unknown payments in the errors of the last execution. */
	async #shownUnknown({ begun }: Run): Promise<ShownUnknown[]> {
		const last = begun.at(-1);
		return last === undefined ? [] : unknownIn(await this.#testbed.rest.getExecution(last));
	}

	/** Resolves payments again that were resolved before. */
	async #resolveAgain(run: Run): Promise<void> {
		for (const resolution of run.resolutions) await this.#sayOnce(run, resolution);
	}

	async #sayOnce({ one, resolved }: Run, { bankHasIt, payments }: Resolution): Promise<void> {
		const at = Date.now();
		const answer = await fetch(`${this.#testbed.webhookUrl}/webhook/chaosResolve/${bankHasIt ? 'has' : 'hasNot'}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ payments }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`Resolve was answered with ${answer.status}: ${text}`);
		const items = JSON.parse(text) as Array<Record<string, string>>;
		const recorded = items.filter(({ message }) => message?.startsWith('Recorded:') === true);
		this.#report.count('payments resolved', recorded.length);
		this.#report.count('resolutions that changed nothing', items.length - recorded.length);
		for (const { sequence = '', phone = '', attempt = '' } of recorded) {
			const own = one.kind.shape === 'debit' ? sequenceOf(sequence) : sequence;
			const key = keyOf({ sequence: own, phone }, isAlwaysNamed(one));
			resolved.push({ key, name: `${attempt} ${sequence}`, bankHasIt, at });
		}
	}

	/** Kills the process that runs a group of cases, restarts it, and stops executions that n8n still considers running. */
	async #kill(group: readonly Run[]): Promise<void> {
		const { n8n, workers } = this.#testbed;
		const begun = Promise.allSettled(
			group.map((run) => this.#call(run, run.one.times, firstOrder(run.one), run.one.settings)),
		);
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
				for (const id of left.keys()) await this.#stop(id);
				return;
			}
			await sleep(300);
		}
	}

	async #untilAtTheBank(runs: readonly Run[]): Promise<void> {
		const missing = new Set(runs.map(({ one }) => mark(one.number)));
		const until = Date.now() + 15_000;
		// Requests that never arrive, such as those of a rejected package, are not waited for.
		while (missing.size > 0 && Date.now() < until) {
			const calls = JSON.stringify((await this.#testbed.sandbox.calls()).map(({ body }) => body));
			for (const each of missing) if (calls.includes(each)) missing.delete(each);
			if (missing.size > 0) await sleep(50);
		}
	}

	// ---- n8n

	/** Makes the same call several times at once. @returns the IDs of the started executions */
	async #call({ one, payout, begun }: Run, times: number, order: Order, { isShared }: Settings): Promise<string[]> {
		const { file, last } = payout;
		const share = isShared && one.kind.shape !== 'shared' ? sharedWorkflow.id : last.id;
		const calls = Array.from({ length: times }, async () => {
			const id = await this.#post(`${file.id}/call`, { ...order, share });
			begun.push(id);
			return id;
		});
		return await Promise.all(calls);
	}

	/** Makes a call and waits until its executions have ended. */
	async #callToEnd(run: Run, times: number, order: Order, settings: Settings): Promise<void> {
		for (const id of await this.#call(run, times, order, settings)) await this.#end(id);
	}

	/** @returns the ID of the started execution */
	async #post(path: string, { rows, ...rest }: Order): Promise<string> {
		const body = JSON.stringify({ ...rest, rows: rows.map((row) => ({ ...row, ...rest })) });
		const { execution } = await pollUntil(
			async () => {
				const answer = await fetch(`${this.#testbed.webhookUrl}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body,
				});
				const text = await answer.text();
				if (answer.ok) return JSON.parse(text) as { execution: unknown };
				// A newly published webhook is not available yet; no execution has started.
				if (answer.status === 404) return undefined;
				throw new Error(`The webhook ${path} was answered with ${answer.status}: ${text}`);
			},
			{ what: `The webhook ${path}` },
		);
		this.#report.count('executions begun by a call');
		return String(execution);
	}

	async #retry(id: string, saved: boolean): Promise<void> {
		try {
			await this.#testbed.rest.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: saved });
			this.#report.count(saved ? 'retries with the saved workflow' : 'retries with the original workflow');
		} catch (error) {
			if (!(error instanceof N8nRestError)) throw error;
			this.#report.count(`retries that n8n refused: ${error.message}`);
		}
	}

	/** Does what *Execute step* of the payment node does, with the data of the first execution. */
	async #executeStep({ one: { kind }, payout, begun: [first] }: Run): Promise<void> {
		const before = first === undefined ? null : (await this.#testbed.rest.getExecution(first)).data;
		const names: readonly string[] = [...paymentNodes, 'Once', 'Same Rows'];
		const runData = Object.fromEntries(
			Object.entries(before?.resultData?.runData ?? {}).filter(([name]) => !names.includes(name)),
		);
		if (runData[kind.from === 'list' ? 'Respond' : 'Rows'] === undefined || kind.shape === 'subWorkflow') {
			this.#report.count('Execute step: no data before it');
			return;
		}
		const { executionId } = await this.#testbed.rest.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${payout.file.id}/run`,
			{ runData, destinationNode: { nodeName: 'Send', mode: 'inclusive' }, dirtyNodeNames: ['Send'] },
		);
		this.#report.count('steps executed in the editor');
		await this.#end(executionId);
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

	/** The oldest execution of a case that can be retried. */
	async #failedExecution({ begun }: Run): Promise<string | undefined> {
		for (const id of begun) {
			const { status, data } = await this.#testbed.rest.getExecution(id);
			if (data !== null && ['error', 'crashed', 'canceled'].includes(status)) return id;
		}
		return undefined;
	}

	async #end(id: string): Promise<void> {
		const hasEnded = async () => !(await this.#look()).has(id);
		await pollUntil(hasEnded, { what: `The end of execution ${id}`, intervalMs: 0 });
	}

	/** Running executions of the sub-workflow, which may belong to several cases. */
	async #endSubExecutions({ payout }: Run): Promise<void> {
		for (const [id, workflowId] of await this.#look()) if (workflowId === payout.last.id) await this.#end(id);
	}

	/** Running executions by workflow, from a request that starts after this call. Concurrent callers share the request. */
	#look(): Promise<Map<string, string>> {
		return (this.#nextLook ??= sleep(250).then(async () => {
			this.#nextLook = undefined;
			const { results } = await this.#testbed.rest.executions({ status: ['new', 'running', 'waiting', 'unknown'] });
			return new Map(results.map(({ id, workflowId }) => [id, workflowId]));
		}));
	}

	/** The workflows of a kind, created and published on first use. */
	async #open(kind: Kind): Promise<Payout> {
		const name = JSON.stringify(kind);
		const known = this.#payouts.get(name);
		if (known !== undefined) return known;
		if (this.#payouts.size === 0) {
			await this.#testbed.rest.createWorkflow(sharedWorkflow);
			await this.#publish(resolving);
		}
		const made = payout(`chaos${this.#payouts.size}`, kind);
		for (const workflow of new Set([made.last, made.file])) await this.#publish(workflow);
		this.#payouts.set(name, made);
		return made;
	}

	async #publish(workflow: WorkflowFile): Promise<void> {
		const { rest } = this.#testbed;
		await rest.createWorkflow(workflow);
		const { active, message } = await rest.activateToEnd(workflow.id);
		if (!active) throw new Error(`The workflow ${workflow.name} cannot be published: ${message}`);
	}

	// ---- what is known afterwards

	async #evidence(since: string, runs: readonly Run[]): Promise<(number: number) => Evidence> {
		const { sandbox, rest } = this.#testbed;
		await this.#endAll();
		const cases = runs.map(({ one }) => one);
		const evidence = new EvidenceByCase(cases);
		for (const { one, resolved, unclear } of runs) {
			evidence.of(one.number).resolved.push(...resolved);
			evidence.of(one.number).unclear.push(...unclear);
		}
		evidence.addCalls(await sandbox.calls());
		const { ledger, paymentOrders } = await sandbox.state();
		evidence.addLedger(ledger);
		evidence.addOrders(paymentOrders);
		evidence.addLog(await rest.tableRows(logNames.kept).catch(() => []));
		for (const { file, last } of this.#payouts.values()) {
			for (const workflowId of new Set([file.id, last.id])) {
				const executions = await rest.allExecutions(workflowId, since);
				await inParallel(executions, 4, async ({ id, status }) => {
					this.#report.count(`executions that ended with ${status}`);
					const number = evidence.addExecution(await rest.getExecution(id));
					const found = cases.find((one) => one.number === number);
					if (found?.interruption === 'none' && status !== 'success' && status !== 'error')
						evidence.of(found.number).unclear.push(`execution ${id} ended with ${status}`);
				});
			}
		}
		return (number) => evidence.of(number);
	}
}

/** A row of a payment log. Debits have no payment run. */
const isOfCase = ({ paymentRun, sequence }: Record<string, unknown>, one: Case): boolean =>
	paymentRun === runOf(one) || String(sequence).startsWith(`${runOf(one).replaceAll(' ', '-')}-payment`);

/** Whether a log row has no result, or an unknown one. */
const isOpen = (outcome: string): boolean => ['preparing', 'sending', 'unknown'].includes(outcome);

const firstOrder = (one: Case): Order => ({ ...orderOf(one, one.settings, one), timeout: timeoutOf(one, true) });

function orderOf(
	one: Case,
	{ log, isNamed }: Settings,
	{ rows, packaging, correction = null }: { rows: Row[]; packaging: Packaging; correction?: Correction | null },
): Order {
	const corrected = correctedBy(rows, correction);
	return {
		...sender,
		...corrected.sender,
		...packaging,
		run: runOf(one),
		timeout: timeoutOf(one, false),
		log: logNames[log],
		share: '',
		rows: isNamed ? corrected.rows : corrected.rows.map((row) => ({ ...row, sequence: '' })),
	};
}
