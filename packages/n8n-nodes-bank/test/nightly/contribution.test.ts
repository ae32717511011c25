/**
 * Follows CONTRIBUTING in a copy of the workspace: a new operation, a new resource, a closed gap and an error code. Its steps are
 * sufficient, and no test file needs a change.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { newResourceId, oracleFile, sampleFile, serviceFacts, serviceId, WorkingTree } from '../support/workingTree.ts';
import { addErrorCode, closeGap, fillInResource, fillInService, gapId } from './contribution.ts';

jest.setTimeout(600_000);

/** Files that a resource needs in addition to oracle and sample. */
const newResource = [
	'packages/core/src/operations/currencyRate/get.ts',
	'packages/core/src/operations/currencyRate/index.ts',
	'packages/core/src/operations/definitions.ts',
	'packages/core/src/operations/resources.ts',
	'packages/fixtures/src/sandbox/handlers/currencyRate.ts',
	'packages/fixtures/src/sandbox/handlers/index.ts',
];

// These tests depend on each other.
describe('a contribution', () => {
	let tree: WorkingTree;
	beforeAll(() => {
		tree = new WorkingTree();
	});
	afterAll(() => tree.close());

	it('a skeleton that is left as it is does not pass: each of its files is named', () => {
		tree.newOperation(serviceId);
		tree.newOperation(newResourceId, 'bank');
		const { code, output } = tree.jest('fixtures', 'complete');
		expect(code).toBe(1);
		for (const file of [
			'packages/core/src/operations/trips/index.ts',
			...newResource.filter((file) => !/(?:index|definitions)\.ts$/.test(file)),
			oracleFile(newResourceId),
			sampleFile(newResourceId),
		])
			expect(output).toMatch(new RegExp(`${file.replaceAll('.', '\\.')}:\\d+ .*TODO`));
	});

	it('touches what CONTRIBUTING names, and nothing else', () => {
		fillInService(tree);
		fillInResource(tree);
		closeGap(tree);
		addErrorCode(tree);
		expect(tree.changed()).toEqual(
			[
				// An operation without a documented response changes only this file by hand.
				'packages/core/src/operations/trips/index.ts',

				...newResource,
				oracleFile(newResourceId),
				sampleFile(newResourceId),

				'packages/core/src/operations/cardChannels/index.ts',
				serviceFacts,

				'packages/core/src/errors/courier.ts',
				'packages/core/src/errors/nextSteps.ts',
				'packages/n8n-nodes-bank/nodes/shared/base/messages.ts',
				'packages/fixtures/oracle/errors/courier.json',
			].sort(),
		);
		expect(tree.typecheck()).toEqual({ code: 0, output: '' });
	});

	it('the generator writes the forms, and their names are accepted', () => {
		expect(tree.generate()).toMatchObject({ code: 0 });
		// The sandbox needs a path even if none is shown.
		expect(tree.diff('packages/fixtures/serviceDetails.json')).toContain(`"path": "/${serviceId.replace('.', '/')}"`);
		expect(tree.node('packages/n8n-nodes-bank', 'build.mjs')).toMatchObject({ code: 0 });
		expect(tree.jest('n8n-nodes-bank', 'test/publicContract.test', '--updateSnapshot')).toMatchObject({ code: 0 });
		const snapshots = 'packages/n8n-nodes-bank/test/__snapshots__/publicContract.test.ts.snap';
		const diff = tree.diff(snapshots);
		expect(diff).toMatch(/"currencyRate\.get": \{\n\+\s+"currency": "string",\n\+\s+"filters": "collection",/);
		// No form has a field for a gap, so closing one changes none.
		expect(diff).not.toContain(gapId);
		expect(tree.changed().filter((file) => file.includes('/test/'))).toEqual([snapshots]);
	});

	/**
	 * Runs the test files about all operations, which import the list of operations or the oracle. Other files test one
	 * operation or a part that has not changed. This file, and tests that try each operation with many inputs or
	 * faults, take too long.
	 */
	const over =
		/^import[^;]*\b(?:oracle|operations|restOperations|resources|resourcesOf|samplesOf|operationHandlers)\b[^;]*;/m;
	const others = ['contribution', 'request', 'fuzz', 'leaks', 'call', 'falsePass', 'builtMessages'].map(
		(name) => `${name}.test.ts`,
	);

	it.each(['core', 'fixtures', 'n8n-nodes-bank'])('all is green that looks over the operations: %s', (name) => {
		const files = tree
			.files(`packages/${name}/test/**/*.test.ts`)
			.filter((file) => !others.includes(path.basename(file)))
			.map((file) => path.join(tree.root, file))
			.filter((file) => over.test(readFileSync(file, 'utf8')));
		expect(files.length).toBeGreaterThan(4);
		const { code, output } = tree.jest(name, '--runTestsByPath', ...files);
		expect(output).toContain(`Test Suites: ${files.length} passed, ${files.length} total`);
		expect(code).toBe(0);
	});
});
