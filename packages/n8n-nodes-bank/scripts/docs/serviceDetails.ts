import { detailsSchema, type Operation, operations, unwrap } from '@bank/core';
import { docsOf } from '@bank/core/docs';
import { conditionDetails, fieldDetails } from '@bank/core/serviceDetails';
import type * as v from 'valibot';

import { byCallIndex, byPart, titleOf } from '../names.ts';
import { withStop, table } from './markdown.ts';
import { type JsonSchema, jsonSchemaOf } from './openapi.ts';

// docs/service-details/: the JSON schema of service details, and a template for each service.

const folder = 'https://raw.githubusercontent.com/n8n-nodes-bank/n8n-nodes-bank/main/docs/service-details';

/** Names of the templates, by part of the API description. */
const names: Readonly<Record<string, string>> = {
	'4.13': 'courier',
	'4.14': 'unified-checks',
	'4.15': 'card-issuance',
	'4.16': 'card-channels',
	'4.17': 'entry-score',
	'4.18': 'direct-debit',
	'4.19': 'trips',
	'4.20': 'profile',
};

const isOpen = (operation: Operation) => Object.keys(detailsSchema(operation).entries).length > 0;
const services = byPart(operations.filter(isOpen)).map(([part, members]) => ({
	part,
	name: names[part] ?? `part-${part.replace('.', '-')}`,
	members: members.sort(byCallIndex),
}));

/** Content of each file, by its path below docs/service-details. */
export function serviceDetailsFiles(): Map<string, unknown> {
	return new Map<string, unknown>([
		['schema.json', detailsJsonSchema()],
		...services.map(({ name, members }) => [`${name}.json`, template(members)] as const),
	]);
}

/** Table of the templates. */
export function templateTable(): string {
	const rows = services.map(({ part, name }) => [`[${name}.json](service-details/${name}.json)`, part]);
	return table(['Template', 'API'], rows);
}

const aboutOf = (operation: Operation): string => {
	const { method, path } = operation;
	const shown = [method, path].filter((part) => part !== undefined).join(' ');
	return `${titleOf(operation)}. ${withStop(docsOf(operation).description)}${shown === '' ? '' : ` The API description shows ${shown}.`}`;
};

function template(members: readonly Operation[]): Record<string, unknown> {
	return {
		$schema: `${folder}/schema.json`,
		$comment:
			'What the API description does not show. Fill in what your bank tells you, and paste the whole into Service Details of the ' +
			'credential in n8n. null stands for unknown. No secrets, no customer data.',
		...Object.fromEntries(members.map((operation) => [operation.id, templateOf(operation)])),
	};
}

function templateOf(operation: Operation): Record<string, unknown> {
	const about = operation.payload?.about;
	const comments: Readonly<Record<string, string>> = {
		names: 'Names of the body fields for these values, or {placeholders} of the path',
		fields:
			operation.payload === undefined
				? 'Headers and query parameters that are always the same, if any, such as "X-Partner-Id": ' +
					'{ "type": "string", "in": "header", "value": "P-100" }'
				: `${about === undefined ? 'Further fields, if any.' : withStop(about)} One key for each field, such as "client.phone": ` +
					'{ "type": "string", "label": "Phone", "required": true }',
		files: 'How the files travel: sendAs is base64 (inside the JSON) or multipart',
		token: 'How the access token of the user travels: sendAs is bearer, header or query',
		responses: 'Which responses mean no or not ready yet, such as "no": { "field": "status", "values": ["DECLINED"] }',
	};
	const entries = Object.entries(detailsSchema(operation).entries).map(([key, schema]) => {
		const inner = unwrap(schema).schema.entries;
		const comment = comments[key] === undefined ? {} : { $comment: comments[key] };
		if (inner === undefined) return [key, key === 'fields' ? comment : null];
		return [key, { ...comment, ...blank(inner) }];
	});
	return { $comment: aboutOf(operation), ...Object.fromEntries(entries) };
}

/** All keys with the value null. A condition has a required key, so the whole condition is null. */
function blank(entries: Readonly<Record<string, v.GenericSchema>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(entries).map(([name, schema]) => {
			const inner = unwrap(schema).schema.entries;
			const isOptional = inner !== undefined && Object.values(inner).every((entry) => unwrap(entry).optional);
			return [name, isOptional ? blank(inner) : null];
		}),
	);
}

/** Details that the API description has meanwhile may stay in a document if they agree with it. */
function withShown({ method, path }: Operation, schema: JsonSchema): JsonSchema {
	const shown = Object.entries({ method, path }).filter(([, value]) => value !== undefined);
	const agreeing = Object.fromEntries(shown.map(([key, value]) => [key, { const: value }]));
	return { ...schema, properties: { ...schema.properties, ...agreeing } };
}

function detailsJsonSchema(): JsonSchema {
	const shared = { field: jsonSchemaOf(fieldDetails), condition: jsonSchemaOf(conditionDetails) };
	const texts = new Map(Object.entries(shared).map(([name, schema]) => [JSON.stringify(schema), name]));
	/** Allows comments, and null for unknown values; refers to shared definitions. */
	const open = (schema: JsonSchema, isShared = false): JsonSchema => {
		const { description, ...rest } = schema;
		const name = texts.get(JSON.stringify(rest)) ?? texts.get(JSON.stringify(schema));
		if (name !== undefined && !isShared)
			return { ...(description === undefined ? {} : { description }), $ref: `#/$defs/${name}` };
		const { propertyNames: _, ...shown } = schema;
		const { properties, additionalProperties, required = [], items } = shown;
		const known = Object.entries(properties ?? {}).map(([key, property]) => {
			const inner = open(property);
			return [key, required.includes(key) ? inner : { anyOf: [inner, { type: 'null' }] }] as const;
		});
		return {
			...shown,
			...(properties === undefined
				? {}
				: { properties: { $comment: { type: 'string' }, ...Object.fromEntries(known) } }),
			...(typeof additionalProperties === 'object' && additionalProperties !== null
				? {
						properties: { $comment: { type: 'string' } },
						// `fields` is the only key with arbitrary names.
						additionalProperties: { $ref: '#/$defs/field' },
					}
				: {}),
			...(items === undefined ? {} : { items: open(items) }),
		};
	};
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		$id: `${folder}/schema.json`,
		title: 'Service Details',
		description:
			'What a bank tells its partner about services whose methods, paths, names or bodies the API description does not show',
		type: 'object',
		properties: {
			$schema: { type: 'string' },
			$comment: { type: 'string' },
			...Object.fromEntries(
				services.flatMap(({ members }) =>
					members.map((operation) => [
						operation.id,
						{ description: aboutOf(operation), ...withShown(operation, open(jsonSchemaOf(detailsSchema(operation)))) },
					]),
				),
			),
		},
		additionalProperties: false,
		$defs: Object.fromEntries(Object.entries(shared).map(([name, schema]) => [name, open(schema, true)])),
	};
}
