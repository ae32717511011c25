/** Behavior of all operations with undescribed details: input is validated before anything is sent, and errors name the field. */
import { type Operation, operationById } from '@bank/core';

import { isRest, oracle, representatives } from '../../fixtures/src/oracle.ts';
import { refusalOf, type Run, runOf, useBank } from './support/bank.ts';
import { classOf } from './support/forms.ts';
import { files, parametersOf, smallestSample } from './support/samples.ts';

// Skips the waits between retries.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();

const running = (run: Run, operation: Operation, more: Record<string, unknown> = {}) =>
	run(operation.id, { ...parametersOf(operation), ...more }, { binary: [files] });

/** Operations whose requests differ in address, payload or response. */
const kinds = representatives(
	oracle.filter((operation) => !isRest(operation)),
	({ node, effect, method, path, payload, unnamedFields, files: sent }) => [
		node,
		effect,
		...(method === undefined || path === undefined ? ['address asked'] : []),
		...(payload === undefined ? [] : ['payload']),
		...(unnamedFields === undefined ? [] : ['value without a name']),
		...(sent === undefined ? [] : ['files']),
	],
).map(([kind, { id }]) => [kind, operationById(id), runOf(classOf(operationById(id)))] as const);

describe('every kind of operation of the services', () => {
	it.each(kinds)(
		'%s makes one request when all is filled in, and an item of the answer',
		async (_kind, operation, run) => {
			const content = Buffer.from('the content of the whole file, byte by byte').toString('base64');
			bank().answer = () => [200, { content, state: 'ok' }];
			const output = await running(run, operation);
			expect(bank().seen).toHaveLength(1);
			const { path } = smallestSample(operation.id).input;
			const shown = operation.path?.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
			expect(bank().seen[0]?.path).toBe(shown ?? '/somewhere');
			expect(output).toMatchObject([{ pairedItem: { item: 0 } }]);
		},
	);

	it('sends nothing without a credential', async () => {
		for (const [, operation, run] of kinds) {
			const refusal = await refusalOf(run(operation.id, parametersOf(operation), { binary: [files], credentials: {} }));
			expect(refusal.message).toContain('credential');
		}
		expect(bank().seen).toEqual([]);
	});

	it.each(kinds)(
		'%s tells every item that the bank refused it, when the node goes on',
		async (_kind, operation, run) => {
			bank().answer = () => [400, { message: 'no' }];
			const appId = (json: { id?: string }) => json.id;
			const output = await run(
				operation.id,
				{ ...parametersOf(operation), appId, ...(operation.effect === 'money' ? { transactionId: appId } : {}) },
				{ items: [{ id: '1' }, { id: '2' }], binary: [files, files], continueOnFail: true },
			);
			expect(bank().seen).toHaveLength(2);
			for (const { json } of output) {
				expect(Object.keys(json)).toEqual(['error', 'message', 'details']);
				expect(json.details).toMatchObject({
					operation: operation.id,
					httpStatus: 400,
					outcome: operation.effect === 'read' ? 'nothingChanged' : 'rejected',
				});
			}
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);
});
