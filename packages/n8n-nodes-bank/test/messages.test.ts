/** Error messages and descriptions; the most important ones word for word. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import {
	type HttpResponse,
	call,
	isBankFailure,
	operationById,
	operations,
	type PreparedRequest,
	type TransportError,
} from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { existing } from '../../fixtures/src/existing.ts';
import { errorFor, errorItem } from '../nodes/shared/base/failures';
import { descriptionOf, toFormIssue, stepTexts } from '../nodes/shared/base/messages';
import { BankClientCredentialsOAuth2Api } from '../credentials/BankClientCredentialsOAuth2Api.credentials.ts';
import { descriptions } from './support/forms.ts';

const request: PreparedRequest = {
	method: 'POST',
	url: '/x',
	headers: {},
	input: { path: {}, query: {}, body: undefined },
};

/** The error of an operation after this response or transport error. */
async function failureAfter(id: string, answer: HttpResponse | TransportError) {
	const failure: unknown = await call(operationById(id), request, async () => answer).then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!isBankFailure(failure)) throw new Error(`${id} did not fail`);
	return failure;
}

const told = async (id: string, answer: HttpResponse | TransportError) =>
	descriptionOf((await failureAfter(id, answer)).details);
const answered = (status: number, body?: object, headers = {}): HttpResponse => ({
	status,
	headers,
	text: body === undefined ? '' : JSON.stringify(body),
});

const doubt =
	'The payments may have been made and are not sent again. Check with "Find in Operations" or ask the bank, ' +
	'record the answer with "Payment: Resolve", then run again.';
const notSent = 'Nothing was sent, so no money moved.';
const rejected = 'The bank rejected it, so no money moved.';
const silent = 'The bank gave no explanation.';
const payment = 'payment.sendPackage';
const order = 'statement.orderAccount';
const read = 'accountOperation.getMany';
/** An operation without a described path. */
const unaddressed = existing(
	operations.find(
		({ path, payload, unnamedFields }) =>
			path === undefined && payload?.required === true && unnamedFields === undefined,
	),
).id;

