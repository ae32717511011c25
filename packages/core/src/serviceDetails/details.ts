import * as v from 'valibot';

import { day, decimal, flag, listOf, oneOf, text, whole } from '../schemas/fields.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export const about = <S extends v.GenericSchema>(schema: S, description: string) =>
	v.pipe(schema, v.description(description));
export const shortText = (most: number) =>
	v.pipe(
		v.string('must be text'),
		v.maxLength(most, ({ received }) => `must have at most ${most} characters, got ${received}`),
	);
export const optionalKey = <S extends v.GenericSchema>(schema: S, description: string) =>
	v.optional(about(schema, description));
/** Most characters of a field name, or of a path in the body. */
export const longestPlace = 200;
export const place = (description: string) => optionalKey(shortText(longestPlace), description);
/** Rejects other keys. */
export const knownKeys = <E extends v.ObjectEntries>(entries: E) =>
	v.strictObject(entries, `is not a key here. Known: ${Object.keys(entries).join(', ')}`);

export const scalar = v.union(
	[v.string(), v.pipe(v.number(), v.finite()), v.boolean()],
	'must be text, a number, true or false',
);

/** A field of a response with its values. */
export const conditionDetails = knownKeys({
	field: about(
		v.pipe(
			shortText(200),
			v.regex(/^[^\s.[\]]+(?:\.[^\s.[\]]+|\[(?:\d{1,4}|\*)\])*$/, 'must be a response field such as scans[*].state'),
		),
		'Response field, or a path such as `scoring.result`; `[*]` stands for all elements of a list',
	),
	values: optionalKey(
		v.pipe(v.array(scalar, 'must be a list'), v.minLength(1, 'must contain at least one value')),
		'Values of the field. Without them: the field has any value',
	),
});

export const responseEntries = {
	no: optionalKey(
		conditionDetails,
		'Which response means no. A read then returns `verdict` "no"; any other operation fails, although the status is a success',
	),
};

export const pendingEntries = {
	ready: optionalKey(conditionDetails, 'Which response is the final result'),
	notReady: optionalKey(conditionDetails, 'Which response means that the result is not ready yet (instead of `ready`)'),
	notReadyStatuses: optionalKey(
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
};

type Output<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

/** Meaning of the responses of an operation, as the bank described it to the user. */
export type ResponseDetails = Output<typeof pendingEntries & typeof responseEntries>;

const fieldTypes = ['string', 'number', 'integer', 'boolean', 'date', 'object', 'array'] as const;

export const fieldDetails = knownKeys({
	type: about(oneOf(fieldTypes), 'Type of the value'),
	label: optionalKey(shortText(80), 'Label in the form. Default: the name of the field'),
	description: optionalKey(shortText(300), 'What the field is'),
	required: optionalKey(v.boolean('must be true or false'), 'Whether the bank rejects a request without it'),
	options: optionalKey(
		v.pipe(
			v.array(shortText(200), 'must be a list of texts'),
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

export const documentDetails = knownKeys({
	field: place('Body field or form part of this document, if the documents do not share one'),
	name: place("The bank's name for this document"),
});

export const fileEntries = {
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

export const shownEntries = {
	method: optionalKey(oneOf(methods), 'HTTP method'),
	path: optionalKey(
		shortText(500),
		'Path below the base URL, without scheme and host. `{name}` is replaced by the body field of that name',
	),
	token: optionalKey(tokenDetails, 'Where the access token goes'),
};

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

export const placeholdersIn = (path = ''): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The path of the file at an index, which replaces `[]`. */
export const fileField = (place: string, index: number): string => place.replace('[]', `[${index}]`);

export const isOutsideBody = (field: FieldDetails): boolean => field.in === 'query' || field.in === 'header';

/** Whether the field holds data of the request, unlike a header with a fixed value. */
export const isData = ({ in: place, value }: FieldDetails): boolean => place !== 'header' || value === undefined;

export function schemaOfField(
	{ type, label = '', description = '', options, required }: FieldDetails,
	isMoney: boolean,
): v.GenericSchema {
	const kinds = {
		string: text,
		number: (...texts: [string, string]) => decimal(...texts, isMoney ? { kind: 'amount' } : {}),
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
