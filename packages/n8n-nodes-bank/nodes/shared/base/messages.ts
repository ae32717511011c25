import {
	type FailureDetails,
	type FailureKind,
	hundredthsText,
	type ValidationIssue,
	type NextStep,
	type Operation,
	operationById,
	type Outcome,
} from '@bank/core';
import { connectionMessages } from '@bank/credentials';

/**
 * How the user repeats a failed action: runs or publishes again. Polls are repeated by n8n, so the user tries again.
 */
export type RepeatAction = 'run again' | 'publish again' | 'try again';

/** core reports codes, which are turned into sentences here. */
export const stepTexts = (again: RepeatAction = 'run again'): Readonly<Record<NextStep, string>> => ({
	// After a connection failure, the fields to check are in the credential.
	...connectionMessages('the base URL of the credential'),

	addScope: 'Add the scope to the credential.',
	consentAgain: 'Then turn on "Ask for Consent Again" (prompt=consent) there and reconnect it to sign a new consent.',
	beginAnew:
		'Get a new consent from the bank, and enter the new authorization code or refresh token in the credential. ' +
		`Then ${again}.`,
	renewAccess:
		'Open the credential and reconnect it (authorization code), or check client ID and secret (client credentials). ' +
		`Then ${again}.`,
	connectAgain: `Open the credential and reconnect it, then ${again}.`,
	useNewToken: `A new token was requested, but the request was not repeated: ${again}. If it is rejected again:`,
	checkScopeAndOwner: "Check the credential's scopes and that the account belongs to the person who gave the consent.",
	checkOwner:
		'Check that the account, card or client belongs to the person who gave the consent, or ask the bank to open access.',
	checkClient:
		'Check client ID, secret and certificate of the credential, and ask the bank whether the service is open to you.',
	checkGatewayClient:
		'Open the credential and check the gateway client ID and its secret, and the client certificate if the bank requires one.',
	useMutualTls: 'Choose a credential of the type "Bank Partner Services (Mutual TLS) API".',
	checkRegisteredClient:
		'Open the credential and check that the bank has registered its client certificate for the gateway client ID ' +
		'(x-gw-client-id).',
	exchangeAgain: 'Get a new access token: exchange a new authorization code, or use the refresh token, then run again.',

	checkBaseUrl: 'Check the base URL of the credential (https, host, no extra path).',
	checkProxy: `Check the base URL of the credential and any proxy between n8n and the bank, then ${again}.`,
	checkService:
		'Check the base URL and environment of the credential and the identifiers. Ask the bank whether the service is active for you.',
	checkMethodAndPath: 'Check method and path in the Service Details of the credential.',
	checkCallback:
		'Check that callbackUri can be reached from the internet. If it can, ask the bank ' +
		'whether webhooks are enabled for you and for the service.',

	correctNamedField: `Correct the field that the bank names and ${again}.`,
	fillNamedField: 'Fill the field that the bank names.',
	correctRequest: `Correct the request as the bank's message says and ${again}.`,
	leaveOutUnknown: 'Leave out optional fields without a value.',
	giveIdentifier:
		'Fill the field with the identifier of the application or file. The Service Details of the credential show which field it is.',
	giveElement: 'Add at least one element to the list in the body.',
	correctPostalAddress: 'Correct the address.',
	checkTaxNumber: 'Check the tax number, and whether the company was registered only recently.',
	sendJson:
		'Check in the Service Details of the credential that the method is POST and the fields are complete, then run again.',
	sendJsonObject: 'Check the fields in the Service Details of the credential, then run again.',
	checkApplication: 'Check the application ID and the credential.',

	readState: 'Read the current state before you decide whether to repeat.',
	readApplication: 'Read the application, such as the result of the previous step, and continue from there.',
	readInstead: 'It was already sent: read its state instead of sending it again.',
	waitLonger:
		'Run again to continue waiting, or raise the waiting time. If the result never becomes ready, ' +
		'check its conditions in the Service Details of the credential.',

	slowDown: `The bank limits the request rate. Wait a minute or lower "Parallel Requests", then ${again}.`,
	tryLater: 'Try again later.',
	reportRequest: 'If it repeats, give the bank the request ID.',
	reportTrace: 'If it repeats, give the bank the error trace.',
	reportOutage: 'If it persists, tell the bank that its service is unreachable.',
	askSupport: "If it repeats, contact the bank's support.",
	askRegistration: 'Ask the bank whether you are registered for card issuance in this environment.',

	narrowList:
		'Narrow the days, or raise the options "Maximum Rows" and "Maximum Size (MB)", which apply to all lists of a run.',
	readPastDays:
		'Nothing was returned, because rows could be missing. Run again, raise "Page Size", or choose days that are over.',
	readAtNextPoll: 'No operation was skipped: the next poll reads the list again. If it repeats, raise "Page Size".',
	skipReading: 'Reading the webhook before the update failed. To skip it, turn off the option "Read Before Update".',
});