describe('the description of', () => {
	it.each<[string, string, HttpResponse | TransportError, string]>([
		[
			'an unknown payment',
			payment,
			answered(500, { error: 'internal_error' }, { 'x-request-id': 'trace-1' }),
			`${doubt} The bank says: "{"error":"internal_error"}". Request ID: trace-1.`,
		],
		[
			'a payment that the bank rejected',
			payment,
			answered(400, { error: 'invalid_request', error_description: 'Amount' }),
			`${rejected} The bank says: "Amount". Correct the field that the bank names and run again.`,
		],
		[
			'a payment that was not sent',
			payment,
			{ code: 'ECONNREFUSED' },
			`${notSent} Check host and port of the base URL of the credential, and that this machine can reach the bank ` +
				'(firewall, proxy, VPN).',
		],
		[
			'an unknown debit',
			'directDebit.debit',
			answered(500),
			'It is unknown whether the debit was made. Before you send it again, read it with "Get Payment ' +
				'Order" by its transaction ID. The bank gave no explanation.',
		],
		[
			'an unknown deletion of a limit',
			'cardLimit.delete',
			answered(500),
			`It is unknown whether the limit was deleted. Before you send it again, read it with "Get Many" by its card ID. ${silent}`,
		],
		[
			'an unknown order',
			order,
			answered(503),
			`It is unknown whether the bank carried this out. Ask your bank before you repeat it: it may be done twice. ${silent}`,
		],
		[
			'a missing scope, if a user gives consent',
			read,
			answered(403, { error: 'insufficient_scope' }),
			'The bank says: "{"error":"insufficient_scope"}". It needs the scope ' +
				'"operations-history". Add the scope to the credential. Then turn on "Ask for Consent Again" ' +
				'(prompt=consent) there and reconnect it to sign a new consent.',
		],
		[
			'a missing scope that the API description does not name',
			'webhook.get',
			answered(403, { error: 'insufficient_scope', error_description: 'No' }),
			'The bank says: "No". It needs the scope of the subscribed event. Ask your bank for it. Add the ' +
				'scope to the credential. Then turn on "Ask for Consent Again" (prompt=consent) there and ' +
				'reconnect it to sign a new consent.',
		],
		[
			'a token that could not be obtained',
			payment,
			{ code: 'TOKEN', message: 'Client ID is empty. Enter what the bank gave you.' },
			`${notSent} Open the credential, check token URL, client ID, secret and scopes, and connect it again. ` +
				'Details: Client ID is empty. Enter what the bank gave you.',
		],
		[
			'a token that could not be obtained from a server that n8n does not trust',
			payment,
			{ code: 'TOKEN', message: 'self-signed certificate', reason: 'SELF_SIGNED_CERT_IN_CHAIN' },
			`${notSent} Tokens of this credential type are requested by n8n itself, without "CA of the Bank". ` +
				"Start n8n with NODE_EXTRA_CA_CERTS set to a file with the bank's CA certificate, or use a credential of " +
				'the type Bank Host-to-Host OAuth2 API. Details: self-signed certificate.',
		],
		[
			'a page of a proxy',
			read,
			{ status: 200, headers: {}, text: '<h1>Proxy</h1>' },
			'It begins: "Proxy". Check the base URL of the credential and any proxy between n8n and the bank, then run again.',
		],
		[
			'a path from the service details',
			unaddressed,
			answered(404),
			`Nothing changed at the bank. ${silent} Check method and path in the Service Details of the credential. ` +
				'Check the base URL and environment of the credential and the identifiers. ' +
				'Ask the bank whether the service is active for you.',
		],
		[
			'a step in the wrong order',
			'scoring.getFull',
			answered(409),
			`${silent} Read the application, such as the result of the previous step, and continue from there. ` +
				'Call order: step 4, after the full application (step 3).',
		],
		[
			'a rejection without an explanation',
			order,
			answered(400),
			`Nothing changed at the bank. ${silent} Compare the fields of the request with the documents of your bank and run again.`,
		],
	])('%s says', async (_what, id, answer, text) => {
		expect(await told(id, answer)).toBe(text);
	});

	it.each([
		[
			order,
			{},
			`Nothing changed at the bank. ${silent} The bank limits the request rate. Wait a minute, then run again.`,
		],
		[
			order,
			{ 'Retry-After': '3600' },
			`Nothing changed at the bank. ${silent} The bank limits the request rate. Wait 3600 s, then run again.`,
		],
		[
			read,
			{},
			`${silent} The bank limits the request rate. Wait a minute or lower "Parallel Requests", then run again.`,
		],
		[
			read,
			{ 'Retry-After': '31' },
			`${silent} The bank limits the request rate. Wait 31 s, then run again. If it repeats, lower "Parallel Requests".`,
		],
	])(
		'a rate limit of %s after %j says how long to wait, and names only options of the form',
		async (id, headers, text) => {
			expect(await told(id, answered(429, undefined, headers))).toBe(text);
		},
	);

	it('a rate limit names no option that the Bank Trigger does not have', async () => {
		for (const headers of [{}, { 'Retry-After': '31' }]) {
			const { details } = await failureAfter('webhook.get', answered(429, undefined, headers));
			expect(descriptionOf(details, 'publish again')).toMatch(/Wait (a minute|31 s), then publish again\.$/);
			expect(descriptionOf(details, 'try again')).toMatch(/lower "Parallel Requests"/);
		}
	});

	it('a rejection with Retry-After has its seconds in the details', async () => {
		const failure = await failureAfter(order, answered(429, undefined, { 'Retry-After': '120' }));
		const { json } = errorItem(order, failure, 0);
		expect(json.details).toMatchObject({ httpStatus: 429, retryAfter: 120 });
	});
});

test.each(Object.entries(stepTexts()))('the step %s is a complete sentence', (step, text) => {
	expect(text).toMatch(step === 'useNewToken' ? /^[A-Z].*:$/ : /^[A-Z].*\.$/);
	expect(text).not.toMatch(/\.\.|undefined| {2}/);
});

