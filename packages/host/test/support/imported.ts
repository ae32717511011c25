import { randomBytes } from 'node:crypto';

import { readExample } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import type { Execution } from '../../src/n8nRest.ts';
import type { Bed } from './bed.ts';
import { type Answer, clicked, faultOf } from './examples.expect.ts';

/** The name of a copy's table. It does not only add to the name, because n8n's lookup also finds tables that contain the name. */
const ofCopy = (table: string, copy: string) => table.replace(' ', ` ${copy} `);

/** An example right after its import: nothing was paid and its tables are empty. Adapted on request. */
export async function imported(bed: Bed, file: string, ...changes: ReadonlyArray<readonly [from: string, to: string]>) {
	const example = readExample(file);
	const { id, nodes } = example;
	// Test files share one n8n.
	const copy = randomBytes(3).toString('hex');
	let text = JSON.stringify({ ...example, id: `${id.slice(0, 10)}${copy}` });
	const ownTables = nodes.flatMap(({ parameters }) => [
		parameters.tableName,
		Object(parameters.options).logToDataTable,
	]);
	const tables = new Set(ownTables.flatMap((name) => name ?? []).map(String));
	// A shared payment log would contain payments of another copy.
	text = text.replace(/"paymentRun":"([^"=]+)"/g, `"paymentRun":"$1 copy ${copy}"`);
	for (const table of tables) text = text.replaceAll(`"${table}"`, `"${ofCopy(table, copy)}"`);
	for (const [from, to] of changes) {
		expect(text).toContain(from);
		text = text.replaceAll(from, to);
	}
	const workflow = await bed.rest.createWorkflow(JSON.parse(text) as WorkflowFile);
	const table = (name: string) => ofCopy(name, copy);
	return Object.assign(workflow, { table, rows: async (name: string) => await bed.rest.tableRows(table(name)) });
}

/** Replaces texts in the nodes of a stored workflow, as a user would in the editor. */
export async function edit(
	{ rest }: Bed,
	{ id, nodes }: WorkflowFile,
	...changes: ReadonlyArray<readonly [from: string | RegExp, to: string]>
): Promise<void> {
	const text = changes.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(nodes));
	await rest.request('PATCH', `/rest/workflows/${id}`, { nodes: JSON.parse(text) as unknown });
}

/** Runs the workflow manually, with a user's answers. */
export async function run({ rest }: Bed, workflow: WorkflowFile, given: readonly Answer[] = []): Promise<Execution> {
	const execution = await clicked(rest, workflow, given);
	expect([execution.status, faultOf(execution)]).toEqual(['success', undefined]);
	return execution;
}

/** Starts two executions of a workflow, which wait for the same user. */
export async function waitingTwice({ rest }: Bed, { id }: WorkflowFile): Promise<string[]> {
	const started: string[] = [];
	// Not in parallel: both would create the missing table, and n8n fails one of them.
	for (let count = 0; count < 2; count++) {
		started.push(await rest.runWorkflow(id));
		await rest.waitForQuestion(started[count] ?? '', 1);
	}
	return started;
}

/** The sequences of all payments that the bank has. */
export async function paidTo({ sandbox }: Bed): Promise<string[]> {
	return (await sandbox.state()).ledger.flatMap(({ payments }) => payments.map(({ sequence }) => sequence)).sort();
}
