/** Every operation is sent, and any response leads to items or to an error with the correct outcome. */
import { type Operation, operations } from '@bank/core';
import fc from 'fast-check';

import { casesOf } from '../../fixtures/src/samples.ts';
import { runOf, useBank } from './support/bank.ts';
import { classOf } from './support/forms.ts';
import { filledIn, files, parametersOf, smallestSample } from './support/samples.ts';

const bank = useBank();

/** Responses that are almost correct, any JSON, and texts that are not JSON. */
function answersOf(id: string): fc.Arbitrary<string> {
	const right = casesOf<{ response: { body?: unknown } }>(id)[0]?.response.body;
	const fields = Object.entries(typeof right === 'object' && right !== null ? right : {});
	const bent = fc
		.array(fc.tuple(fc.constantFrom(...(fields.length === 0 ? ['x'] : fields.map(([name]) => name))), fc.jsonValue()), {
			maxLength: 3,
		})
		.map((changes) => JSON.stringify({ ...Object.fromEntries(fields), ...Object.fromEntries(changes) }));
	const nasty = fc.constantFrom(
		...['', 'null', '[]', '{}', '""', '0', 'true', '[[]]', '[null]', '1e999', '"\\ud800"'],
		...['{"a":1', '<html>', '\ufeff{}', '{"__proto__":{"a":1}}', '{"errorInfo":5}', '{"Error":[{}]}'],
		...['{"error":null}', '{"error":{}}', '{"error":["x"]}'],
	);
	return fc.oneof(bent, fc.json(), nasty, fc.string({ unit: 'binary' }));
}

const statuses = fc.constantFrom(
	...[200, 200, 200, 201, 202, 204, 301, 400, 401, 403, 404, 408, 409, 419, 422, 429, 500, 503],
);

/** Whether an outcome is correct for a request with this response. */
function isTrue({ effect, dialect }: Operation, status: number, outcome: unknown): boolean {
	if (effect === 'read') return outcome === 'nothingChanged';
	// Only in P1 to P11 and in the courier service can a code mean a rejection although the status is a success.
	const hasCodes = dialect === undefined || dialect.rejectsWithSuccessStatus === true;
	if (status < 300) return outcome === 'unknown' || (outcome === 'rejected' && hasCodes);
	if (status >= 500 || status < 400 || status === 406 || status === 408) return outcome === 'unknown';
	// core's tests check which statuses mean rejection for other operations, and when a rejected payment is unknown.
	const isCertain = effect !== 'money' && [400, 401, 403, 404, 405, 413, 415, 422, 429].includes(status);
	return outcome === 'rejected' || (outcome === 'unknown' && !isCertain);
}

// Packages have recipients instead of fields and are tested in sendPackage.test.ts.
const asked = operations.filter(({ effect, id }) => effect !== 'none' && id !== 'payment.sendPackage');

test.each(asked.map((operation) => [operation.id, operation] as const))(
	'%s handles any response',
	async (id, operation) => {
		const run = runOf(classOf(operation));
		const { path: identifiers } = smallestSample(id).input;
		const path = (operation.path ?? String(filledIn.path)).replace(
			/\{(\w+)\}/g,
			(_, name: string) => identifiers[name] ?? '',
		);
		let answered = 0;
		await fc.assert(
			fc.asyncProperty(statuses, answersOf(id), async (status, text) => {
				bank().answer = () => [status, text];
				const before = bank().seen.length;
				const output = await run(id, parametersOf(operation), { binary: [files], continueOnFail: true });
				if (bank().seen.length === before) throw new Error(`was not sent: ${JSON.stringify(output)}`);
				answered++;
				if (operation.dialect !== undefined) expect(bank().seen.at(-1)?.path).toBe(path);
				for (const { json, pairedItem } of output) {
					expect(pairedItem).toEqual({ item: 0 });
					expect(JSON.parse(JSON.stringify(json))).toEqual(expect.any(Object));
					const { details } = json as { details?: { outcome?: unknown; operation?: unknown } };
					const isError = 'error' in json && details?.operation === id;
					const { outcome } = details ?? {};
					const isWrong = isError && !isTrue(operation, status, outcome);
					expect({ status, text, outcome, isWrong }).toMatchObject({ isWrong: false });
					// An error of the bank is never an item.
					if (!isError) expect(status).toBeLessThan(300);
				}
			}),
			{ numRuns: 8 },
		);
		expect(answered).toBeGreaterThan(0);
	},
);
