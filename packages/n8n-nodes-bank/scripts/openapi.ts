import {
	explainRest,
	finalStages,
	isAddressOpen,
	type Method,
	type ObjectSchema,
	type Operation,
	operations,
} from '@bank/core';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

import { gapsOf } from './gaps.ts';
import { sentence } from './markdown.ts';
import { byPart, bySpec, nodeTitle, numberOf, resourceWith } from './names.ts';

/**
 * Operation -> OpenAPI 3.1. What the API description does not show is left out or marked as a placeholder; the checks that
 * are code (the total of a package, the rules of a webhook) have no JSON Schema and stand in the descriptions.
 */

export interface JsonSchema {
	type?: string | string[];
	title?: string;
	description?: string;
	format?: string;
	enum?: unknown[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	items?: JsonSchema;
	anyOf?: JsonSchema[];
	minimum?: number;
	maximum?: number;
	[keyword: string]: unknown;
}

/** Stands where a URL is demanded and the description shows none. `.invalid` never resolves (RFC 2606). */
const notShown = (what: string) => `https://placeholder.invalid/${what}-NOT-SHOWN-ASK-THE-BANK`;

export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
	// Checks that are code have no JSON Schema.
	const { $schema: _, ...found } = toJsonSchema(schema as never, {
		errorMode: 'ignore',
		target: 'draft-2020-12',
	}) as JsonSchema;
	return plain(found);
}

/** What a description says about the form only: on the wire a list is a list. */
const formHelp = ': a list, or several separated by commas';

/** Without what only says how the schema was made: empty `required`, and the bounds of a safe integer, which no description shows. */
function plain(schema: JsonSchema): JsonSchema {
	const { required, minimum, maximum, properties, items, anyOf, description, ...rest } = schema;
	const bound = (name: string, value: number | undefined) =>
		value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? {} : { [name]: value };
	return {
		...rest,
		...(description === undefined ? {} : { description: description.replace(formHelp, '') }),
		...bound('minimum', minimum),
		...bound('maximum', maximum),
		...(properties === undefined
			? {}
			: {
					properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, plain(property)])),
				}),
		...(required === undefined || required.length === 0 ? {} : { required }),
		...(items === undefined ? {} : { items: plain(items) }),
		...(anyOf === undefined ? {} : { anyOf: anyOf.map(plain) }),
	};
}

