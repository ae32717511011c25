import * as v from 'valibot';

export const about = <S extends v.GenericSchema>(schema: S, description: string) =>
	v.pipe(schema, v.description(description));
export const short = (most: number) =>
	v.pipe(
		v.string('must be text'),
		v.maxLength(most, ({ received }) => `must have at most ${most} characters, got ${received}`),
	);
export const optionalKey = <S extends v.GenericSchema>(schema: S, description: string) =>
	v.optional(about(schema, description));
/** A field name, or a path in the body. */
export const place = (description: string) => optionalKey(short(200), description);
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
			short(200),
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

export type Output<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

/** Meaning of the responses of an operation, as the bank described it to the user. */
export type ResponseDetails = Output<typeof pendingEntries & typeof responseEntries>;
