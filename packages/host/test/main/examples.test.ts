import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { demoCredentialIds } from '../../src/demoCredentials.ts';
import { startsAtTheBank } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import { examplesDir } from '../../src/paths.ts';
import { pollUntil } from '../../src/poll.ts';
import { type Bed, openBed } from '../support/bed.ts';
import { approved, expectations, faultOf, outputOf, runExample, services } from '../support/examples.expect.ts';
import { imported, run } from '../support/imported.ts';

const examples = readdirSync(examplesDir)
	.filter((file) => file.endsWith('.json'))
	.map((file) => ({ file, workflow: JSON.parse(readFileSync(join(examplesDir, file), 'utf8')) as WorkflowFile }));

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

// n8n's import command has not changed the files.
test.each(examples)('$file uses only credentials that the demo has', ({ workflow }) => {
	const ids = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
	const known: unknown[] = Object.values(demoCredentialIds);
	expect(ids.filter((id) => !known.includes(id))).toEqual([]);
});

// A condition for submitting an example as a template.
test.each(examples)(
	"$file has all that n8n's form for templates asks for",
	({ workflow: { id, nodes, description, tags } }) => {
		// n8n stores no static data for a workflow with a longer ID, so its trigger would forget everything.
		expect(id).toMatch(/^\w{1,16}$/);
		expect(nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length).toBeGreaterThan(0);
		expect(description).toMatch(/^[A-Z].{20,200}\.$/);
		expect(tags).toEqual(expect.arrayContaining([{ id: 'bankTagBank', name: 'Bank' }, expect.anything()]));
	},
);

// Examples with triggers have to be activated: triggerExamples.test.ts.
describe.each(examples.filter(({ workflow }) => !startsAtTheBank(workflow) && !workflow.active))(
	'$file',
	({ file, workflow }) => {
		test('runs, and does at the bank what it is meant to', async () => {
			await runExample(bed, { file, workflow });
		});
	},
);

/** Lists that stand for a user's sheet or database. The agent's people: agent.test.ts. */
const lists = examples.flatMap(({ file, workflow: { nodes } }) =>
	nodes.flatMap(({ parameters: { jsonOutput } }) => {
		const [, json] = /^=?(\{(?!\{).*)$/s.exec(String(jsonOutput)) ?? [];
		const fields = Object.entries(json === undefined ? {} : (JSON.parse(json) as object));
		return fields.flatMap(([list, value]) =>
			Array.isArray(value) && !(file === 'money-agent.json' && list === 'people') ? [{ file, list }] : [],
		);
	}),
);

// n8n does not run the nodes after one without items, and calls that a success.
test.each(
	lists.flatMap(({ file, list }) => [
		{ file, what: `the list is not called ${list}`, change: [`\\"${list}\\":`, '\\"renamed\\":'] as const },
		{ file, what: `${list} is empty`, change: [`\\"${list}\\":`, `\\"${list}\\": [], \\"other\\":`] as const },
	]),
)('$file ends with an error and pays nobody if $what', async ({ file, change }) => {
	const workflow = await imported(bed, file, change);
	const trigger = workflow.nodes.find(({ name }) => name === 'Once')?.name;
	const execution = await bed.rest.runToEnd(workflow.id, trigger);
	expect([execution.status, faultOf(execution)]).toMatchObject(['error', { message: expect.stringMatching(/./) }]);
	expect((await bed.sandbox.state()).ledger).toEqual([]);
});

test.each([
	['payout-from-rows.json', 'Paid', []],
	['payout-with-approval.json', 'Already Sent', approved],
	['payout-signed-by-a-service.json', 'Already Sent', []],
	['payout-unknown-results.json', 'Paid', []],
] as const)('%s, executed a second time, pays nobody and says what was paid', async (file, told, answers) => {
	const service = services[file];
	if (service !== undefined) await bed.rest.activateToEnd(service);
	const workflow = await imported(bed, file);
	await run(bed, workflow, answers);
	const { ledger } = await bed.sandbox.state();
	expect(ledger).toHaveLength(1);
	const again = await run(bed, workflow);
	expect((await bed.sandbox.state()).ledger).toEqual(ledger);
	const shown = outputOf(again, told);
	expect(shown.map(({ sequence }) => sequence)).toEqual(ledger[0]?.payments.map(({ sequence }) => sequence));
	expect(shown.map(({ outcome, result }) => outcome ?? result)).toEqual(shown.map(() => 'alreadyAccepted'));
	if (service !== undefined) await bed.rest.deactivateToEnd(service);
});

// The filter itself needs a license, so the test compares what it would compare.
test('what was paid is with the execution that paid it, as the filter of executions looks for it', async () => {
	const execution = await run(bed, await imported(bed, 'payout-from-rows.json'));
	const [paid] = outputOf(execution, 'Pay');
	// n8n writes it after the end of the execution.
	const { customData } = await pollUntil(
		async () => {
			const found = await bed.rest.getExecution(execution.id);
			return Object.keys(found.customData ?? {}).length > 0 && found;
		},
		{ what: 'What was paid beside its execution' },
	);
	expect(customData).toEqual({
		bank_operation: 'payment.sendPackage',
		bank_outcome: 'accepted',
		bank_package: String(paid?.payPackage),
	});
	expect(execution.data.resultData.runData.Pay?.[0]?.metadata?.tracing).toEqual({
		'bank.operation': 'payment.sendPackage',
		'bank.outcome': 'accepted',
		'bank.package': String(paid?.payPackage),
	});
});

test('no two examples share an id', () => {
	const ids = examples.map(({ workflow }) => workflow.id);
	expect(new Set(ids).size).toBe(ids.length);
});

// n8n's lookup by name also matches a table whose name contains the name, and takes the one changed last.
test('no table of an example has a name that another one contains', () => {
	const named = examples.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ parameters }) => [parameters.tableName, Object(parameters.options).logToDataTable]),
	);
	const tables = [...new Set(named.flatMap((name) => (typeof name === 'string' ? name.toLowerCase() : [])))];
	expect(tables.length).toBeGreaterThan(10);
	expect(tables.filter((name) => tables.some((other) => other !== name && other.includes(name)))).toEqual([]);
});

test('every expectation belongs to an example', () => {
	expect(examples.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(expectations)));
});
