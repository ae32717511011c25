import * as v from 'valibot';

import { methods, type ObjectSchema, type Operation } from '../operation.ts';
import { day, decimal, flag, listOf, text, whole } from '../schemas/fields.ts';
import type { ResponseDetails } from './responses.ts';

/** Types of a body field. */
export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'date', 'object', 'array'] as const;

const about = <S extends v.GenericSchema>(schema: S, description: string) => v.pipe(schema, v.description(description));
const short = (most: number) =>
	v.pipe(
		v.string('must be text'),
		v.maxLength(most, ({ received }) => `must have at most ${most} characters, got ${received}`),
	);
const place = (description: string) => v.optional(about(short(200), description));
const keysOf = <E extends v.ObjectEntries>(entries: E) =>
	v.strictObject(entries, `is not a key here. Known: ${Object.keys(entries).join(', ')}`);

/** Keys that depend on the operation. */
const openKeys = (entries: Record<string, v.GenericSchema>): ObjectSchema => keysOf(entries);

const scalar = v.union(
	[v.string(), v.pipe(v.number(), v.finite()), v.boolean()],
	'must be text, a number, true or false',
);

/** A body field. */
export const fieldDetails = keysOf({
	type: about(v.picklist(fieldTypes, `must be one of ${fieldTypes.join(', ')}`), 'Type of the value'),
	label: v.optional(about(short(80), 'Label in the form. Default: the name of the field')),
	description: v.optional(about(short(300), 'What the field is')),
	required: v.optional(about(v.boolean('must be true or false'), 'Whether the bank rejects a request without it')),
	options: v.optional(
		about(
			v.pipe(
				v.array(short(200), 'must be a list of texts'),
				v.minLength(1, 'must contain at least one value'),
				v.maxLength(200, 'must contain at most 200 values'),
			),
			'The only values that the bank accepts (type string)',
		),
	),
	in: v.optional(
		about(
			v.picklist(['body', 'query', 'header'], 'must be one of body, query, header'),
			'Where the field goes. Default: body; with GET and DELETE: query',
		),
	),
	value: v.optional(about(scalar, 'A value that is always the same; the form then does not ask for it')),
});

/** A field of a response with its values. */
export const conditionDetails = keysOf({
	field: about(
		v.pipe(
			short(200),
			v.regex(/^[^\s.[\]]+(?:\.[^\s.[\]]+|\[(?:\d{1,4}|\*)\])*$/, 'must be a response field such as scans[*].state'),
		),
		'Response field, or a path such as `scoring.result`; `[*]` stands for all elements of a list',
	),
	values: v.optional(
		about(
			v.pipe(v.array(scalar, 'must be a list'), v.minLength(1, 'must contain at least one value')),
			'Values of the field. Without them: the field has any value',
		),
	),
});

const responseEntries = {
	no: v.optional(
		about(
			conditionDetails,
			'Which response means no. A read then returns `verdict` "no"; any other operation fails, although the status is a success',
		),
	),
};

const pendingEntries = {
	ready: v.optional(about(conditionDetails, 'Which response is the final result')),
	notReady: v.optional(
		about(conditionDetails, 'Which response means that the result is not ready yet (instead of `ready`)'),
	),
	notReadyStatuses: v.optional(
		about(
			v.array(
				v.pipe(
					v.number('must be an HTTP status'),
					v.integer('must be an HTTP status'),
					v.minValue(300, 'must be an HTTP status from 300 to 599'),
					v.maxValue(599, 'must be an HTTP status from 300 to 599'),
				),
				'must be a list of HTTP statuses',
			),
			'HTTP statuses that mean that the result is not ready yet, such as 404',
		),
	),
};

const tokenDetails = keysOf({
	sendAs: v.optional(
		about(
			v.picklist(['bearer', 'header', 'query'], 'must be one of bearer, header, query'),
			'How the access token is sent: Authorization: Bearer, a header of its own, or a query parameter',
		),
	),
	name: place('Name of the header or of the query parameter'),
});

const documentDetails = keysOf({
	field: place('Body field or form part of this document, if the documents do not share one'),
	name: place("The bank's name for this document"),
});

