import type { ConnectionStep } from './connectionErrors.ts';

/** Advice after a failure. `connectionMessages` and `stepTexts` have the sentences, which name fields and buttons. */
export type NextStep = ConnectionStep | BankStep;

/** After a response of the bank, or without a result. */
type BankStep =
	// Authentication
	| 'addScope'
	| 'consentAgain'
	| 'beginAnew'
	| 'renewAccess'
	| 'connectAgain'
	| 'useNewToken'
	| 'checkScopeAndOwner'
	| 'checkOwner'
	| 'checkClient'
	| 'checkGatewayClient'
	| 'useMutualTls'
	| 'checkRegisteredClient'
	| 'exchangeAgain'

	// Address of the request
	| 'checkBaseUrl'
	| 'checkProxy'
	| 'checkService'
	| 'checkMethodAndPath'
	| 'checkCallback'

	// Input
	| 'correctNamedField'
	| 'fillNamedField'
	| 'correctRequest'
	| 'leaveOutUnknown'
	| 'giveIdentifier'
	| 'giveElement'
	| 'correctPostalAddress'
	| 'checkTaxNumber'
	| 'sendJson'
	| 'sendJsonObject'
	| 'checkApplication'

	// State of an application or resource
	| 'readState'
	| 'readApplication'
	| 'readInstead'
	| 'waitLonger'

	// The bank
	| 'slowDown'
	| 'tryLater'
	| 'reportRequest'
	| 'reportTrace'
	| 'reportOutage'
	| 'askSupport'
	| 'askRegistration'

	// The workflow
	| 'skipReading'
	| 'narrowList'
	| 'readPastDays'
	| 'readAtNextPoll';

/** Steps that are safe if the outcome is unknown, because they repeat nothing. */
export const stepsInDoubt: readonly NextStep[] = ['checkBaseUrl', 'askRegistration'];
