/** Examples where something goes wrong, or a person says no: each has a way for it. */
import { readExamples } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import type { Execution } from '../../src/n8nRest.ts';
import { type Bed, openBed } from './bed.ts';
import { clicked, faultOf, outputOf } from './examples.expect.ts';

let bed: Bed;
let copies = 0;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

/** An example as somebody has it who imports it now: nothing was paid with it yet. */
async function imported(file: string): Promise<WorkflowFile> {
	const example = (await readExamples()).find((one) => one.file === file);
	if (example === undefined) throw new Error(`There is no example ${file}.`);
	return await bed.rest.createWorkflow({ ...example.workflow, id: `${example.workflow.id}-${++copies}` });
}

/** Runs it as a click does, with a person's answers. */
async function run(workflow: WorkflowFile, given: readonly string[][] = []): Promise<Execution> {
	const execution = await clicked(bed.rest, workflow, given);
	expect([execution.status, faultOf(execution)]).toEqual(['success', undefined]);
	return execution;
}

const paidTo = async () =>
	(await bed.sandbox.state()).ledger.flatMap(({ payments }) => payments.map(({ sequence }) => sequence)).sort();

describe('payout-did-it-go.json', () => {
	const breakOff = async (kind: 'resetAfter' | 'resetBefore') =>
		await bed.sandbox.addFault({ operation: 'payment.sendPackage', times: 1, fault: { kind } });

	test('finds what was paid although the answer was lost, and asks nobody', async () => {
		await breakOff('resetAfter');
		const execution = await run(await imported('payout-did-it-go.json'));
		expect(outputOf(execution, 'Paid After All').map(({ sequence }) => sequence)).toEqual(['b-1', 'b-2']);
		expect(await paidTo()).toEqual(['b-1', 'b-2']);
	});

	test('pays once what was never paid, after a person has said so, and leaves open what they leave open', async () => {
		await breakOff('resetBefore');
		const workflow = await imported('payout-did-it-go.json');
		const execution = await run(workflow, [
			['Not paid', 'Anna'],
			['Wait', 'Anna'],
		]);
		expect(outputOf(execution, 'Open Question').map(({ result }) => result)).toEqual(['notFound', 'notFound']);
		expect(outputOf(execution, 'Paid Again').map(({ sequence }) => sequence)).toEqual(['b-1']);
		expect(outputOf(execution, 'Still Open').map(({ sequence }) => sequence)).toEqual(['b-2']);
		expect(await paidTo()).toEqual(['b-1']);

		const later = await run(workflow, [['Paid', 'Boris']]);
		expect(outputOf(later, 'Paid After All').map(({ sequence }) => sequence)).toEqual(['b-1']);
		expect(outputOf(later, 'Paid, Says a Person').map(({ sequence }) => sequence)).toEqual(['b-2']);
		expect(await paidTo()).toEqual(['b-1']);
	});
});

describe('card-limits-guard.json', () => {
	test('deletes the limit that has run out after a yes, and no other', async () => {
		const before = (await bed.sandbox.state()).cardLimits;
		const workflow = await imported('card-limits-guard.json');
		await run(workflow, [['Keep']]);
		const again = await run(workflow, [['Delete']]);
		expect(outputOf(again, 'Report').map(({ what }) => what)).toEqual(['expired']);
		const after = (await bed.sandbox.state()).cardLimits;
		expect(after['card-0001']).toEqual(before['card-0001']);
		expect(after['card-0002']).toHaveLength((before['card-0002'] ?? []).length - 1);
	});
});

describe('health.json', () => {
	test('alerts once, however often it looks, and tells once that all is well again', async () => {
		const workflow = await imported('health.json');
		const look = async () => {
			const execution = await run(workflow);
			const { runData } = execution.data.resultData;
			return ['Alert', 'Well Again'].flatMap((node) => (runData[node] ? outputOf(execution, node) : []));
		};
		expect(await look()).toEqual([]);
		await bed.sandbox.addFault({
			operation: 'webhook.get',
			times: 2,
			fault: { kind: 'error', status: 403, code: 'access_denied' },
		});
		expect(await look()).toMatchObject([{ text: expect.stringContaining('The subscription cannot be read') }]);
		expect(await look()).toEqual([]);
		await bed.sandbox.clearFaults();
		expect(await look()).toEqual([{ text: 'The connection to the bank is well again' }]);
		expect(await look()).toEqual([]);
	});
});
