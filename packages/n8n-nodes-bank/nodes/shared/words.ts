import {
	type FailureDetails,
	type FailureKind,
	type Fault,
	type FaultCode,
	labelOf,
	type NextStep,
	type Operation,
	operationById,
	type Outcome,
} from '@bank/core';
import { connectionTexts } from '@bank/credentials';

/** What a person reads. Core speaks of the bank, in codes where it comes to what to do; here the codes become sentences about n8n. */

/** Each step as a sentence, or as the beginning of one that the next step ends. */
export const stepTexts: Readonly<Record<NextStep, string>> = {
	// After a broken connection it is the fields of the credential that count.
	...connectionTexts({ field: 'the base URL of the credential' }),

	addScope: 'Add the scope to the credential.',
	consentAgain:
		'Then switch on "Ask for Consent Again" (prompt=consent) there and reconnect it, so that the consent is signed anew.',
	beginAnew:
		'Get a new consent from the bank, and enter the new authorization code or refresh token in the credential. Then run again.',
	renewAccess:
		'Open the credential and reconnect it (authorization code), or check client ID and secret (client credentials). Then run again.',
	connectAgain: 'Open the credential and reconnect it, then run again.',
	useNewToken: 'A new token was asked for, but the request was not repeated: run again. If it is refused again:',
	checkScopeAndOwner: "Check the credential's scopes and that the account belongs to whoever gave the consent.",
	checkOwner:
		'Check that the account, card or client belongs to whoever gave the consent, and ask the bank to open access if it should.',
	checkClient: 'Check the credential: client ID, secret and certificate, and whether the service is open to you.',
	checkGatewayClient:
		'Open the credential and check the gateway client ID and its secret, and the client certificate if the bank demands one.',
	useMutualTls: 'Choose a credential of the type Bank Mutual TLS API.',
	checkRegisteredClient:
		'Open the credential: check that its client certificate is the one that the bank has registered for you, and that the gateway ' +
		'client ID (x-gw-client-id) is the one that it belongs to.',
	exchangeAgain: 'Get a new access token: exchange a new authorization code, or use the refresh token, then run again.',

	checkBaseUrl: 'Check the base URL of the credential (https, host, no extra path).',
	checkProxy:
		'Check the base URL of the credential and whether a proxy stands between n8n and the bank, then run again.',
	checkService:
		'Check the base URL and environment of the credential and the identifiers given; ask the bank whether the service is active for you.',
	checkMethodAndPath: 'Check Method and Path, which the bank gives you.',
	checkCallback:
		'Check that callbackUri answers from the internet; if it does, ask the bank ' +
		'whether webhooks are switched on for you and for the service.',

	correctNamedField: 'Correct the field that the bank names and run again.',
	fillNamedField: "Fill the field that the bank's words name.",
	correctRequest: "Read the bank's own words, correct the request and run again.",
	leaveOutUnknown: 'Optional fields for which there is no information must be absent.',
	giveIdentifier:
		'Put the identifier of the application or file into the payload, under the name that the bank gave you.',
	giveElement: 'Give at least one element in the list of the payload.',
	correctPostalAddress: 'Correct the address.',
	checkTaxNumber: 'Check the tax number, and whether the company was registered only lately.',
	sendJson: 'Choose JSON or Fields as payload and the method POST, then run again.',
	sendJsonObject: 'Give one JSON object as payload, and run again.',
	checkApplication: 'Check the application ID and the credential.',

	readState: 'Read the present state first, then decide whether to repeat.',
	readApplication:
		'Read what the application has come to, such as the result of the step before, and go on from there.',
	readInstead: 'It was sent before: read its state instead of sending it again.',
	askAgain: 'The option Ask Again sends it all the same.',
	waitLonger:
		'Nothing is lost: run again to go on waiting, or let it wait longer. If it never becomes ready, check the condition of the wait.',

	slowDown: 'Wait a little, send fewer at once, and run again.',
	tryLater: 'Try again later.',
	reportRequest: 'If it repeats, give the bank the request ID.',
	reportTrace: 'If it repeats, give the bank the error trace.',
	reportOutage: 'If it lasts, tell the bank that its service is unreachable.',
	askSupport: "If it repeats, contact the bank's support.",
	askRegistration: 'Ask the bank whether you are registered for card issuance in this environment.',

	narrowList:
		'Narrow the days, or raise the options Maximum Rows and Maximum Size (MB), which count all lists of a run.',
	skipReading: 'This came from reading the webhook before the update; the option Read Before Update switches that off.',
};

const checkFields = 'Check the fields of the request against what the bank gave you, and run again.';

/** Where the bank has said nothing that could be read. */
const withoutWords: Readonly<Partial<Record<NextStep, string>>> = {
	correctNamedField: checkFields,
	correctRequest: checkFields,
	fillNamedField: 'Fill the fields that are empty, and run again.',
	reportTrace: 'If it repeats, tell the bank when it was.',
};

