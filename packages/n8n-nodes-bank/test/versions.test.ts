/** Versions of an operation, with operations made up here: their forms, and that a saved workflow runs as it always did. */
import {
	fields,
	type NodeName,
	type DocumentedOperation,
	type Operation,
	resourcesOf,
	type Resource,
	versionsOf,
} from '@bank/core';
import {
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeHelpers,
} from 'n8n-workflow';
import * as v from 'valibot';

import { type ActionNode, runOperation } from '../nodes/shared/execute.ts';
import { type BoundForm, formOf } from '../nodes/shared/form.ts';
import type { FormParts } from '../nodes/shared/formParts.ts';
import { nodeForm } from '../scripts/forms/node.ts';
import type { Written } from '../scripts/forms/written.ts';
import { jsonOf, refusalOf, runOf, useBank } from './support/bank.ts';
import { descriptions } from './support/forms.ts';

const text = (title: string) => v.pipe(v.string(), v.title(title), v.description(`The ${title}`));
const common = { spec: 'made up', auth: 'clientCredentials', effect: 'change', method: 'POST', errors: [] } as const;

const inVersion2: DocumentedOperation = {
	...common,
	id: 'parcel.send',
	name: 'Send',
	action: 'Send a parcel',
	description: 'Send a parcel anew',
	path: '/v2/parcels',
	body: fields({ message: text('Message'), weight: v.optional(text('Weight')) }),
	once: true,
};
const send: DocumentedOperation = {
	...common,
	id: 'parcel.send',
	name: 'Send',
	action: 'Send a parcel',
	description: 'Send a parcel',
	path: '/v1/parcels',
	body: fields({ label: text('Label'), weight: v.optional(text('Weight')) }),
	versions: [{ since: 2, operation: inVersion2 }],
};
const track: DocumentedOperation = {
	...common,
	id: 'parcel.track',
	name: 'Track',
	action: 'Track a parcel',
	description: 'Track a parcel',
	path: '/parcels/{number}',
	pathFields: fields({ number: text('Number') }),
	since: 2,
};
const parcel: Resource = {
	node: 'bank',
	value: 'parcel',
	name: 'Parcel',
	description: 'Made up',
	operations: [send, track],
};

const nothingWritten: Written = () => undefined;
const mockMadeUp: Resource[] = [];
jest.mock('@bank/core', () => {
	const core = jest.requireActual<{ resourcesOf: (node: NodeName) => readonly Resource[] }>('@bank/core');
	return { ...core, resourcesOf: (node: NodeName) => [...core.resourcesOf(node), ...mockMadeUp] };
});

