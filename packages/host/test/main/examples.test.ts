import { readExamples, startsAtTheBank } from '../../src/examples.ts';
import { pollUntil } from '../../src/poll.ts';
import { type Bed, openBed } from '../support/bed.ts';
import { approved, expectations, faultOf, outputOf, runExample, services } from '../support/examples.expect.ts';
import { imported, run } from '../support/imported.ts';

const examples = readExamples();

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

// Examples with triggers have to be activated: triggers.test.ts.
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

// The filter of executions needs a license, so the test compares the values that the filter would compare.
test('what was paid is with the execution that paid it, as the filter of executions looks for it', async () => {
	const execution = await run(bed, await imported(bed, 'payout-from-rows.json'));
	const [paid] = outputOf(execution, 'Pay');
	// n8n writes the custom data after the end of the execution.
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

test('every expectation belongs to an example', () => {
	expect(examples.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(expectations)));
});
