/** Unified checks with responses generated from a fixed seed: none passes that contains anything against it. */
import { seededRandom } from '../../fixtures/src/seededRandom.ts';
import { errorSection } from '../../fixtures/src/oracle.ts';
import { type CheckName, checkNames, readChecks } from '../src/index.ts';

type Json = Record<string, unknown>;

const { below, happens } = seededRandom(7);
const oneOf = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
const names = Object.keys(checkNames) as [CheckName, ...CheckName[]];
const rounds = Array.from({ length: 400 }, (_, round) => round);

const tables = Object.values(errorSection('7.3').messages ?? {});
const messagesOf = (name: CheckName) =>
	tables
		.filter(({ checks }) => checks.includes(name))
		.flatMap(({ codes, weights }) =>
			Object.entries(codes).map(([code, words]) => ({ code, words, isHarmless: weights[code]?.weight === 'harmless' })),
		);

/** Harmless fields next to a pass. */
const harmless = (name: CheckName): Json[] => [
	{},
	{ messages: [] },
	{ error: null, status: '' },
	{ status: 'OK' },
	{ errorCode: '0', success: true },
	{ requestId: 'A-17', timestamp: '2026-01-31T10:00:00Z' },
	{ name: 'Данилова Дарья', address: 'г. Находка, ул. Ожешко, д. 5', document: 'Паспорт РФ' },
	...messagesOf(name)
		.filter(({ isHarmless }) => isHarmless)
		.flatMap(({ code, words }) => [{ code }, { messages: [{ code, text: words }] }, { message: `${code}: ${words}` }]),
];

/** Each of these contradicts a pass. */
const against = (name: CheckName): Json[] => [
	...['ERROR', 'FAILED', 'PENDING', 'IN_PROGRESS', 'TIMEOUT', 'IN_REVIEW', 'NOT_RUN', 'QUEUED', '500', 503, false].map(
		(status) => ({ [oneOf(['status', 'state', 'checkStatus', 'responseStatus'])]: status }),
	),
	{ error: 'time-out' },
	{ error: { code: 'X' } },
	{ errors: ['no connection'] },
	{ errorCode: 17 },
	{ exception: 'NullPointer' },
	{ fault: true },
	{ pending: true },
	{ success: false },
	{ isFinal: false },
	{ completed: 'no' },
	{ preliminary: true },
	{ stale: true },
	{ previousResult: 'N' },
	{ warning: 'service was down' },
	{ matches: [{ list: 'A' }] },
	{ related: { success: true } },
	{ note: 'Result of 2019' },
	{ text: 'Full match' },
	{ [`riskLevel${'A'.repeat(100_000)}`]: 'HIGH' },
	{ result_: 'Y' },
	...[
		'НАЙДЕН',
		'Полное совпадение',
		'Ошибка соединения',
		'не определено',
		'Сервис недоступен',
		'в обработке',
		'Да',
	].map((words) => ({ [oneOf(['value', 'answer', 'response', 'list', 'operation', 'message'])]: words })),
	{ isToCall: oneOf<unknown>(['false', '0', 0, false, 'no']) },
	{ history: { checks: { [name]: { result: 'N' } } } },
	...messagesOf(name)
		.filter(({ isHarmless }) => !isHarmless)
		.flatMap(({ code, words }) => [
			{ [oneOf(['code', 'errorCode', 'messageCode'])]: code },
			{ [code]: 'words' },
			{ messages: [{ text: words }] },
			{ [oneOf(['message', 'description', 'whatever', 'reason', 'comment'])]: words.toUpperCase() },
		]),
];

type Shape = (name: CheckName, row: Json) => Json;
const shapes: readonly [Shape, ...Shape[]] = [
	(name, row) => ({ checks: { [name]: row } }),
	(name, row) => ({ checks: { [name]: [row] } }),
	(name, row) => ({ checks: [{ [name]: row }] }),
	(name, row) => ({ checks: [{ checkName: name, ...row }] }),
	(name, { result, ...row }) => ({ checks: [{ checkName: name, checkResult: result, ...row }] }),
	(name, { result, ...row }) => ({ outParms: { checks: [{ checkName: name, checkResult: result, ...row }] } }),
	(name, row) => ({ outParms: { [name]: row } }),
];