/** A node like those of the package, with the made-up operations. */
function nodeWith(resource: Resource, written = nothingWritten, forms: readonly BoundForm[] = []) {
	const node: ActionNode = { name: 'bank', credentialFor: () => 'bankClientCredentialsOAuth2Api', forms };
	mockMadeUp.splice(0, Infinity, resource);
	return class {
		description: INodeTypeDescription = {
			displayName: 'Bank',
			name: 'bank',
			group: ['transform'],
			version: [...versionsOf(resource.operations)],
			description: 'Made up',
			defaults: { name: 'Bank' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [
				{ displayName: 'Resource', name: 'resource', type: 'hidden', default: resource.value },
				...nodeForm([resource], written),
			],
		};

		async execute(this: IExecuteFunctions) {
			return await runOperation(this, node);
		}
	} as unknown as Parameters<typeof runOf>[0];
}

const conditionsOf = (properties: readonly INodeProperties[]) =>
	properties
		.filter(({ type }) => type !== 'notice')
		.map(({ name, displayOptions: { show = {} } = {} }) => [name, show['@version'], show.operation] as const);

/** What a user of a version sees. */
function namesIn({ description }: INodeType, typeVersion: number, parameters: INodeParameters): string[] {
	const node = { typeVersion } as INode;
	const { properties } = description;
	const all = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	return properties
		.filter((property) => property.type !== 'notice' && NodeHelpers.displayParameter(all, property, node, description))
		.map(({ name }) => name);
}

describe('the form of a node whose operations have versions', () => {
	it('has each field once, with a condition where not every version has it', () => {
		expect(conditionsOf(nodeForm([parcel], nothingWritten))).toEqual([
			['operation', [{ _cnd: { lt: 2 } }], undefined],
			['operation', [{ _cnd: { gte: 2 } }], undefined],
			['label', [{ _cnd: { lt: 2 } }], ['send']],
			['message', [{ _cnd: { gte: 2 } }], ['send']],
			['additionalFields', undefined, ['send']],
			// Of an operation that came with version 2 nothing has to be said: no earlier version can choose it.
			['number', undefined, ['track']],
			['options', undefined, undefined],
		]);
	});

	it('offers an operation from the version on that brought it', () => {
		const [before, after] = nodeForm([parcel], nothingWritten);
		expect(before?.options).toEqual([
			{ name: 'Send', value: 'send', action: 'Send a parcel', description: 'Send a parcel' },
		]);
		expect(after?.options).toEqual([
			{ name: 'Send', value: 'send', action: 'Send a parcel', description: 'Send a parcel anew' },
			{ name: 'Track', value: 'track', action: 'Track a parcel', description: 'Track a parcel' },
		]);
	});

	it('offers an option of a collection in the versions that have it', () => {
		const options = nodeForm([parcel], nothingWritten).find(({ name }) => name === 'options')?.options;
		expect(conditionsOf(options as INodeProperties[])).toEqual([
			['askAgain', [{ _cnd: { gte: 2 } }], undefined],
			['largestAnswer', undefined, undefined],
			['timeout', undefined, undefined],
		]);
	});

	it.each([
		[1, ['resource', 'operation', 'label', 'additionalFields', 'options']],
		[2, ['resource', 'operation', 'message', 'additionalFields', 'options']],
	])('shows in version %d what that version asks, as n8n reads the conditions', (typeVersion, names) => {
		const node = new (nodeWith(parcel))();
		expect(namesIn(node, typeVersion, { resource: 'parcel', operation: 'send' })).toEqual(names);
	});

	it('says between which versions a field is there, where a later one does not have it any more', () => {
		const inVersion3: Operation = { ...inVersion2, path: '/v3/parcels' };
		const inVersion5: Operation = { ...inVersion2, body: fields({ text: text('Text') }), path: '/v5/parcels' };
		const many: Operation = {
			...send,
			versions: [
				{ since: 2, operation: inVersion2 },
				{ since: 3, operation: inVersion3 },
				{ since: 5, operation: inVersion5 },
			],
		};
		const form = nodeForm([{ ...parcel, operations: [many, { ...track, since: 4 }] }], nothingWritten);
		expect(conditionsOf(form.filter(({ name }) => ['label', 'message', 'text', 'weight'].includes(name)))).toEqual([
			['label', [{ _cnd: { lt: 2 } }], ['send']],
			['message', [{ _cnd: { between: { from: 2, to: 4 } } }], ['send']],
			['text', [{ _cnd: { gte: 5 } }], ['send']],
		]);
	});

	it('names the versions where they do not follow one another', () => {
		const { versions: _, ...first } = send;
		const again: Operation = {
			...first,
			versions: [
				{ since: 2, operation: inVersion2 },
				{ since: 3, operation: first },
			],
		};
		const form = conditionsOf(nodeForm([{ ...parcel, operations: [again] }], nothingWritten));
		expect(form).toContainEqual(['label', [1, 3], undefined]);
		expect(form).toContainEqual(['message', [2], undefined]);
	});

	it('takes what a person has written of a shape, and of the shape before it where there is nothing newer', () => {
		const parts: FormParts = {
			asksItself: ['label', 'message'],
			fields: [{ displayName: 'Own', name: 'own', type: 'string', default: '', description: 'Asked in its own way' }],
		};
		const ofFirst: Written = ({ id }, since) =>
			id === 'parcel.send' && since >= 1 ? { file: 'parcel.send.ts', parts } : undefined;
		const ofSecond: Written = (operation, since) => (since >= 2 ? ofFirst(operation, since) : undefined);
		expect(conditionsOf(nodeForm([parcel], ofFirst))).toContainEqual(['own', undefined, ['send']]);
		expect(conditionsOf(nodeForm([parcel], ofSecond))).toContainEqual(['own', [{ _cnd: { gte: 2 } }], ['send']]);
		expect(conditionsOf(nodeForm([parcel], ofSecond))).toContainEqual(['label', [{ _cnd: { lt: 2 } }], ['send']]);
	});
});

describe('a workflow', () => {
	const bank = useBank();
	const saved = { label: 'a', additionalFields: { weight: '1' } };

	it('saved with version 1 runs as before', async () => {
		bank().answer = () => [200, { ok: true }];
		const items = await runOf(nodeWith(parcel))('parcel.send', saved, { node: { typeVersion: 1 } });
		expect(bank().seen).toMatchObject([{ method: 'POST', path: '/v1/parcels', body: { label: 'a', weight: '1' } }]);
		expect(jsonOf(items)).toEqual([{ ok: true }]);
	});

	it('made with version 2 runs in the new shape', async () => {
		const parameters = { message: 'a', additionalFields: { weight: '1' } };
		await runOf(nodeWith(parcel))('parcel.send', parameters, { node: { typeVersion: 2 } });
		expect(bank().seen).toMatchObject([{ method: 'POST', path: '/v2/parcels', body: { message: 'a', weight: '1' } }]);
	});

	it('saved with version 1 cannot run an operation that came later', async () => {
		const running = runOf(nodeWith(parcel))('parcel.track', { number: '1' }, { node: { typeVersion: 1 } });
		expect((await refusalOf(running)).message).toBe('There is no operation "track" for the resource "parcel"');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		[1, 'first'],
		[2, 'second'],
	])('of version %d has the form of its shape', async (typeVersion, by) => {
		const forms = [
			formOf(send, { more: () => ({ by: 'first' }) }),
			formOf(inVersion2, { more: () => ({ by: 'second' }) }),
		];
		const items = await runOf(nodeWith(parcel, nothingWritten, forms))(
			'parcel.send',
			{ ...saved, message: 'a' },
			{ node: { typeVersion } },
		);
		expect(jsonOf(items)).toEqual([{ by }]);
	});

	it('of version 2 has the form of the shape before where the new one has none of its own', async () => {
		const Node = nodeWith(parcel, nothingWritten, [formOf(send, { more: () => ({ by: 'first' }) })]);
		const items = await runOf(Node)('parcel.send', { message: 'a' }, { node: { typeVersion: 2 } });
		expect(jsonOf(items)).toEqual([{ by: 'first' }]);
	});
});

describe('the nodes of the package', () => {
	it.each(Object.entries(descriptions))(
		'%s has the versions that its operations have, and new nodes begin with the newest',
		(name, { version, defaultVersion }) => {
			mockMadeUp.splice(0);
			const versions = versionsOf(resourcesOf(name as NodeName).flatMap(({ operations }) => operations));
			expect([version].flat()).toEqual(versions);
			expect(defaultVersion).toBe(versions.at(-1));
		},
	);
});
