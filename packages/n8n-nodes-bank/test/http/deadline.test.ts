/** Every request ends: with its last byte, at its deadline, at its size limit, or when the execution is stopped. */
import { AbortedExchange, Deadline, requestLimitsOf } from '../../nodes/shared/http/deadline.ts';
import { faultsOf } from '../pipeline/support.ts';

const bounds = { seconds: 60, bytes: 10 };
const never = new Promise<never>(() => undefined);

/** A body that is still arriving, and a function that says whether it was closed. */
function arriving(...chunks: (string | Promise<never>)[]) {
	const seen = { destroyed: false };
	return {
		seen,
		destroy: () => void (seen.destroyed = true),
		async *[Symbol.asyncIterator]() {
			for (const chunk of chunks) yield Buffer.from(await chunk);
		},
	};
}

const faultOf = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: unknown) => (error instanceof AbortedExchange ? error.error : error),
	);

test('a body that arrives in chunks is joined', async () => {
	const bytes = await new Deadline(bounds, undefined).bytesOf(arriving('ab', 'cd', ''));
	expect(bytes.toString()).toBe('abcd');
});

test.each([
	['text', 'abc', 'abc'],
	['bytes', new Uint8Array([97, 98]), 'ab'],
	['a part of other bytes', new Uint8Array([97, 98, 99, 100]).subarray(1, 3), 'bc'],
	['nothing', undefined, ''],
	['null', null, ''],
	['an object that n8n has parsed', { a: 1 }, '{"a":1}'],
])('a body that came as %s is returned unchanged', async (_, body, text) => {
	expect((await new Deadline(bounds, undefined).bytesOf(body)).toString()).toBe(text);
});

test('a body of the largest size is read to its end', async () => {
	expect(await new Deadline(bounds, undefined).bytesOf(arriving('12345', '67890'))).toHaveLength(10);
});

test.each([
	['in pieces', () => arriving('12345', '678901', never)],
	['at once', () => '12345678901'],
])('a larger body that comes %s is not read further', async (_, body) => {
	const given = body();
	expect(await faultOf(new Deadline(bounds, undefined).bytesOf(given))).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
	if (typeof given !== 'string') expect(given.seen.destroyed).toBe(true);
});

test('the error for a body that is too large has the limit', async () => {
	const exchange = new Deadline({ seconds: 60, bytes: 2 * 1024 * 1024 }, undefined);
	expect(await faultOf(exchange.bytesOf(Buffer.alloc(2 * 1024 * 1024 + 1)))).toEqual({
		code: 'RESPONSE_TOO_LARGE',
		message: 'more than 2 MB',
	});
	expect(await exchange.bytesOf(Buffer.alloc(2 * 1024 * 1024))).toHaveLength(2 * 1024 * 1024);
});

test('an exchange that has ended leaves no listeners', async () => {
	const exchange = new Deadline(bounds, new AbortController().signal);
	const [added, removed] = [[], []] as [unknown[], unknown[]];
	jest.spyOn(exchange.signal, 'addEventListener').mockImplementation((_, listener) => void added.push(listener));
	jest.spyOn(exchange.signal, 'removeEventListener').mockImplementation((_, listener) => void removed.push(listener));
	expect(await exchange.within(Promise.resolve('answer'))).toBe('answer');
	expect(removed).toEqual(added);
	expect(added).toHaveLength(1);
});

test('a body that never ends is aborted at the deadline, and its connection is closed', async () => {
	const body = arriving('1', never);
	const exchange = new Deadline({ ...bounds, seconds: 0.05 }, undefined);
	expect(await faultOf(exchange.bytesOf(body))).toEqual({
		code: 'ECONNABORTED',
		message: 'no complete response within 0.05 seconds',
	});
	expect(body.seen.destroyed).toBe(true);
});

test('a stopped execution ends the exchange as stopped, and not as out of time', async () => {
	const stop = new AbortController();
	const exchange = new Deadline(bounds, stop.signal);
	const waiting = faultOf(exchange.within(never));
	stop.abort();
	expect(await waiting).toEqual({ code: 'ERR_CANCELED' });
	expect(await faultOf(exchange.within(Promise.resolve('late')))).toEqual({ code: 'ERR_CANCELED' });
});

test('an error within the limits is rethrown unchanged', async () => {
	const error = new Error('broke');
	expect(await faultOf(new Deadline(bounds, undefined).within(Promise.reject(error)))).toBe(error);
});

test('an error after the end of the exchange is not an unhandled rejection', async () => {
	const stray = jest.fn();
	process.on('unhandledRejection', stray);
	const stop = new AbortController();
	stop.abort();
	expect(await faultOf(new Deadline(bounds, stop.signal).within(Promise.reject(new Error('late'))))).toEqual({
		code: 'ERR_CANCELED',
	});
	await new Promise(setImmediate);
	process.off('unhandledRejection', stray);
	expect(stray).not.toHaveBeenCalled();
});

it('a request is limited to a minute and 16 MB, or to the options', () => {
	expect(requestLimitsOf({})).toEqual({ seconds: 60, bytes: 16 * 1024 * 1024 });
	expect(requestLimitsOf({ timeout: '7', maxResponseSize: 1 })).toEqual({ seconds: 7, bytes: 1024 * 1024 });
});

it.each([0, 901, 1e15, 'soon'])('a timeout of %s is refused', async (timeout) => {
	expect(await faultsOf(() => requestLimitsOf({ timeout }))).toMatchObject([
		{ path: 'timeout', message: 'must be a whole number from 1 to 900' },
	]);
});
