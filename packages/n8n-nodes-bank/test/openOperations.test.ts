/** Every kind of operation with undescribed details can be sent. fuzz.test.ts tests their responses. */
import { operationById } from '@bank/core';

import { isRest, oracle, representatives } from '../../fixtures/src/oracle.ts';
import { runOf, useBank } from './support/bank.ts';
import { classOf } from './support/forms.ts';
import { files, parametersOf, smallestSample } from './support/samples.ts';

const bank = useBank();

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

it.each(kinds)('%s makes one request, and an item of the response', async (_kind, operation, run) => {
	const content = Buffer.from('the content of the whole file, byte by byte').toString('base64');
	bank().answer = () => [200, { content, state: 'ok' }];
	const output = await run(operation.id, parametersOf(operation), { binary: [files] });
	const { path } = smallestSample(operation.id).input;
	const shown = operation.path?.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
	expect(bank().seen.map((seen) => seen.path)).toEqual([shown ?? '/somewhere']);
	expect(output).toMatchObject([{ pairedItem: { item: 0 } }]);
});