/** Rules over several fields, which no schema carries. Core checks them before sending (`rules` of the operation). */
export const rules: Readonly<Record<string, readonly string[]>> = {
	'payment.sendPackage': [
		'`total` is the exact sum of the amounts; amounts are more than zero and have at most two decimals.',
		'`sequence` must not repeat inside a package.',
		'The position of `signedBody` in the body and the signing method are not shown; it is sent as the last field of the top level.',
	],
	'loanApplication.create': ['`inn` has exactly 12 digits for a sole proprietor and exactly 10 for a legal entity.'],
	'statement.orderCredit': ['`dateEnd` is not before `dateBegin`.'],
	'statement.orderAccount': ['`dateEnd` is not before `dateBegin`.'],
	'accountOperation.getMany': ['`dateTo` is not before `dateFrom`.'],
	'webhook.update': [
		'For `ul_transaction_default`, `data.accounts` is required and lists all accounts, not only new ones.',
		'An empty `data.accounts` means all accounts.',
		'For `jp_sbp_incoming_payments`, `data` is left out.',
		'In `callbackUri` only the path may change, the host may not.',
		'`version` is 1.',
	],
	'unifiedCheck.run': [
		'`isToCall` is text: `true` or `false`.',
		'`idg` and `chklst` are needed for `WSCustomerComplianceCheckGet`; several codes are separated by commas, without spaces.',
		'`crf` is needed for `WSResultSOZSalaryProject`; `WSGlobalSearch` needs it, or `fnm1`, `fnm2` and `dtbr`, or `num` (by the message codes of 7.3).',
	],
	'directDebit.debit': [
		'The purpose text of a credit tranche contains `service Id: transactionId`, where `transactionId` is your unique identifier of the tranche.',
	],
	'channelApplication.setStatus': [`Final stages: ${finalStages.map((stage) => `\`${stage}\``).join(', ')}.`],
};

/** Method and path are shown: P1 to P11, the first card flow, and what the profile service shows. */
type Described = Operation & { method: Method; path: string };
const isDescribed = (operation: Operation): operation is Described => !isAddressOpen(operation);

const isRest = (operation: Operation) => operation.dialect === undefined;
export const openApiOperations: readonly Described[] = [...operations].sort(bySpec).filter(isDescribed);

/** What cannot be said in OpenAPI without inventing it. */
function leftOut(): string {
	return byPart(operations.filter(isAddressOpen))
		.map(([part, members]) => `${part} (${members.map(({ id }) => id).join(', ')})`)
		.join('; ');
}

const tagOf = (operation: Operation) => {
	const { node, name } = resourceWith(operation);
	return node === 'bank' ? name : `${nodeTitle(node)}: ${name}`;
};

const apiKey = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export function openApi(): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const operation of openApiOperations) {
		paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: operationObject(operation) };
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Partner Banking API',
			version: 'v1, v2',
			summary:
				'Payments, statements, operations, card limits, loan application drafts, webhooks, and the partner services as far as their addresses are shown',
			description:
				'Generated by `pnpm generate` from the operation definitions in packages/core. Do not edit by hand. ' +
				'P1 to P11 need `Authorization: Bearer <ACCESS_TOKEN>` and `Accept: application/json`. Their version is part of the path; P3 has none. ' +
				'Of the partner services (4.13 to 4.20) only those operations are here whose method and path the API description shows. Their bodies are not shown, so they have media types without a schema; `x-not-shown` lists what is missing. ' +
				`Left out, because OpenAPI has no operation without method and path, and none is invented here: ${leftOut()}.`,
		},
		servers: [
			server(
				'base_url',
				'https://base-url.invalid',
				'Production. The bank gives the address to you; it is not shown in the API description.',
			),
			server(
				'sandbox_base_url',
				'http://127.0.0.1:4010',
				"The bank's sandbox, whose address is not shown. The default is the sandbox bank that `npm run sandbox` starts.",
			),
		],
		tags: [
			...new Map(openApiOperations.map((operation) => [tagOf(operation), resourceWith(operation).description])),
		].map(([name, description]) => ({ name, description })),
		paths,
		components: {
			schemas: {
				Error: {
					type: 'object',
					description:
						'An error of P1 to P11. Error values can change between releases. Some answers come without a body.',
					properties: {
						error: { type: 'string', description: 'Error code' },
						error_description: {
							type: 'string',
							description: 'Description. A sample of P3 writes `error_descriptions`.',
						},
					},
					required: ['error'],
				},
			},
			securitySchemes: {
				clientCredentials: {
					type: 'oauth2',
					description: 'Client Credentials Flow. tokenUrl is a placeholder: the API description does not show it.',
					flows: { clientCredentials: { tokenUrl: notShown('TOKEN-URL'), scopes: scopesOf('clientCredentials') } },
				},
				authorizationCode: {
					type: 'oauth2',
					description:
						'Authorization Code Flow. Both URLs are placeholders: the API description does not show them. ' +
						'P9 may also be called with a token of the Authorization Code Flow H2H; the flow of P10 and P11 is not stated. Their scope is that of the subscribed event, whose values are not listed.',
					flows: {
						authorizationCode: {
							authorizationUrl: notShown('AUTHORIZATION-URL'),
							tokenUrl: notShown('TOKEN-URL'),
							scopes: scopesOf('authorizationCode'),
						},
					},
				},
				gatewayClientId: apiKey(
					'X-GW-Client-Id',
					'Client ID of the gateway. A partner name goes along; how it travels is not shown.',
				),
				gatewayClientSecret: apiKey('x-gw-client-secret', 'Client secret of the gateway.'),
				mutualTls: {
					type: 'mutualTLS',
					description: 'A client certificate that the bank has registered, with `x-gw-client-id`.',
				},
			},
		},
	};
}

function server(variable: string, address: string, description: string) {
	return { url: `{${variable}}`, description, variables: { [variable]: { default: address, description } } };
}

function scopesOf(auth: Operation['auth']): Record<string, string> {
	const scopes: Record<string, string> = {};
	for (const { auth: flow, scope, action } of openApiOperations) {
		if (flow === auth && scope !== undefined)
			scopes[scope] = scopes[scope] === undefined ? action : `${scopes[scope]}; ${action}`;
	}
	return scopes;
}

function operationObject(operation: Described) {
	const parameters = [...parametersIn('path', operation.pathFields), ...parametersIn('query', operation.query)];
	const turn = operation.order === undefined ? [] : [`Its turn: ${operation.order}.`];
	const gaps = isRest(operation) ? [] : gapsOf(operation).map(({ what }) => what);
	return {
		operationId: operation.id,
		tags: [tagOf(operation)],
		summary: operation.action,
		description: [`${numberOf(operation)}. ${operation.description}.`, ...turn, ...(rules[operation.id] ?? [])].join(
			' ',
		),
		...securityOf(operation),
		...(parameters.length === 0 ? {} : { parameters }),
		...requestBody(operation),
		responses: { ...success(operation), ...errorResponses(operation), default: otherError(operation) },
		'x-effect': operation.effect,
		...(gaps.length === 0 ? {} : { 'x-not-shown': gaps }),
	};
}

/** Absent where the description does not say how the bank knows who asks. */
function securityOf({ auth, scope }: Operation) {
	switch (auth) {
		case 'notShown':
			return {};
		case 'gateway':
			return { security: [{ gatewayClientId: [], gatewayClientSecret: [] }] };
		default:
			return { security: [{ [auth]: scope === undefined ? [] : [scope] }] };
	}
}

/** "All bodies are JSON" (part 1); files might travel otherwise. */
function requestBody({ body, payload, nameless }: Operation) {
	if (body !== undefined)
		return { requestBody: { required: true, content: { 'application/json': { schema: jsonSchemaOf(body) } } } };
	if (payload === undefined) return {};
	const { files } = payload;
	const values = Object.keys(nameless?.entries ?? {}).map(
		(name) => `Holds \`${name}\`, under a name that is not shown.`,
	);
	const documents = Object.values(files?.documents ?? {});
	const description = [
		`${payload.description}. The shape is not shown.`,
		...values,
		...(documents.length === 0 ? [] : [`Carries ${documents.length} documents: ${documents.join(', ')}.`]),
		...(files === undefined ? [] : ['Whether files travel in the JSON or as parts of a form is not shown.']),
	].join(' ');
	const required = payload.required || values.length > 0 || files?.required === true;
	return {
		requestBody: {
			description,
			required,
			content: { 'application/json': {}, ...(files === undefined ? {} : { 'multipart/form-data': {} }) },
		},
	};
}

