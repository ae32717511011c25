/** The built package has the same messages as the sources: the build removes texts, but none that a message needs. Needs `build`. */
import { existing } from '../../fixtures/src/existing.ts';
import { createRequire } from 'node:module';
import path from 'node:path';

import { operations, type Operation } from '@bank/core';

import type { Bank } from '../nodes/Bank/Bank.node.ts';
import { refusalOf, runOf, useBank } from './support/bank.ts';
import { classOf } from './support/forms.ts';
import { files, parametersOf } from './support/samples.ts';

const bank = useBank();
const load = createRequire(path.resolve(__dirname, '../package.json'));

function builtClass(operation: Operation): typeof Bank {
	const { name } = classOf(operation);
	const built: Record<string, typeof Bank> = load(`./dist/nodes/${name}/${name}.node.js`);
	return existing(built[name]);
}

const asked = operations.filter(({ effect }) => effect !== 'none');
type Filled = Record<string, unknown>;

const tried = new Set<string>();

/** Invalid inputs: a form with no field filled in, and forms in which one field is empty or of another type. */
const inputsOf = (operation: Operation): Filled[] => {
	const valid = parametersOf(operation);
	const fields = Object.keys(valid).filter((name) => !tried.has(name));
	for (const name of fields) tried.add(name);
	return [
		{},
		{ ...valid, payloadFrom: 'none' },
		...fields.flatMap((name) => ['', '\u0007[1, {'].map((value) => ({ ...valid, [name]: value }))),
	];
};

test.each(asked.map((operation) => [operation.id, operation] as const))(
	'%s refuses input and tells failures in the same words',
	async (id, operation) => {
		const [source, built] = [runOf(classOf(operation)), runOf(builtClass(operation))];
		const wordsOf = async (run: typeof source, given: Filled) => {
			const output = await run(id, given, { binary: [files], continueOnFail: true }).catch((error: unknown) => error);
			return JSON.stringify(output instanceof Error ? output.message : output).replace(
				/"(?:at|execution|payment)":"[^"]*"/g,
				'',
			);
		};
		for (const given of inputsOf(operation)) {
			bank().answer = () => [403, { error: 'access_denied' }];
			const words = await wordsOf(built, given);
			expect(words).toBe(await wordsOf(source, given));
			expect(words).not.toMatch(/undefined|\[object|\(\)/);
		}
	},
);

test('a missing payload is reported with what to do', async () => {
	const debit = existing(asked.find(({ id }) => id === 'directDebit.debit'));
	const refusal = await refusalOf(runOf(builtClass(debit))(debit.id, { ...parametersOf(debit), payload: '' }));
	expect(refusal.message).toContain('needs fields from your bank');
});
