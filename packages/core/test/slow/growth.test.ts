/** Reading external text or JSON takes time linear in its size: n8n has one thread. */
import { type Reader, superlinear, texts, values } from '../../../fixtures/src/growth.ts';
import {
	withRegisteredQuery,
	canonicalJson,
	connectionCode,
	connectionErrorInfo,
	courier,
	decimalValue,
	entryScore,
	excerpt,
	fieldAt,
	headerNameProblem,
	hostIssues,
	hostOf,
	hundredths,
	instantOf,
	isCourierRefusal,
	isSecretName,
	jsonOrText,
	labelOf,
	operations,
	parseLossless,
	phoneDigits,
	parsePath,
	profile,
	readChecks,
	readCursor,
	readDelivery,
	readOrders,
	rest,
	redact,
	splitList,
	textToSign,
	tranchePurpose,
	unifiedChecks,
	redactLongRuns,
	withSignature,
} from '../../src/index.ts';

const dialects = { courier, entryScore, profile, rest, unifiedChecks };
const orders = { identifierField: 'eventId', requiredFields: ['a.b'], ordersField: '' };

const ofTexts: Record<string, Reader<string>> = {
	withRegisteredQuery: (text) => withRegisteredQuery(text, text),
	connectionCode: (text) => connectionCode(new Error(text)),
	connectionErrorInfo,
	decimalValue,
	excerpt,
	fieldAt: (text) => fieldAt({ a: [{ b: 1 }] }, text),
	headerNameProblem,
	hostIssues: (text) => hostIssues(text, `${text} `),
	hostOf,
	hundredths,
	instantOf: (text) => instantOf(text, 'Europe/Moscow'),
	isCourierRefusal: (text) => isCourierRefusal({ errorInfo: { errorCode: text, errorString: text } }),
	isSecretName,
	jsonOrText,
	labelOf: (text) => labelOf(operations[0] as never, text),
	parseLossless,
	phoneDigits,
	parsePath,
	readChecks: (text) => readChecks({ result: text, message: [text] }, []),
	readCursor: (text) => readCursor(text, ''),
	readDelivery: (text) =>
		readDelivery({ events: [{ eventId: text, [text]: 1 }] }, { eventsField: text, idField: text }),
	readOrders: (text) => readOrders([{ eventId: text, [text]: 1 }], { ...orders, requiredFields: [text] }),
	redact,
	'splitList of identifiers': (text) => splitList(text, 'identifier'),
	'splitList of names': (text) => splitList(text, 'name'),
	toSign: (text) => textToSign({ [text]: text }),
	tranchePurpose: (text) => tranchePurpose(text, 'T-1'),
	redactLongRuns,
	withSignature: (text) => withSignature(`{"a":${JSON.stringify(text)}}`, text, 'last'),
	...Object.fromEntries(
		Object.entries(dialects).map(([name, { read }]) => [
			`errors of ${name}`,
			(text: string) =>
				read({ error: text, error_description: text, errorInfo: { errorCode: text }, code: text, message: text }),
		]),
	),
};

test.each(Object.keys(ofTexts))('%s reads texts in linear time', async (name) => {
	expect(await superlinear(ofTexts[name] ?? redact, texts)).toEqual([]);
});

const ofValues: Record<string, Reader<unknown>> = {
	canonicalJson,
	readDelivery,
	'readDelivery with a path': (body) => readDelivery(body, { eventsField: 'data.events', idField: 'a.b' }),
	readOrders: (body) => readOrders(body, orders),
	readChecks: (body) => readChecks(body, []),
	isCourierRefusal,
	splitList: (list) => splitList(list, 'identifier'),
	parseLossless: (body) => parseLossless(JSON.stringify(body)),
};

test.each(Object.keys(ofValues))('%s reads JSON in linear time', async (name) => {
	expect(await superlinear(ofValues[name] ?? canonicalJson, values)).toEqual([]);
});
