import * as v from 'valibot';

import { methods, type ObjectSchema, type Operation, type Payload } from '../operation.ts';
import { day, decimal, flag, listOf, oneOf, text, whole } from '../schemas/fields.ts';
import {
	about,
	optionalKey,
	knownKeys,
	type Output,
	pendingEntries,
	place,
	type ResponseDetails,
	responseEntries,
	scalar,
	short,
} from './responses.ts';

export { conditionDetails } from './responses.ts';

const fieldTypes = ['string', 'number', 'integer', 'boolean', 'date', 'object', 'array'] as const;

/** Keys that depend on the operation. */
const openKeys = (entries: Record<string, v.GenericSchema>): ObjectSchema => knownKeys(entries);

const onlyIf = (condition: boolean, entries: Record<string, v.GenericSchema>): Record<string, v.GenericSchema> =>
	condition ? entries : {};

export const fieldDetails = knownKeys({
	type: about(oneOf(fieldTypes), 'Type of the value'),
	label: optionalKey(short(80), 'Label in the form. Default: the name of the field'),
	description: optionalKey(short(300), 'What the field is'),
	required: optionalKey(v.boolean('must be true or false'), 'Whether the bank rejects a request without it'),
	options: optionalKey(
		v.pipe(
			v.array(short(200), 'must be a list of texts'),
			v.minLength(1, 'must contain at least one value'),
			v.maxLength(200, 'must contain at most 200 values'),
		),
		'The only values that the bank accepts (type string)',
	),
	in: optionalKey(
		oneOf(['body', 'query', 'header']),
		'Where the field goes. Default: body; with GET and DELETE: query',
	),
	value: optionalKey(scalar, 'A value that is always the same; the form then does not ask for it'),
});

const tokenDetails = knownKeys({
	sendAs: optionalKey(
		oneOf(['bearer', 'header', 'query']),
		'How the access token is sent: Authorization: Bearer, a header of its own, or a query parameter',
	),
	name: place('Name of the header or of the query parameter'),
});

const documentDetails = knownKeys({
	field: place('Body field or form part of this document, if the documents do not share one'),
	name: place("The bank's name for this document"),
});

const fileEntries = {
	sendAs: optionalKey(
		oneOf(['base64', 'multipart']),
		'base64: text inside the JSON. multipart: a form. Default: base64',
	),
	field: place(
		'Body field or form part, such as `documents[].content`; `[]` counts the files. Default: the name of the binary field',
	),
	fileName: place('Body field for the file name, such as `documents[].fileName`'),
	mimeType: place('Body field for the MIME type'),
};
const documentName = place("Body field for the bank's name of the document, such as `documents[].type`");

function filesSchema({ documents = {}, named }: Partial<NonNullable<Payload['files']>> = {}): ObjectSchema {
	const entries = Object.keys(documents).map((name) => [name, v.optional(documentDetails)] as const);
	const hasDocuments = entries.length > 0;
	return openKeys({
		...fileEntries,
		...onlyIf(hasDocuments || named === true, { documentName }),
		...onlyIf(hasDocuments, {
			documents: optionalKey(openKeys(Object.fromEntries(entries)), 'The required documents'),
		}),
	});
}

const shownEntries = {
	method: optionalKey(oneOf(methods), 'HTTP method'),
	path: optionalKey(
		short(500),
		'Path below the base URL, without scheme and host. `{name}` is replaced by the body field of that name',
	),
	token: optionalKey(tokenDetails, 'Where the access token goes'),
};

/**
 * The details that the API description lacks about an operation, derived from the properties missing in its definition.
 * The JSON schema, the templates, the validation and the docs are generated from it.
 */
export function detailsSchema(operation: Operation): ObjectSchema {
	const { payload, unnamedFields, response, asynchronous, effect } = operation;
	const { method, path, token } = shownEntries;
	const names = Object.entries(unnamedFields?.entries ?? {}).map(
		([name, schema]) => [name, place(`Body field for ${v.getTitle(schema as never) ?? name}`)] as const,
	);
	const fieldsAbout =
		payload === undefined
			? 'Query parameters and headers that are always the same'
			: 'Fields by name, or by a path in the body such as `client.phones[0].number` or, if the body is a list, `[0].phone`';
	const namesAbout = 'Names of the body fields for values that the description requires without naming their fields';
	const responses = openKeys({ ...onlyIf(asynchronous === true, pendingEntries), ...responseEntries });
	return openKeys({
		...onlyIf(operation.method === undefined, { method }),
		...onlyIf(operation.path === undefined, { path }),
		...onlyIf(names.length > 0, { names: optionalKey(openKeys(Object.fromEntries(names)), namesAbout) }),
		...onlyIf(operation.dialect !== undefined, {
			fields: optionalKey(v.record(v.string(), fieldDetails), fieldsAbout),
		}),
		...onlyIf(payload?.files !== undefined, { files: optionalKey(filesSchema(payload?.files), 'How files are sent') }),
		...onlyIf(operation.accessToken !== undefined, { token }),
		...onlyIf(response === undefined && effect !== 'delete' && effect !== 'none', {
			responses: optionalKey(responses, 'What the responses mean'),
		}),
	});
}

export type FieldDetails = v.InferOutput<typeof fieldDetails>;

export type OperationDetails = Output<typeof shownEntries> & {
	names?: Readonly<Record<string, string | undefined>> | undefined;
	fields?: Readonly<Record<string, FieldDetails>> | undefined;
	files?:
		| (Output<typeof fileEntries> & {
				documentName?: string | undefined;
				documents?: Readonly<Record<string, v.InferOutput<typeof documentDetails>>> | undefined;
		  })
		| undefined;
	responses?: ResponseDetails | undefined;
};

/** The service details of a credential, by operation ID. */
export type ServiceDetails = Readonly<Record<string, OperationDetails>>;

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
			: v.pipe(oneOf(options), v.title(label), v.description(description));
	return required === true ? schema : v.optional(schema);
}
