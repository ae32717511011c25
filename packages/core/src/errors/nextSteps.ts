/**
 * What to do about a failure, as a code. Core knows what the bank demands, not where a person does it: the sentences, which name
 * fields and buttons, are those of whoever shows the failure. The steps of a failure are in the order in which to take them.
 */
export type NextStep = ConnectionStep | BankStep;

/** After a connection that did not come about, or broke. They also fit the request for a token. */
export type ConnectionStep =
	/** The host name must be one that is known, and the network must know the way. */
	| 'checkHost'
	/** Nobody listens at this port of the host. */
	| 'checkPort'
	/** The address is none. */
	| 'checkUrl'
	/** Address and network, where no more is known. */
	| 'checkConnection'
	/** The server hung up: it may demand or refuse a client certificate, or TLS. */
	| 'checkBreak'
	/** The certificate is for another name of the server. */
	| 'useGivenHostName'
	/** The bank's certificate comes from an authority that must be made known. */
	| 'trustAuthority'
	/** The bank's certificate, or that of its authority, has had its time. */
	| 'renewAuthority'
	/** A certificate that is not valid yet: most likely the clock is wrong. */
	| 'checkClock'
	/** The client certificate, its key or its passphrase. */
	| 'checkOwnCertificate'
	/** The file of the client certificate is of an old kind: it must be converted. */
	| 'convertCertificate'
	/** The client certificate is not the one that the bank has registered, or is missing. */
	| 'registerCertificate'
	/** The handshake of TLS ended early. */
	| 'checkTls'
	/** The port is one without TLS. */
	| 'checkPlainPort'
	/** The answer exceeds what is read at most: a narrower question, or a higher limit. */
	| 'askForLess'
	/** No token could be had: what it is asked for with must be right. */
	| 'fixToken'
	/** Nor because the server that gives tokens comes from an authority that must be made known. */
	| 'trustTokenServer'
	/** Nor because its certificate is for another name of the server. */
	| 'useGivenTokenHost'
	/** What failed may well succeed now. */
	| 'tryAgain';

/** After an answer of the bank, or for want of a result. */
type BankStep =
	// Who asks
	/** The token must be for the scope that the failure names. */
	| 'addScope'
	/** A new scope needs the consent of the user once more (P6: prompt=consent). */
	| 'consentAgain'
	/** The token comes from elsewhere: a new consent, and what the bank gives for it. */
	| 'beginAnew'
	/** The token is refused: the consent must be given anew, or client ID and secret be right. */
	| 'renewAccess'
	/** The same where it was a consent: it must be given anew. */
	| 'connectAgain'
	/** The refused token has been replaced, and the request was not repeated. */
	| 'useNewToken'
	/** Access was refused without a reason: by the scope, or because the account is somebody else's. */
	| 'checkScopeAndOwner'
	/** The account, card or client must belong to whoever gave the consent. */
	| 'checkOwner'
	/** By which the bank knows the partner: client ID, secret, certificate; and that the service is open to it. */
	| 'checkClient'
	/** The gateway's client ID, its secret and the certificate. */
	| 'checkGatewayClient'
	/** The service lets in only who shows a certificate. */
	| 'useMutualTls'
	/** The certificate must be the one that is registered for the gateway's client ID. */
	| 'checkRegisteredClient'
	/** The access token of the user has expired: a new code, or the refresh token. */
	| 'exchangeAgain'

	// Where it goes
	/** The address leads elsewhere than to the API. */
	| 'checkBaseUrl'
	/** The answer is not the bank's: another server may stand at the address or in between. */
	| 'checkProxy'
	/** The address, the identifiers in it, and that the service is active for the partner. */
	| 'checkService'
	/** Method and path, where the API description does not show them. */
	| 'checkMethodAndPath'
	/** The callback address must be reachable for the bank, and webhooks be switched on there. */
	| 'checkCallback'

	// What is asked
	/** The bank names the field that is wrong. */
	| 'correctNamedField'
	/** The bank's words tell which field is empty. */
	| 'fillNamedField'
	/** Only the bank's own words tell what is wrong. */
	| 'correctRequest'
	/** An optional field for which there is no information must be absent (4.15, rule 1). */
	| 'leaveOutUnknown'
	| 'giveIdentifier'
	| 'giveElement'
	/** The postal address, which could not be found on a map. */
	| 'correctPostalAddress'
	| 'checkTaxNumber'
	/** The request carried no JSON. */
	| 'sendJson'
	/** The request carried JSON that is no object. */
	| 'sendJsonObject'
	/** The application ID, and who asks for it. */
	| 'checkApplication'

	// In what state
	/** It conflicts with the present state: look before repeating. */
	| 'readState'
	/** The application has come to another step than this one. */
	| 'readApplication'
	/** It was sent before: look instead of repeating. */
	| 'readInstead'
	/** To ask once more, though the bank allows it once. */
	| 'askAgain'
	/** The result was not ready yet. */
	| 'waitLonger'

	// The bank itself
	| 'slowDown'
	| 'tryLater'
	/** If it repeats: the bank finds the call by its request ID. */
	| 'reportRequest'
	/** If it repeats: the bank finds the call by the trace in its words. */
	| 'reportTrace'
	/** If it lasts: the bank may not know that its service cannot be reached. */
	| 'reportOutage'
	| 'askSupport'
	/** The partner may not be registered for the service. */
	| 'askRegistration'

	// The caller
	/** It failed in a reading before the operation, which could go without. */
	| 'skipReading'
	/** The list exceeds what a run may read: a shorter period, or a higher limit. */
	| 'narrowList';

/**
 * Steps that are right also where nobody knows whether the request was carried out: they repeat nothing, and keep the next request from
 * the same fate.
 */
export const stepsInDoubt: readonly NextStep[] = ['checkBaseUrl'];
