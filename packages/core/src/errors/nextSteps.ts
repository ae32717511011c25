import type { ConnectionStep } from './connectionErrors.ts';

/** Advice after a failure. */
export type NextStep = ConnectionStep | keyof ReturnType<typeof bankSteps>;

/** How the reader repeats what failed: a run, publishing, or a poll, which is repeated without them. */
export type Again = 'run again' | 'publish again' | 'try again';

/** The sentences of the other steps: after a response of the bank, or without a result. */
export const bankSteps = (again: Again) => ({
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
	checkProxy: `Check the base URL of the credential and any proxy in front of the bank, then ${again}.`,
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
		'Fill the field with the identifier of the application or file. The Service Details of the credential show which it is.',
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
		'Run again to continue waiting, or raise the waiting time. If the result never becomes ready, check the condition of the wait.',

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

/** Steps that are safe if the outcome is unknown, because they repeat nothing. */
export const stepsInDoubt: readonly NextStep[] = ['checkBaseUrl', 'askRegistration'];
