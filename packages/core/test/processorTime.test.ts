/**
 * Nobody who sends text to n8n, the bank included, can stop it: twice the input costs at most twice the processor time, and
 * a little for the collection of garbage. Nesting included, up to the limit of depth.
 */
import { growthOf, most } from '../../fixtures/src/processorTime.ts';
import {
	call,
	canonicalJson,
	excerpt,
	hundredths,
	instantOf,
	operationById,
	overrideServiceDetails,
	parseLossless,
	parsePath,
	parseServiceDetails,
	phoneNumber,
	prepare,
	readDelivery,
	readOrders,
	redact,
	scanJson,
	splitList,
} from '../src/index.ts';
import { sampleOf } from './support/samples.ts';

/** Pieces that a text is made of; each has been expensive for some pattern. */
const pieces = [
	...[
		'a',
		'1',
		' ',
		'-',
		'.',
		'_',
		'/',
		'<',
		'"',
		'\\',
		'[',
		'{',
		'=',
		'*',
		'\n',
		'\u0430',
		'\u200b',
		'\ufdfa',
		'\u{1f600}',
	],
	...[
		'1 ',
		'1.',
		'1-',
		'12-',
		'a.',
		'a:',
		'@a',
		'<a',
		'<a ',
		'<script>',
		'<style',
		'="',
		'\\"',
		'":',
		'{"a":',
		'[1,',
		'{{',
		'e+',
	],
	...['Bearer ', 'token=', 'token="', 'password: ', 'code=', '-----BEGIN PRIVATE KEY-----', 'https://a:', 'errorcode='],
	...['aaaaaaaa.', '****1', '(1) ', '\u00a01', 'key=[', '0x1f', '1/', 'T-1 '],
];

/** As every response and delivery is read. */
function readJson(given: string): unknown {
	const scan = scanJson(given);
	return scan.isTooDeep ? undefined : parseLossless(given, scan);
}

const text: Record<string, (given: string) => unknown> = {
	scanJson,
	'parseLossless, unless too deep': readJson,
	redact,
	excerpt,
	hundredths,
	phoneNumber,
	parsePath,
	'instantOf, of a date': (given) => instantOf(given, 'UTC'),
	'splitList, of identifiers': (given) => splitList(given, 'identifier'),
	'splitList, of accounts': (given) => splitList(given, 'account'),
	'splitList, of names': (given) => splitList(given, 'name'),
};

describe.each(Object.entries(text))('%s', (_name, read) => {
	it('is linear in every text', async () => {
		const superlinear: unknown[] = [];
		for (const piece of pieces) {
			const growth = await growthOf((size) => piece.repeat(Math.ceil(size / piece.length)), read, 4000);
			if (growth > most) superlinear.push([piece, growth]);
		}
		expect(superlinear).toEqual([]);
	});
});

type Shape = (size: number) => unknown;

const times = (count: number, make: (index: number) => unknown): unknown[] =>
	Array.from({ length: count }, (_, i) => make(i));
/** Just below the limit of depth. */
const depth = 190;
const nested = (inner: unknown, wrap: (value: unknown) => unknown): unknown =>
	Array.from({ length: depth }).reduce((value: unknown) => wrap(value), inner);

const shapes: Record<string, Shape> = {
	'a long text': (size) => ({ error: 'a'.repeat(size), status: '['.repeat(size) }),
	'many numbers': (size) => times(size, (index) => index),
	'many records': (size) => times(size, (index) => ({ id: index, status: 'OK' })),
	'many fields': (size) => Object.fromEntries(times(size / 16, (index) => [`f${index}`, index]) as [string, unknown][]),
	'many lists': (size) =>
		Object.fromEntries(times(size / 16, (index) => [`f${index}`, [{ eventId: 'a' }]]) as [string, unknown][]),
	'many texts': (size) => ({ events: times(size, (index) => `error ${index}`) }),
	'records around many events': (size) =>
		nested({ events: times(size, (eventId) => ({ eventId })) }, (data) => ({ data })),
	'records around many things': (size) =>
		nested({ events: times(size, (id) => ({ id })) }, (data) => ({ data, id: '1' })),
	'records around many errors': (size) => nested({ errors: times(size, (code) => ({ code })) }, (error) => ({ error })),
	'lists around many numbers': (size) =>
		nested(
			times(size, (index) => index),
			(inner) => [inner],
		),
	'lists around many lists': (size) =>
		nested(
			times(size, () => [[]]),
			(inner) => ({ data: [inner], status: [inner] }).data,
		),
	'lists in records': (size) =>
		nested(
			times(size, (index) => index),
			(inner) => ({ status: [inner], code: 1 }),
		),
	'envelopes around many events': (size) =>
		nested(
			times(size, (id) => ({ id, object: 'a' })),
			(events) => [{ events }],
		),
	'a long name at each depth': (size) =>
		nested({ events: [{ eventId: '1' }] }, (inner) => ({ ['n'.repeat(Math.ceil(size / 20))]: inner })),
	'records with records': (size) => times(size / 20, () => nested({ id: 1 }, (data) => ({ data }))),
};