function filesSchema({ documents, named }: NonNullable<NonNullable<Operation['payload']>['files']>): ObjectSchema {
	const entries = Object.keys(documents ?? {}).map((name) => [name, v.optional(documentDetails)] as const);
	return openKeys({
		sendAs: v.optional(
			about(
				v.picklist(['base64', 'multipart'], 'must be one of base64, multipart'),
				'base64: text inside the JSON. multipart: a form. Default: base64',
			),
		),
		field: place(
			'Body field or form part, such as `documents[].content`; `[]` counts the files. Default: the name of the binary field',
		),
		fileName: place('Body field for the file name, such as `documents[].fileName`'),
		mimeType: place('Body field for the MIME type'),
		...(entries.length === 0 && named === undefined
			? {}
			: { documentName: place("Body field for the bank's name of the document, such as `documents[].type`") }),
		...(entries.length === 0
			? {}
			: { documents: v.optional(about(openKeys(Object.fromEntries(entries)), 'The required documents')) }),
	});
}

/**
 * The details that the API description lacks about an operation, derived from the properties missing in its definition.
 * The JSON schema, the templates, the validation and the docs are generated from it.
 */
export function detailsSchema(operation: Operation): ObjectSchema {
	const { method, path, payload, unnamedFields, accessToken, response, asynchronous, effect, dialect } = operation;
	const names = Object.keys(unnamedFields?.entries ?? {});
	return openKeys({
		...(method === undefined
			? { method: v.optional(about(v.picklist(methods, `must be one of ${methods.join(', ')}`), 'HTTP method')) }
			: {}),
		...(path === undefined
			? {
					path: v.optional(
						about(
							short(500),
							'Path below the base URL, without scheme and host. `{name}` is replaced by the body field of that name',
						),
					),
				}
			: {}),
		...(names.length === 0
			? {}
			: {
					names: v.optional(
						about(
							openKeys(
								Object.fromEntries(names.map((name) => [name, place(`Body field for ${labelFor(operation, name)}`)])),
							),
							'Names of the body fields for values that the description requires without naming their fields',
						),
					),
				}),
		...(dialect === undefined
			? {}
			: {
					fields: v.optional(
						about(
							v.record(v.string(), fieldDetails),
							payload === undefined
								? 'Query parameters and headers that are always the same'
								: 'Fields by name, or by a path in the body such as `client.phones[0].number` or, if the body is a list, `[0].phone`',
						),
					),
				}),
		...(payload?.files === undefined
			? {}
			: { files: v.optional(about(filesSchema(payload.files), 'How files are sent')) }),
		...(accessToken === undefined ? {} : { token: v.optional(about(tokenDetails, 'Where the access token goes')) }),
		...(response === undefined && effect !== 'delete' && effect !== 'none'
			? {
					responses: v.optional(
						about(
							openKeys({ ...(asynchronous === true ? pendingEntries : {}), ...responseEntries }),
							'What the responses mean',
						),
					),
				}
			: {}),
	});
}

const labelFor = ({ unnamedFields }: Operation, name: string): string =>
	v.getTitle(unnamedFields?.entries[name] as never) ?? name;

type Optional<T> = { [Name in keyof T]?: T[Name] | undefined };
export type FieldDetails = v.InferOutput<typeof fieldDetails>;
export type TokenDetails = v.InferOutput<typeof tokenDetails>;
export type FileDetails = Optional<{
	sendAs: 'base64' | 'multipart';
	field: string;
	fileName: string;
	mimeType: string;
	documentName: string;
	documents: Readonly<Record<string, v.InferOutput<typeof documentDetails>>>;
}>;

/** The service details of one operation. */
export type OperationDetails = Optional<{
	method: (typeof methods)[number];
	path: string;
	names: Readonly<Record<string, string | undefined>>;
	fields: Readonly<Record<string, FieldDetails>>;
	files: FileDetails;
	token: TokenDetails;
	responses: ResponseDetails;
}>;

/** The service details of a credential, by operation ID. */
export type ServiceDetails = Readonly<Record<string, OperationDetails>>;

/** The schema of a body field. */
export function schemaOfField({
	type,
	label = '',
	description = '',
	options,
	required,
}: FieldDetails): v.GenericSchema {
	const kinds = {
		string: text,
		number: decimal,
		integer: whole,
		boolean: flag,
		date: day,
		object: (...texts: [string, string]) =>
			v.pipe(v.record(v.string(), v.unknown()), v.title(texts[0]), v.description(texts[1])),
		array: (...texts: [string, string]) => listOf(v.unknown(), ...texts),
	};
	const schema: v.GenericSchema =
		options === undefined
			? kinds[type](label, description)
			: v.pipe(v.picklist(options, `must be one of ${options.join(', ')}`), v.title(label), v.description(description));
	return required === true ? schema : v.optional(schema);
}
