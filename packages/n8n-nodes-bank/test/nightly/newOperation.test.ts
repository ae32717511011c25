/**
 * `npm run new:operation`, in a copy of the workspace. packages/fixtures/test/complete.test.ts tests that an unfinished skeleton
 * fails.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { edit, newResourceId, oracleFile, restId, sampleFile, serviceId, WorkingTree } from '../support/workingTree.ts';

jest.setTimeout(600_000);

const index = 'packages/core/src/operations/cardLimit/index.ts';

describe('npm run new:operation', () => {
	let tree: WorkingTree;
	beforeAll(() => {
		tree = new WorkingTree();
	});
	afterAll(() => tree.close());

	it.each([
		['nothing', [], /^Usage: npm run new:operation <resource>\.<operation>/],
		['one word', ['payment'], /"payment" is not <resource>\.<operation>/],
		['a capital letter', ['Payment.send'], /"Payment\.send" is not <resource>\.<operation>/],
		[
			'a resource that is not there',
			['parcel.send'],
			/no resource "parcel"\. The resources: accountOperation, .*webhook\.\n.*new:operation parcel\.send bank /,
		],
		['an operation that is there', ['payment.sendPackage'], /an operation payment\.sendPackage already/],
		[
			'a resource of two services',
			['application.approve'],
			/in cardIssuance and in courier .*application\.approve cardIssuance/,
		],
		['a folder without the resource', ['application.approve', 'trips'], /in cardIssuance and in courier/],
	])('explains invalid arguments and writes nothing: %s', (_, args, words) => {
		const { code, output } = tree.newOperation(...args);
		expect([code, output]).toEqual([1, expect.stringMatching(words)]);
		expect(tree.changed()).toEqual([]);
	});

	/** One ID for each way to define operations, and how many files it adds or changes. */
	const kinds: [how: string, files: number, id: string, ...folder: string[]][] = [
		['a file and a line', 5, restId],
		['a name that is no name of a constant', 5, 'webhook.new'],
		['a row of a service', 1, serviceId],
		['a row of one of two services with that resource', 1, 'application.approve', 'courier'],
		['a service whose rows are constants', 1, 'entryScore.scoreAll'],
		['a service with a file of its own', 5, 'unifiedCheck.runAgain'],
		['the first operation of a resource', 8, newResourceId, 'bank'],
		['the first operation of a service', 3, 'parcel.delete', 'bankCourier'],
	];

	it.each(kinds)('writes the skeletons: %s, in %i file(s): %s', (_, count, id, ...folder) => {
		const { code, output } = tree.newOperation(id, ...folder);
		expect([code, output]).toEqual([
			0,
			expect.stringMatching(/npm run generate[^]*npm run update-snapshots[^]*npm test/),
		]);
		const files = [...output.matchAll(/^ {2}(packages\/\S+)$/gm)].map(([, file]) => file);
		expect(files).toHaveLength(count);
		// Oracle and samples exist only if the response is documented.
		const facts = [oracleFile(id), sampleFile(id)];
		expect(facts.filter((file) => files.includes(file))).toEqual(count < 5 ? [] : facts);
		expect(tree.changed()).toEqual(expect.arrayContaining(files));
	});

	it('writes code that compiles and is formatted', () => {
		expect(tree.typecheck()).toEqual({ code: 0, output: '' });
		const prettier = path.join(tree.root, 'node_modules/prettier/bin/prettier.cjs');
		expect(tree.node('.', prettier, '--check', ...tree.changed()).output).toContain('All matched files use Prettier');
	});

	it('overwrites no existing file', () => {
		edit(tree, index, /import \{ getAsOf \}.*\n/, '');
		edit(tree, index, ', getAsOf }', ' }');
		const written = readFileSync(path.join(tree.root, oracleFile(restId)), 'utf8');
		const { code, output } = tree.newOperation(restId);
		expect([code, output]).toEqual([1, expect.stringContaining('there already: ')]);
		expect(output).toContain(oracleFile(restId));
		expect(readFileSync(path.join(tree.root, oracleFile(restId)), 'utf8')).toBe(written);
	});
});