/** Used if the response has no readable explanation. */
function stepTextsWithoutExplanation(again: RepeatAction): Readonly<Partial<Record<NextStep, string>>> {
	const checkFields = `Compare the fields of the request with the documents of your bank and ${again}.`;
	return {
		correctNamedField: checkFields,
		correctRequest: checkFields,
		fillNamedField: 'Fill the empty fields and run again.',
		reportTrace: 'If it repeats, tell the bank when it happened.',
	};
}

/** Rejects an empty list, which would mean all accounts (rule 2 of P10) and is usually a mistake. */
export const noAccountsIssue: ValidationIssue = {
	path: 'accounts',
	message: 'is empty, which would mean all accounts. List them, or choose "All Accounts"',
};

export const unsettledText =
	'Rows may be missing: the bank returns the same page again and again. Lower "Page Size", or narrow the days.';

export const secretsText =
	'These items hold tokens, and n8n stores them with the execution. In production, turn off saving executions in the workflow settings ' +
	'(Save failed, successful and manual executions, Save execution progress).';

/** Findings of a connection check other than failures. */
export const checkTexts = {
	chainExpired:
		'A certificate in the chain of the client certificate has expired. Get the current chain from the bank and paste it.',
	scopesUntold: 'The bank does not report which scopes the token has.',
	unproven: (why: string) => `The bank's server responds, but ${why}.`,
	ungranted: (scopes: readonly string[]) =>
		`The bank has not granted all scopes of the credential: ${scopes.join(', ')}. Ask the bank to grant them, then get a new ` +
		'token (authorization code: "Ask for Consent Again", reconnect), or remove them from the credential.',
};

/** A failure that does not stop the node, as one text. */
export const failureText = (details: FailureDetails): string => `${details.message}. ${descriptionOf(details)}`.trim();

/** Details of what happened that are not in the message, and what to do. */
export function descriptionOf(details: FailureDetails, again: RepeatAction = 'run again'): string {
	const { kind, words, callOrder: order, requestId } = details;
	const texts = {
		...stepTexts(again),
		...(words === undefined ? stepTextsWithoutExplanation(again) : {}),
		slowDown: slowDownText(details, again),
	};
	const steps = [namesText(details), scopeText(details), ...details.next.map((step) => texts[step])];
	const noExplanation = kind === 'refused' ? 'The bank gave no explanation.' : '';
	const explanation = words === undefined ? noExplanation : explanationTexts[kind](words);
	return [
		outcomeText(details, again),
		// For a transport error, what to do is more useful than the technical text.
		...(kind === 'noAnswer' ? [...steps, explanation] : [explanation, ...steps]),
		order === undefined ? '' : `Call order: ${order}.`,
		requestId === undefined ? '' : `Request ID: ${requestId}.`,
	]
		.filter((part) => part !== '')
		.join(' ');
}

