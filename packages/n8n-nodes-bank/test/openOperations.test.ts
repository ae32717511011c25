/** Behavior of all operations with undescribed details: input is validated before anything is sent, and errors name the field. */
import { type NodeName, type Operation, operationById } from '@bank/core';

import { isRest, oracle, type OperationOracle, oracleOf, representatives } from '../../fixtures/src/oracle.ts';
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankChecks } from '../nodes/BankChecks/BankChecks.node.ts';
import { BankCourier } from '../nodes/BankCourier/BankCourier.node.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { jsonOf, refusalOf, type Run, runOf, type RunOptions, useBank } from './support/bank.ts';
import { files, filledIn, parametersOf, smallestSample } from './support/samples.ts';

// Skips the waits between retries.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const runs: Record<Exclude<NodeName, 'bank'>, Run> = {
	bankChecks: runOf(BankChecks),
	bankCardIssuance: runOf(BankCardIssuance),
	bankCourier: runOf(BankCourier),
	bankPartnerServices: runOf(BankPartnerServices),
};

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
).map(([kind, { id }]) => [kind, operationById(id), runs[oracleOf(id).node as keyof typeof runs]] as const);

/** An operation whose description lacks this detail. Looked up, so that closing a gap does not break the tests. */
function found(
	which: (operation: OperationOracle) => boolean,
): (parameters: Record<string, unknown>, options?: RunOptions) => ReturnType<Run> {
	const [{ id, node }] = oracle.filter((operation) => !isRest(operation) && which(operation)) as [OperationOracle];
	const run = runs[node as keyof typeof runs];
	return async (parameters, options) => await run(id, { ...parametersOf(operationById(id)), ...parameters }, options);
}
const isPlain = ({ payload, unnamedFields, files: sent }: OperationOracle) =>
	payload === 'required' && unnamedFields === undefined && sent === undefined;
/** Sends a payload; its path is not shown. */
const send = () =>
	found((operation) => isPlain(operation) && operation.effect === 'change' && operation.notShown.includes('path'));
/** Sends a payload to a path with an identifier; its method is not shown. */
const update = () =>
	found(
		(operation) => isPlain(operation) && operation.pathFields?.appId !== undefined && operation.method === undefined,
	);

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

	it('of another node is refused by name, although a resource is called the same', async () => {
		const refusal = await refusalOf(runs.bankCourier('application.complete', filledIn));
		expect(refusal.message).toBe('There is no operation "complete" for the resource "application"');
		expect(bank().seen).toEqual([]);
	});
});

describe('a path', () => {
	it('that was emptied is the one of the description, where it shows one', async () => {
		await update()({ path: '' });
		expect(bank().seen[0]?.path).toMatch(/^\/applications\/\d+\/\w+$/);
	});
});

describe('a payload', () => {
	it('with a fault in one item keeps the others from nothing when the node goes on', async () => {
		const output = await send()(
			{ payload: '={{ $json.trip }}' },
			{ items: [{ trip: 'x' }, { trip: { a: 1 } }, { trip: 'y' }], continueOnFail: true },
		);
		expect(bank().seen.map(({ body }) => body)).toEqual([{ a: 1 }]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		for (const json of [output[0]?.json, output[2]?.json])
			expect(json).toMatchObject({
				details: { code: 'invalid_input', outcome: 'notSent', faults: [{ path: 'payload' }] },
			});
	});
});

describe('reads of the services', () => {
	it('run a few at a time, and keep the order of the items', async () => {
		let [underWay, most] = [0, 0];
		bank().answer = async ({ path }) => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setImmediate(resolve));
			underWay--;
			return [200, { path }];
		};
		const items = Array.from({ length: 8 }, (_, index) => ({ id: String(index) }));
		const output = await runs.bankCardIssuance(
			'scoring.getShort',
			{ appId: '={{ $json.id }}', options: { concurrency: 3 } },
			{ items },
		);
		expect(most).toBe(3);
		expect(jsonOf(output)).toEqual(items.map(({ id }) => ({ path: `/applications/${id}/scorings/short` })));
	});
});