const answering = (id: string, status: number) => {
	const operation = operationById(id);
	const { details, ...input } = sampleOf(id, 'all fields').input;
	const known = details === undefined ? operation : { ...operation, details };
	const prepared = prepare(known, input);
	return async (value: unknown) => {
		const response = { status, headers: {}, text: JSON.stringify(value) };
		return await call(known, prepared, async () => response).catch(() => undefined);
	};
};

const readers: Record<string, (value: unknown) => unknown> = {
	canonicalJson,
	readDelivery,
	'readDelivery, with a path of the user': (value) =>
		readDelivery(value, { eventsField: 'data.events', idField: 'a.id' }),
	readOrders: (value) =>
		readOrders(value, { identifierField: 'id', requiredFields: ['status'], ordersField: 'events' }),
	...Object.fromEntries(
		(
			[
				['payment.sendPackage', 200],
				['payment.sendPackage', 400],
				['accountOperation.getMany', 200],
				['directDebit.debit', 200],
				['unifiedCheck.run', 200],
				['unifiedCheck.run', 400],
				['entryScore.scoreCompany', 400],
				['courier.checkCode', 200],
				['application.create', 400],
			] as const
		).map(([id, status]) => [`${id}, status ${status}`, answering(id, status)] as const),
	),
};

describe.each(Object.entries(readers))('%s', (_name, read) => {
	it('is linear in every shape', async () => {
		const superlinear: unknown[] = [];
		for (const [shape, make] of Object.entries(shapes)) {
			const growth = await growthOf(make, read, 1600);
			if (growth > most) superlinear.push([shape, growth]);
		}
		expect(superlinear).toEqual([]);
	});
});

describe('service details', () => {
	const field = { type: 'string' };
	const fieldsOf = (names: readonly string[]) => ({ fields: Object.fromEntries(names.map((name) => [name, field])) });
	const documentOf = (details: object): string => JSON.stringify({ 'directDebit.debit': details });
	const numbered = (count: number, name: (index: number) => string) => Array.from({ length: count }, (_, i) => name(i));
	const record = (count: number, name: string, value: unknown) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, value]));

	const documents: Record<string, (size: number) => string> = {
		'long names': (size) => documentOf(fieldsOf(numbered(30, (index) => `f${index}.${'a.'.repeat(size / 4)}`))),
		'one long name': (size) => documentOf(fieldsOf(['a.'.repeat(size)])),
		'a long name of a value': (size) => documentOf({ names: { purpose: 'a.'.repeat(size) } }),
		'many fields': (size) => documentOf(fieldsOf(numbered(size / 8, (index) => `f${index}`))),
		'many steps': (size) => documentOf(fieldsOf(numbered(size / 64, (index) => `${'a.'.repeat(18)}f${index}`))),
		'high positions': (size) => documentOf(fieldsOf(numbered(size / 64, (index) => `a[9000][${index}]`))),
		'long texts': (size) => documentOf({ path: `/${'a'.repeat(size)}`, $comment: '{'.repeat(size) }),
		'many operations': (size) => JSON.stringify(record(size / 8, 'op', {})),
		'a key that is repeated': (size) => `{${'"a": 1,'.repeat(size)}"a": 1}`,
		'many keys': (size) => documentOf(record(size / 8, 'k', 1)),
		'not JSON': (size) => `{"${'\\"'.repeat(size)}`,
		'much space': (size) => `{"a"${' '.repeat(size)}:1,"b"${' '.repeat(size)}}`,
		nested: (size) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`,
	};
	const refusalOf = (read: () => unknown): string => {
		try {
			read();
			return '';
		} catch (error) {
			return String(error);
		}
	};
	const debit = operationById('directDebit.debit');

	it.each(Object.entries(documents))('with %s take linear time', async (_name, make) => {
		expect(await growthOf(make, (text) => refusalOf(() => parseServiceDetails(text)), 1600)).toBeLessThanOrEqual(most);
	});

	it('have names and paths of limited length and depth', () => {
		for (const name of ['a'.repeat(201), `${'a.'.repeat(20)}a`, 'a.'.repeat(4000), 'a.'.repeat(9000), 'a[9000][9000]'])
			expect(refusalOf(() => parseServiceDetails(documentOf(fieldsOf([name]))))).toMatch(
				/must have at most 200|must be a field/,
			);
		expect(refusalOf(() => parseServiceDetails(documentOf(fieldsOf([`${'a.'.repeat(18)}a[0]`]))))).not.toContain(
			'steps',
		);
	});

	it('of an expression have the limits of stored ones', () => {
		const own: Record<string, unknown> = {};
		own['a'] = own;
		const deep = (levels: number) => Array.from({ length: levels }).reduce((inner: object) => ({ a: inner }), {});
		const override = (given: unknown) => refusalOf(() => overrideServiceDetails(debit, {}, given, []));
		expect(override({ payload: { text: 'a'.repeat(300_000) } })).toMatch(/256 kB/);
		for (const given of [own, deep(300), deep(200_000)])
			expect(override({ payload: given })).toMatch(/nested too deeply/);
		expect(override({ payload: deep(100) })).toBe('');
	});
});
