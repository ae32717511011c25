/**
 * Advice after a failure, as codes in the order to follow. Core knows what the bank requires; the caller turns the
 * codes into sentences that name fields and buttons.
 */
export type NextStep = ConnectionStep | BankStep;

/** After a failed or broken connection, also to the token server. */
export type ConnectionStep =
	/** Check host name and DNS. */
	| 'checkHost'
	/** Nothing listens on this port. */
	| 'checkPort'
	/** The URL is malformed. */
	| 'checkUrl'
	/** Check URL and network. */
	| 'checkConnection'
	/** The server closed the connection: it may require or reject a client certificate, or TLS. */
	| 'checkBreak'
	/** The certificate is for another host name. */
	| 'useGivenHostName'
	/** Add the authority of the bank's certificate. */
	| 'trustAuthority'
	/** The bank's certificate or its authority has expired. */
	| 'renewAuthority'
	/** A certificate is not valid yet: the local clock is probably wrong. */
	| 'checkClock'
	/** Check the client certificate, its key and passphrase. */
	| 'checkOwnCertificate'
	/** Convert the client certificate to a current format. */
	| 'convertCertificate'
	/** The client certificate is missing or not the registered one. */
	| 'registerCertificate'
	/** The TLS handshake failed. */
	| 'checkTls'
	/** The port does not speak TLS. */
	| 'checkPlainPort'
	/** The response exceeds the limit: request less, or raise the limit. */
	| 'askForLess'
	/** No access token could be obtained: check the settings for it. */
	| 'fixToken'
	/** The same as `trustAuthority`, for the token server. */
	| 'trustTokenServer'
	/** The same as `useGivenHostName`, for the token server. */
	| 'useGivenTokenHost'
	| 'tryAgain';

/** After a response of the bank, or without a result. */
type BankStep =
	// Who asks
	/** The token needs the scope named in the failure. */
	| 'addScope'
	/** A new scope needs the user's consent again (P6: prompt=consent). */
	| 'consentAgain'
	/** The token was issued elsewhere: get a new consent and enter the new token. */
	| 'beginAnew'
	/** The token was rejected: renew the consent, or check client ID and secret. */
	| 'renewAccess'
	/** The consent has to be renewed. */
	| 'connectAgain'
	/** The rejected token has been replaced, but the request was not repeated. */
	| 'useNewToken'
	/** Access denied without a reason: the scope is missing, or the account belongs to someone else. */
	| 'checkScopeAndOwner'
	/** The account, card or client must belong to the user who gave the consent. */
	| 'checkOwner'
	/** Check client ID, secret, certificate, and that the service is enabled for the partner. */
	| 'checkClient'
	/** Check the gateway's client ID, secret and certificate. */
	| 'checkGatewayClient'
	/** The service requires a client certificate. */
	| 'useMutualTls'
	/** The certificate must be the one registered for the gateway's client ID. */
	| 'checkRegisteredClient'
	/** The user's access token has expired: get a new code, or use the refresh token. */
	| 'exchangeAgain'

	// Where it goes
	/** The base URL does not point to the API. */
	| 'checkBaseUrl'
	/** The response is not from the bank: another server answers at this URL. */
	| 'checkProxy'
	/** Check the URL, its identifiers, and that the service is active for the partner. */
	| 'checkService'
	/** Check method and path, which the API description does not show. */
	| 'checkMethodAndPath'
	/** The bank must be able to reach the callback address, and webhooks must be enabled. */
	| 'checkCallback'

	// What is asked
	/** Correct the field that the bank names. */
	| 'correctNamedField'
	/** Fill in the field that the bank names. */
	| 'fillNamedField'
	/** Only the bank's text says what is wrong. */
	| 'correctRequest'
	/** Omit optional fields without a value (4.15, rule 1). */
	| 'leaveOutUnknown'
	| 'giveIdentifier'
	| 'giveElement'
	/** The postal address could not be geocoded. */
	| 'correctPostalAddress'
	| 'checkTaxNumber'
	| 'sendJson'
	| 'sendJsonObject'
	/** Check the application ID and the partner. */
	| 'checkApplication'

	// In what state
	/** It conflicts with the current state: read that first. */
	| 'readState'
	/** The application is at another step. */
	| 'readApplication'
	/** Already sent: read the result instead. */
	| 'readInstead'
	/** Request it again, although the bank allows it only once. */
	| 'askAgain'
	| 'waitLonger'

	// The bank itself
	| 'slowDown'
	| 'tryLater'
	/** If it happens again: report the request ID to the bank. */
	| 'reportRequest'
	/** If it happens again: report the trace in the bank's text. */
	| 'reportTrace'
	/** If it lasts: tell the bank that its service is unreachable. */
	| 'reportOutage'
	| 'askSupport'
	/** The partner may not be registered for the service. */
	| 'askRegistration'

	// The caller
	/** A read before the operation failed; the operation can run without it. */
	| 'skipReading'
	/** The list exceeds the limit: choose a shorter period, or raise the limit. */
	| 'narrowList';

/** Steps that are safe if the outcome is unknown, because they repeat nothing. */
export const stepsInDoubt: readonly NextStep[] = ['checkBaseUrl'];
