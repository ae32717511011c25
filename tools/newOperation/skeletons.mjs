// Skeletons of `npm run new:operation`. They compile, and have TODO in place of facts of the API description. The default effect is the
// safest one: payments are never retried.

const words = `action: 'TODO: what it does and to what, without articles',
	description: 'TODO: one or two sentences for the form and the reference',`;

/** The path is unique, so that the sandbox bank starts before it is filled in. */
const request = ({ resource, name }) => `effect: 'money', // TODO: read, order, change, delete or money
	method: 'POST', // TODO
	path: '/TODO/${resource}/${name}', // TODO`;

/** An operation with its own file. */
export const definitionFile = (wanted) => `import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { responseObject } from '../../schemas/fields.ts';

export const ${wanted.identifier} = defineOperation({
	id: '${wanted.id}',
	spec: 'TODO: where the API description says so, such as 4, P1',
	${words}
	responseSummary: 'TODO: the fields of the response, for AI agents', // Only if the effect is read: agents may use it
	auth: 'clientCredentials', // TODO: part 5
	scope: 'TODO',
	${request(wanted)}
	// TODO: pathFields, query and body, of the shapes in schemas/; rules over several fields; list, if it returns rows
	response: responseObject({}), // TODO
	errors: restErrors(), // TODO: those that the description lists
});
`;

/** The index of a resource with its first operation. The index of a partner service contains the definition. */
export function indexFile(wanted) {
	const { resource, name, identifier, node } = wanted;
	if (node === 'bank')
		return `import { ${identifier} } from './${name}.ts';

/** By name in the form. */
export const ${resource} = { ${identifier === name ? name : `${name}: ${identifier}`} };
`;
	return `import { commonDialect } from '../../errors/byStatus.ts';
import { defineOperation } from '../../operation.ts';

/** TODO: what the operations of the service have in common, and where the API description says so. */
const common = {
	spec: 'TODO',
	auth: 'notShown', // TODO: part 5
	dialect: commonDialect, // TODO: or a table of its codes in src/errors
} as const;

export const ${resource} = {
	${definitionRow(wanted, '\t\t...common,')},
};
`;
}

/** The entry in the list of resources. */
export const resourceEntry = ({ node, resource }) => `resource('${node}', '${resource}', 'TODO: what it is'),`;

/** The first handler of a resource. */
export const handlerFile = (wanted) => `import type { Handlers } from './handler.ts';

export const ${wanted.resource}: Handlers<'${wanted.resource}'> = {
	${handlerRow(wanted)},
};
`;

/** A row of a partner service, with the same common properties as the row next to it. */
export function definitionRow(wanted, table) {
	const common = [...table.matchAll(/\.\.\.(common|\w+\(.*\)),$/gm)].at(-1)?.[1];
	return `${wanted.name}: defineOperation({
	...${common},${common === 'common' ? '' : ' // TODO: its own'}
	id: '${wanted.id}',
	${words}
	${request(wanted)}, or no such line where none is shown
	// TODO: what the description shows of pathFields, payload, unnamedFields, response, callIndex, callOrder, responseSummary.
	// src/operation.ts explains them; cardIssuance/index.ts has examples.
})`;
}

export const handlerRow = ({ id, name }) => `${name}: {
	answer() {
		throw new Error('TODO: what the sandbox bank does for ${id}');
	},
}`;

/** An empty oracle. It does not match its schema until it is filled in. */
export function oracleOf({ id, node }) {
	return JSON.stringify({
		$schema: '../schema.json',
		id,
		spec: 'TODO',
		node,
		purpose: 'TODO',
		effect: 'TODO',
		auth: 'TODO',
		scope: 'TODO',
		method: 'TODO',
		path: 'TODO',
		headers: { Authorization: 'TODO', Accept: 'TODO' },
		response: { TODO: 'TODO' },
		errors: ['TODO'],
		notShown: [],
	});
}

export function sampleOf({ resource, name }) {
	const made = { path: {}, query: {} };
	const example = {
		input: made,
		request: { method: 'TODO', path: `/TODO/${resource}/${name}`, query: [] },
		response: { status: 200, body: 'TODO' },
		output: 'TODO',
	};
	return JSON.stringify({
		spec: 'TODO',
		cases: ['all fields', 'only the required fields'].map((which) => ({ name: which, ...example })),
	});
}