/** What the form offers as a way out, said after the fault. */
const faultTexts: Readonly<Record<FaultCode, string>> = {
	accountsEmpty: '. List them, or choose All Accounts',
	accountsUnknown: '. Choose All Accounts, or list them',
	accessTokenMissing: ': the one that Exchange Code returned',
	filesMissing: ': give the name of a binary field of the input item',
	pathWithHost: ': those stand in the credential',
	payloadTooDeep: '. Choose POST to send it as JSON',
};

/** A hint shown above a list of which rows may be missing. */
export const unsettledText =
	'Rows may be missing: the bank returns the same page again and again. Lower Page Size, or narrow the days.';

/** Above an output that holds secrets. */
export const secretsText =
	'These items hold tokens, which n8n stores with the execution. Before this runs for real, have the workflow save no executions ' +
	'(Settings: Save failed, successful and manual executions, Save execution progress).';

/** What a check of the connection says beside failures. */
export const checkTexts = {
	chainExpired:
		'A certificate that stands behind the client certificate has expired. Get the present chain from the bank and paste it.',
	scopesUntold: 'Which scopes are granted: the bank does not say it with the token.',
	unproven: (why: string) => `The bank's server answers, but ${why}.`,
	ungranted: (scopes: readonly string[]) =>
		`The bank has not granted scopes that the credential asks for: ${scopes.join(', ')}. Have the bank open them and get a new ` +
		'token (authorization code: "Ask for Consent Again", and connect), or take them out of the credential.',
};

/** A failure that is told and stops nothing. */
export const failureText = (details: FailureDetails): string => `${details.message}. ${descriptionOf(details)}`.trim();

/** What to do about a failure, and what is known of it besides its message. */
export function descriptionOf(details: FailureDetails): string {
	const { kind, words, order, requestId } = details;
	const textOfStep = (step: NextStep) => (words === undefined ? withoutWords[step] : undefined) ?? stepTexts[step];
	const steps = [namesText(details), scopeText(details), ...details.next.map(textOfStep)];
	const told = words === undefined ? untold[kind] : tellers[kind](words);
	return [
		outcomeText(details),
		// The words of a library say less than what to do.
		...(kind === 'noAnswer' ? [...steps, told] : [told, ...steps]),
		order === undefined ? '' : `Its place in the calling order: ${order}.`,
		requestId === undefined ? '' : `Request ID: ${requestId}.`,
	]
		.filter((part) => part !== '')
		.join(' ');
}

const tellers: Readonly<Record<FailureKind, (words: string) => string>> = {
	refused: (words) => `The bank says: "${words}".`,
	unreadable: (words) => `It begins: "${words}".`,
	noAnswer: (words) => `Details: ${words.replace(/\.$/, '')}.`,
	notReady: (words) => `Seen last: ${words}.`,
	heldBack: (words) => words,
	unconfirmed: (words) => words,
};

const untold: Readonly<Record<FailureKind, string>> = {
	refused: 'The bank gave no explanation.',
	unreadable: '',
	noAnswer: '',
	notReady: '',
	heldBack: '',
	unconfirmed: '',
};

/** How many names a person reads. */
const mostNamed = 20;

export const listed = (names: readonly string[], most = mostNamed): string =>
	names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');

/** Payments that the response leaves out, by their names. */
const namesText = ({ names = [], kind }: FailureDetails): string =>
	names.length === 0 || kind === 'heldBack' ? '' : `Not confirmed: ${listed(names)}.`;

/** What became of the request. */
function outcomeText({ effect, outcome, ifUnclear, kind, words }: FailureDetails): string {
	// They say it themselves.
	if (kind === 'heldBack' && words !== undefined) return '';
	if (ifUnclear !== undefined)
		return (
			`It is UNKNOWN whether ${ifUnclear.whether}: read it with ` +
			`${operationById(ifUnclear.readWith).name}, by its ${ifUnclear.by}, before sending ` +
			`it again.`
		);
	const [ofMoney, ofOthers] = outcomes[outcome];
	return effect === 'money' ? ofMoney : ofOthers;
}

const outcomes: Readonly<Record<Outcome, readonly [ofMoney: string, ofOthers: string]>> = {
	nothingChanged: ['', ''],
	notSent: ['Nothing was sent, so no money moved.', 'Nothing was sent, so nothing changed at the bank.'],
	rejected: ['The bank rejected it, so no money moved.', 'Nothing changed at the bank.'],
	unknown: [
		'The payments may have been made, and are not sent again. Look for them with Find in Operations or ask the bank, tell the result with ' +
			'Payment: Resolve, then run again.',
		'It is unknown whether the bank carried this out: check before repeating it.',
	],
	conflict: ['', ''],
};

function scopeText({ next, scope }: FailureDetails): string {
	if (!next.includes('addScope')) return '';
	return scope === undefined
		? 'It needs the scope of the subscribed event, which the bank tells you.'
		: `It needs the scope "${scope}".`;
}

/** A fault with the way out that the form has, and the name of the field there. */
export function inWordsOfTheForm(fault: Fault, operation?: Operation): Fault {
	const { code, ...told } = fault;
	const label = operation === undefined ? undefined : labelOf(operation, fault.path);
	return {
		...told,
		...(label === undefined ? {} : { label }),
		message: code === undefined ? fault.message : `${fault.message}${faultTexts[code]}`,
	};
}