function parametersIn(place: 'path' | 'query', group: ObjectSchema | undefined) {
	if (group === undefined) return [];
	const { properties = {}, required = [] } = jsonSchemaOf(group);
	return Object.entries(properties).map(([name, { description, ...schema }]) => ({
		name,
		in: place,
		required: place === 'path' || required.includes(name),
		description:
			schema.type === 'array'
				? `${description}. The encoding of lists is not shown; the node repeats the parameter unless told otherwise.`
				: description,
		...(place === 'path' ? { style: 'simple' } : { style: 'form', explode: true }),
		schema,
	}));
}

function success({ response, effect }: Operation) {
	if (response === undefined && effect !== 'delete')
		return {
			'2XX': {
				description: 'Done. Status and shape of the answer are not shown.',
				content: { 'application/json': {} },
			},
		};
	// P11 is the only operation without a body, and its success status is not shown.
	if (response === undefined) return { '2XX': { description: 'Done. There is no body; the status is not shown.' } };
	return { '200': { description: 'Success', content: { 'application/json': { schema: jsonSchemaOf(response) } } } };
}

function errorResponses(operation: Operation) {
	if (operation.dialect !== undefined) {
		const listed = operation.dialect.listed.filter(({ status }) => status !== undefined);
		return Object.fromEntries(
			listed.map(({ status, what }) => [String(status), { description: `${sentence(what)}. The body is not shown.` }]),
		);
	}
	const byStatus = new Map<number, string[]>();
	for (const { status, code } of operation.errors) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
	return Object.fromEntries(
		[...byStatus].map(([status, codes]) => {
			const meanings = codes.map((code) => [code, explainRest(status, code).what] as const);
			return [
				String(status),
				errorResponse(meanings.map(([code, what]) => `\`${code}\`: ${what}.`).join(' '), Object.fromEntries(meanings)),
			];
		}),
	);
}

const otherError = (operation: Operation) =>
	isRest(operation)
		? errorResponse(
				'An error that is not listed. Error values can change, so callers must handle unlisted ones in a standard way.',
			)
		: { description: 'An error that is not listed. The body is not shown.' };

function errorResponse(description: string, codes: Record<string, string> = {}) {
	const examples = Object.fromEntries(
		Object.entries(codes).map(([error, summary]) => [error, { summary, value: { error } }]),
	);
	const hasExamples = Object.keys(examples).length > 0;
	return {
		description,
		content: {
			'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...(hasExamples ? { examples } : {}) },
		},
	};
}
