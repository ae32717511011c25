import * as v from 'valibot';

import { day, decimal, flag, listOf, oneOf, text, whole } from '../schemas/fields.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export const carriesNoBody = (method: Method | undefined): method is 'GET' | 'DELETE' =>
	method === 'GET' || method === 'DELETE';

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

/** A path in a response: `a.b`, `a[0].b`, `[*].a`. */
const responsePath = /^(?:[^\s.[\]]+|\[(?:\d{1,4}|\*)\])(?:\.[^\s.[\]]+|\[(?:\d{1,4}|\*)\])*$/;

const scalar = v.union(
	[v.string(), v.pipe(v.number(), v.finite()), v.boolean()],
	'must be text, a number, true or false',
);

const values = v.pipe(v.array(scalar, 'must be a list'), v.minLength(1, 'must contain at least one value'));

/** A field or header of a response with its values. */
export const conditionDetails = knownKeys({
	field: optionalKey(
		v.pipe(shortText(200), v.regex(responsePath, 'must be a response field such as scans[*].state')),
		'Response field, or a path such as `scoring.result`; `[*]` stands for all elements of a list',
	),
	header: optionalKey(shortText(100), 'Response header, instead of `field`'),
	values: optionalKey(
		values,
		'Values of the field. Upper and lower case and outer spaces do not matter. If absent, any value counts',
	),
	not: optionalKey(values, 'Values that the field must not have; it must have some other value'),
	min: optionalKey(v.pipe(v.number('must be a number'), v.finite()), 'Lowest number'),
	max: optionalKey(v.pipe(v.number('must be a number'), v.finite()), 'Highest number'),
});
export type Condition = v.InferOutput<typeof conditionDetails>;

/** Texts of the verdicts. A value that no verdict lists is unclear, never a yes. */
const verdictTexts: Readonly<Record<string, string>> = {
	yes: 'Which response means yes. Other values are `unclear`. Of a list, all elements must have one of the values',
	no: 'Which response means no. A read then returns `verdict` "no"; any other operation fails, although the status is a success',
};

export const verdictEntries = (names: readonly string[]): Record<string, v.GenericSchema> =>
	Object.fromEntries(
		names.map((name) => [name, optionalKey(conditionDetails, verdictTexts[name] ?? `Which response means ${name}`)]),
	);

export const pendingEntries = {
	ready: optionalKey(conditionDetails, 'Which response is the final result, if it is neither a yes nor a no'),
	notReady: optionalKey(
		conditionDetails,
		'Which response means that the result is not ready yet. Only a value listed under another key is final',
	),
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

/** How the body is sent. */
export const bodyDetails = knownKeys({
	sendAs: optionalKey(
		oneOf(['json', 'form']),
		'json, or form: `application/x-www-form-urlencoded`, with plain values only. Default: json',
	),
	wrapper: place('Field that contains the whole body, such as `request`'),
	empty: optionalKey(v.boolean('must be true or false'), 'Whether to send `{}` if there are no fields'),
});

export const headersEntry = {
	headers: optionalKey(
		v.pipe(
			v.array(shortText(100), 'must be a list of header names'),
			v.maxLength(20, 'must contain at most 20 values'),
		),
		'Response headers to return in `headers`, such as one with an identifier. `location` is always returned',
	),
};

/** Where the results of the unified checks are (4.14). */
export const checksDetails = knownKeys({
	row: optionalKey(
		v.pipe(shortText(200), v.regex(responsePath, 'must be a path such as checks.{check} or response.checks[*]')),
		'Path of the row of a check. `{check}` stands for its name, `[*]` for all elements of a list. Default: `checks.{check}`',
	),
	name: optionalKey(shortText(100), 'Field of a row with the name of the check, if the rows are a list'),
	result: optionalKey(shortText(100), 'Field of a row with the result E, N or Y. Default: `result`'),
	codes: optionalKey(shortText(200), 'Path of the message codes in a row, such as `messages[*].code`'),
	ignore: optionalKey(
		v.pipe(v.array(shortText(200), 'must be a list of texts'), v.maxLength(200, 'must contain at most 200 values')),
		'Fields (names, or paths such as `messages[*].text`) and codes that say nothing against a person. ' +
			'Any other field or code makes a check `unclear`',
	),
});
export type ChecksDetails = v.InferOutput<typeof checksDetails>;

type Output<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

/** Meaning of the responses of an operation, as the bank described it to the user. */
export type ResponseDetails = Output<typeof pendingEntries & typeof headersEntry> & {
	[Verdict in 'yes' | 'no']?: Condition | undefined;
};

const fieldTypes = ['string', 'number', 'integer', 'boolean', 'date', 'object', 'array'] as const;

/** Formats of a day in the request. Users enter it as yyyy-MM-dd. */
const dateFormats = [
	'yyyy-MM-dd',
	'dd.MM.yyyy',
	'dd/MM/yyyy',
	'MM/dd/yyyy',
	'yyyyMMdd',
	'yyyy-MM-ddT00:00:00',
	'yyyy-MM-ddT00:00:00Z',
] as const;

/** A value as it is sent: a day in the format of its field, a number if the options are numbers. */
export function sentValue({ type, format, options }: FieldDetails, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	if (options !== undefined && type !== 'string') return Number(value);
	if (type !== 'date' || format === undefined) return value;
	const [year = '', month = '', dayOfMonth = ''] = value.split('-');
	return format.replace('yyyy', year).replace('MM', month).replace('dd', dayOfMonth);
}

export const fieldDetails = knownKeys({
	type: about(oneOf(fieldTypes), 'Type of the value'),
	label: optionalKey(shortText(80), 'Label in the form. Default: the name of the field'),
	description: optionalKey(shortText(300), 'What the field is'),
	required: optionalKey(v.boolean('must be true or false'), 'Whether the bank rejects a request without it'),
	options: optionalKey(
		v.pipe(
			v.array(v.union([shortText(200), v.pipe(v.number(), v.finite())], 'must be text or a number'), 'must be a list'),
			v.minLength(1, 'must contain at least one value'),
			v.maxLength(200, 'must contain at most 200 values'),
		),
		'The only values that the bank accepts (types string, number and integer)',
	),
	format: optionalKey(oneOf(dateFormats), 'How a date is sent. Default: yyyy-MM-dd'),
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
	body?: v.InferOutput<typeof bodyDetails> | undefined;
	checks?: ChecksDetails | undefined;
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
			: v.pipe(oneOf(options.map(String)), v.title(label), v.description(description));
	return required === true ? schema : v.optional(schema);
}