/** Envelopes seen in practice. */
function enveloped(answer: Json, ...others: string[]): unknown {
	let whole: unknown = answer;
	while (happens(0.4)) {
		const key = oneOf(['response', 'data', 'result', 'body', 'UnifiedChecksResponse', 'answer', ...others]);
		whole = happens(0.2) ? [{ [key]: whole }] : { [key]: whole };
	}
	return whole;
}

const sound = (name: CheckName): Json => oneOf(harmless(name) as [Json, ...Json[]]);
const verdictOf = (answer: unknown, name: CheckName, request: Json = {}) => readChecks(answer, [name], request);
const notPassed: unknown = expect.not.arrayContaining(['passed']);

test('an N at its place passes, whatever harmless stands beside it and around it', () => {
	for (const round of rounds) {
		const name = oneOf(names);
		const answer = enveloped({ ...oneOf(shapes)(name, { result: 'N', ...sound(name) }), ...sound(name) }, 'outParms');
		expect({ round, answer, verdict: verdictOf(answer, name).verdict }).toEqual({ round, answer, verdict: 'passed' });
	}
});

test('an N passes with nothing that speaks against it, wherever that stands', () => {
	for (const name of names)
		for (const spoiler of against(name))
			for (const shape of shapes) {
				const inCheck = enveloped(shape(name, { ...sound(name), result: 'N', ...spoiler }));
				const beside = enveloped({ ...sound(name), ...shape(name, { result: 'N', ...sound(name) }), ...spoiler });
				for (const answer of [inCheck, beside]) {
					const { verdict, results } = verdictOf(answer, name);
					expect({ answer, said: [verdict, results[name]] }).toEqual({ answer, said: notPassed });
				}
			}
});

test('an N anywhere else is no pass', () => {
	for (const name of names) {
		const rows: unknown[] = [
			'N',
			['N'],
			{ result: ['N'] },
			{ result: { value: 'N' } },
			{ result: { result: 'N' } },
			{ resultCode: 'N' },
			{ [name]: 'N' },
			...['previous', 'pending', 'last', 'details', 'data', 'request', 'history', 'items', 'name'].flatMap((key) => [
				{ [key]: { result: 'N' } },
				{ [key]: [{ result: 'N' }] },
				{ [`${key}Result`]: 'N' },
			]),
		];
		const places = ['history', 'previous', 'pending', 'request', 'echo', 'inParms', 'last', 'example', 'old'];
		for (const answer of [
			...rows.map((row) => ({ checks: { [name]: row } })),
			...places.flatMap((key) => [
				{ [key]: { checks: { [name]: { result: 'N' } } } },
				{ [`${key}Checks`]: { [name]: { result: 'N' } } },
				{ checks: { [key]: { [name]: { result: 'N' } } } },
				{ [key]: [{ checkName: name, isToCall: 'true', result: 'N' }] },
			]),
			{ [name]: { result: 'N' } },
			{ result: 'N' },
		]) {
			const { verdict, results } = verdictOf(enveloped(answer), name);
			expect({ answer, said: [verdict, results[name]] }).toEqual({ answer, said: notPassed });
		}
	}
});

test('an answer about fewer or other subjects than were asked for is no pass', () => {
	const one = (row: Json) => ({ checks: { WSCustomerTerrorism: row } });
	const of = (answer: Json, request: Json) => verdictOf(answer, 'WSCustomerTerrorism', request).verdict;
	const [first, second] = ['7700000001', '7700000002'];
	expect(of(one({ result: 'N', crf: first }), { crf: first })).toBe('passed');
	expect(of(one({ result: 'N', fnm1: 'IVANOVA', dtbr: '31.01.1990' }), { fnm1: 'Ivanova', dtbr: '1990-01-31' })).toBe(
		'passed',
	);
	expect(of(one({ result: 'N', fnm1: 'Petrova' }), { fnm1: 'Ivanova' })).toBe('incomplete');
	expect(of(one({ result: 'N', crf: second }), { crf: first })).toBe('incomplete');
	expect(of({ ...one({ result: 'N' }), crf: second }, { crf: first })).toBe('incomplete');
	expect(of(one({ result: 'N' }), { crf: `${first},${second}` })).toBe('incomplete');
	expect(of(one({ result: 'N' }), { cus: 'A; B' })).toBe('incomplete');
});