/** Only reads and polls have the option Parallel Requests. */
function slowDownText({ effect, retryAfter = 0 }: FailureDetails, again: RepeatAction): string {
	const hasOption = effect === 'read' && again !== 'publish again';
	if (hasOption && retryAfter === 0) return stepTexts(again).slowDown;
	const time = retryAfter === 0 ? 'a minute' : `${Math.ceil(retryAfter)} s`;
	const repeated = hasOption ? ' If it repeats, lower "Parallel Requests".' : '';
	return `The bank limits the request rate. Wait ${time}, then ${again}.${repeated}`;
}

const explanationTexts: Readonly<Record<FailureKind, (words: string) => string>> = {
	refused: (words) => `The bank says: "${words}".`,
	unreadable: (words) => `It begins: "${words}".`,
	noAnswer: (words) => `Details: ${words.replace(/\.$/, '')}.`,
	notReady: (words) => `Last response: ${words}.`,
	heldBack: (words) => words,
	unconfirmed: (words) => words,
};

/** Joins the first names and says how many more there are. */
export const joinNames = (names: readonly string[], most = 20, separator = ', '): string =>
	names.slice(0, most).join(separator) + (names.length > most ? ` and ${names.length - most} more` : '');

const namesText = ({ names = [] }: FailureDetails): string =>
	names.length === 0 ? '' : `Not confirmed: ${joinNames(names)}.`;

function outcomeText({ effect, outcome, verifyWith, kind, words }: FailureDetails, again: RepeatAction): string {
	// The explanation already contains the outcome.
	if (kind === 'heldBack' && words !== undefined) return '';
	if (verifyWith !== undefined)
		return (
			`It is unknown whether ${verifyWith.whether}. Before you send it again, read it with ` +
			`"${operationById(verifyWith.readWith).name}" by its ${verifyWith.by}.`
		);
	// Publishing sends the whole subscription, so it can be repeated.
	if (outcome === 'unknown' && again === 'publish again') return 'It is unknown whether the bank carried this out.';
	const [ofMoney, ofOthers] = outcomes[outcome];
	return effect === 'money' ? ofMoney : ofOthers;
}

/** Name of the operation that finds a payment with an unknown result. */
export const verifyingOperation = ({ verifyWith }: Pick<Operation, 'verifyWith'>): string =>
	`"${verifyWith === undefined ? 'Find in Operations' : operationById(verifyWith.readWith).name}"`;

export const resolveText = (operation: Pick<Operation, 'verifyWith'>): string =>
	`Check with ${verifyingOperation(operation)} or ask the bank, record the answer with "Payment: Resolve", then run again.`;

const outcomes: Readonly<Record<Outcome, readonly [ofMoney: string, ofOthers: string]>> = {
	nothingChanged: ['', ''],
	notSent: ['Nothing was sent, so no money moved.', 'Nothing was sent, so nothing changed at the bank.'],
	rejected: ['The bank rejected it, so no money moved.', 'Nothing changed at the bank.'],
	unknown: [
		`The payments may have been made and are not sent again. ${resolveText({})}`,
		'It is unknown whether the bank carried this out. Ask your bank before you repeat it: it may be done twice.',
	],
	conflict: ['', ''],
};

function scopeText({ next, scope }: FailureDetails): string {
	if (!next.includes('addScope')) return '';
	return scope === undefined
		? 'It needs the scope of the subscribed event. Ask your bank for it.'
		: `It needs the scope "${scope}".`;
}

/** An issue with the label of its field, and of the list that it is in. */
export function toFormIssue(issue: ValidationIssue, labelFor: (path: string) => string): ValidationIssue {
	const { label = labelFor(issue.path), row = listRow(issue.path, labelFor) } = issue;
	return { ...issue, label, row };
}

/** An amount for users, such as 1,500.50. */
export const moneyText = (value: number): string =>
	value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount in hundredths, for users. */
export const amountText = (size: bigint): string => moneyText(Number(hundredthsText(size)));

/** `Fees[1]` of `partner.feeList[1].sum`. */
function listRow(path: string, labelFor: (path: string) => string): string | undefined {
	const [, list = '', index] = /^(.*)\[(\d+)\]/.exec(path) ?? [];
	return index === undefined ? undefined : `${labelFor(list)}[${index}]`;
}
