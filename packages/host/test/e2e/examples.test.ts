import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { demoCredentialIds } from '../../src/demoCredentials.ts';
import { startsAtTheBank } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import type { Execution } from '../../src/n8nRest.ts';
import { examplesDir } from '../../src/paths.ts';
import { type Bed, openBed } from './bed.ts';
import { expectations } from './examples.expect.ts';

const examples = readdirSync(examplesDir)
	.filter((file) => file.endsWith('.json'))
	.map((file) => ({ file, workflow: JSON.parse(readFileSync(join(examplesDir, file), 'utf8')) as WorkflowFile }));

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

// n8n has imported the files unchanged, with its own command.
test.each(examples)('$file uses only credentials that the demo has', ({ workflow }) => {
	const ids = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
	for (const id of ids) expect(Object.values(demoCredentialIds)).toContain(id);
});

// Those that the bank starts have to be activated: triggerExamples.test.ts.
describe.each(examples.filter(({ workflow }) => !startsAtTheBank(workflow)))('$file', ({ file, workflow }) => {
	test('runs, and does at the bank what it is meant to', async () => {
		const execution = await bed.rest.runToEnd(workflow.id);
		expect(faultOf(execution)).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(await bed.sandbox.objections()).toEqual([]);

		const check = expectations[file];
		if (!check) throw new Error(`Say in examples.expect.ts what ${file} must have done.`);
		const calls = (await bed.sandbox.calls()).filter(({ operation }) => !operation?.startsWith('oauth.'));
		await check({ output: (node, index) => outputOf(execution, node, index), calls, sandbox: bed.sandbox });
	});
});

test('no two examples share an id', () => {
	const ids = examples.map(({ workflow }) => workflow.id);
	expect(new Set(ids).size).toBe(ids.length);
});

test('every expectation belongs to an example', () => {
	expect(examples.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(expectations)));
});

function outputOf({ data }: Execution, node: string, index = 0): IDataObject[] {
	const runs = data.resultData.runData[node];
	if (!runs) throw new Error(`No node "${node}" has run; these have: ${Object.keys(data.resultData.runData).join(', ')}`);
	return runs.flatMap((run) => (run.data?.main?.[index] ?? []).map(({ json }) => json));
}

/** With the reason of a failed run in the message of the failed test. */
function faultOf({ data }: Execution): unknown {
	const { error, lastNodeExecuted } = data.resultData;
	return error && { node: lastNodeExecuted, message: error.message, description: (error as { description?: unknown }).description };
}