describe('texts of errors have names of operations, choices and options in quotes', () => {
	const choicesIn = (fields: readonly INodeProperties[]): string[] =>
		fields.flatMap(({ type, displayName, options = [] }) =>
			type === 'boolean'
				? [displayName]
				: options.flatMap((option) =>
						'value' in option ? [option.name] : choicesIn('values' in option ? option.values : [option]),
					),
		);
	const properties = Object.values(descriptions).flatMap((description) => description.properties);
	const offered = choicesIn([...properties, ...new BankClientCredentialsOAuth2Api().properties]);
	// Names of fields and columns that look like operations.
	const others = ['Payment Log', 'Client ID', 'Host-to-Host OAuth2', 'Sole Proprietor'];
	const names = new Set(offered.filter((name) => name.includes(' ') && !others.includes(name)));
	const files = globSync(['nodes/**/*.ts', '../credentials/src/**/*.ts'], { cwd: path.resolve(__dirname, '..') });
	const texts = files
		.filter((file) => !/generated|description|\.node\.ts$|src.forms/.test(file))
		.flatMap((file) => [
			...readFileSync(path.resolve(__dirname, '..', file), 'utf8')
				.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
				.matchAll(/'(?:[^'\\\n]|\\.)*'|`[^`]*`/g),
		])
		.map(([literal]) => literal.slice(1, -1));

	it.each([...names])('%s', (name) => {
		const unquoted = new RegExp(`(?<=[\\w,(] )${name.replace(/[()]/g, '\\$&')}(?!\\w)`);
		expect(texts.filter((text) => unquoted.test(text))).toEqual([]);
	});
});

test('every fixed text has at most 300 characters; longer explanations are in the docs', () => {
	const packages = path.resolve(__dirname, '../..');
	const sources = globSync(['{core,credentials}/src/**/*.ts', 'n8n-nodes-bank/nodes/**/*.ts'], {
		cwd: packages,
	}).filter((file) => !file.includes('/description'));
	const tooLong = sources.flatMap((file) => {
		const code = readFileSync(path.join(packages, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
		// Joins texts that are split in the source.
		const joined = code.replace(/(['`])\s*\+\s*(['`])/g, '');
		return [...joined.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g)]
			.filter(([text]) => text.length > 302 && text.includes('. '))
			.map(([text]) => `${file}: ${text.length} ${text.slice(0, 60)}`);
	});
	expect(sources.length).toBeGreaterThan(100);
	expect(tooLong).toEqual([]);
});

describe('an issue', () => {
	it('gets the label of its field', () => {
		const fault = { path: 'inn', message: 'is required', item: 3 };
		expect(toFormIssue(fault, () => 'Tax Number')).toEqual({ ...fault, label: 'Tax Number' });
	});
});

describe('the details of a failure', () => {
	const context = { getNode: () => ({ name: 'Bank', parameters: {} }) as never };
	const shown = {
		operation: payment,
		httpStatus: 400,
		code: 'invalid_request',
		message: 'Pay people: the bank refused the request as invalid (400 invalid_request)',
		description:
			'The bank rejected it, so no money moved. The bank says: "Amount". Correct ' +
			'the field that the bank names and run again. Request ID: trace-1.',
		retryable: false,
		outcome: 'rejected',
		requestId: 'trace-1',
	};
	const failure = () =>
		failureAfter(
			payment,
			answered(400, { error: 'invalid_request', error_description: 'Amount' }, { 'x-traceid': 'trace-1' }),
		);

	it('are the same in the error output and in the error that stops the workflow', async () => {
		expect(errorItem(payment, await failure(), 2)).toEqual({
			json: { error: shown.message, message: shown.description, details: shown },
			pairedItem: { item: 2 },
		});
		const error = errorFor(context, await failure(), { items: [2], progress: 'Of 3 requests, 2 were carried out.' });
		expect(error.context.details).toEqual(shown);
		expect(error.description).toBe(`Of 3 requests, 2 were carried out. ${shown.description}`);
	});

	it.each<[string, string, HttpResponse | TransportError]>([
		['rejected', payment, answered(400)],
		['notSent', payment, { code: 'ECONNREFUSED' }],
		['nothingChanged', read, answered(500)],
		['unknown', payment, { code: 'ETIMEDOUT' }],
	])('have the time only if the outcome is unknown: %s', async (outcome, id, answer) => {
		const { details } = errorItem(id, await failureAfter(id, answer), 0).json;
		expect(details).toMatchObject({ outcome });
		expect('at' in Object(details)).toBe(outcome === 'unknown');
	});
});
