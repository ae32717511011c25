import { BoundedSet, isRecord, textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { validateBaseUrl, validateTarget } from './address.ts';
import { CredentialError } from './credentialError.ts';
import { type Http, ping } from './credentialHttp.ts';
import { markOwnRequest, requireOwnRequest } from './ownRequests.ts';
import { lineOf } from './line.ts';
import { withCredential } from './request.ts';
import { requestedScopes } from './state.ts';
import { isTestRequest, testHeader } from './credentialTests.ts';
import { fingerprintOf, type Grant, hash, type IssuedToken, refreshMargin, requestToken } from './tokens.ts';

/**
 * Tokens of client credentials and host-to-host. n8n's own OAuth2 cannot fetch them: it sends no client certificate with a token request.
 *
 * n8n calls two hooks. `preAuthentication` fetches a token if the stored one is empty, and after a 401; n8n stores what it returns.
 * `authenticate` adds the token to the request. n8n ignores expiry and changed inputs. But if `authenticate` throws an error with status
 * 401, n8n fetches a token and calls it again, before anything was sent. So `authenticate` throws for a token that is known to be
 * invalid, and no payment is ever sent with one.
 */

/** An error that n8n treats as an expired token. It is never shown to users. */
function createRefreshError(): Error {
	return Object.assign(new CredentialError('A new access token is needed', 'Run again.'), {
		response: { status: 401, headers: {}, data: '' },
	});
}

/** What `preAuthentication` and `authenticate` know about a request. */
interface RequestState {
	/** The request is a credential test. */
	isTest?: boolean;
	/** The access token that was fetched for the request. */
	obtained?: string;
	/**
	 * The request must not be sent twice: it comes from an HTTP Request node (n8n's older helper), and is no read or has a token that cannot
	 * be renewed. After any error, even a time-out, that helper calls `preAuthentication`. It sends the request again if it gets a token, and
	 * hides the bank's error if that fails.
	 */
	isUnrepeatable?: boolean;
}

/** Keyed by the decrypted credential: n8n passes the same object to both hooks of one request, and a new one for the next. */
const states = new WeakMap<object, RequestState>();

function stateOf(credential: ICredentialDataDecryptedObject): RequestState {
	const state = states.get(credential) ?? {};
	states.set(credential, state);
	return state;
}

/** Tokens of unrepeatable requests that failed. The token may be the reason, so the next request fetches a new one. */
const doubtfulTokens = new BoundedSet(200);

const isUnrepeatable = (request: IHttpRequestOptions, credential: ICredentialDataDecryptedObject): boolean =>
	'uri' in request &&
	(!['GET', 'HEAD', 'OPTIONS'].includes((request.method ?? 'GET').toUpperCase()) || !canRenew(credential));

/**
 * Removes the header of a credential test.
 * @throws an error with status 401 in a test, so that n8n calls `preAuthentication`
 */
export function interceptTest(credential: ICredentialDataDecryptedObject, request: IHttpRequestOptions): void {
	const { [testHeader]: marker, ...headers } = request.headers ?? {};
	request.headers = headers;
	if (marker === undefined) return;
	// Another node could set the header, so only the request of the test counts as one of this package.
	if (isTestRequest(request, credential)) markOwnRequest(request);
	stateOf(credential).isTest = true;
	throw createRefreshError();
}

/** Whether `preAuthentication` was called for a credential test. */
export function consumeTestFlag(credential: ICredentialDataDecryptedObject): boolean {
	const state = stateOf(credential);
	const isTest = state.isTest === true;
	state.isTest = false;
	return isTest;
}

/** `authenticate` of the types that fetch their own tokens. */
export function addBearerToken(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	interceptTest(credential, request);
	const state = stateOf(credential);
	const fresh = state.obtained;
	delete state.obtained;
	validateBaseUrl(credential);
	validateTarget(request, credential);
	requireOwnRequest(request, credential);
	const expiresAt = Number(textOf(credential.accessTokenExpiresAt));
	const fingerprint = fingerprintOf(credential, initialGrantOf(credential));
	const isUseless =
		credential.accessTokenFor !== fingerprint ||
		(expiresAt > 0 && Date.now() >= expiresAt) ||
		doubtfulTokens.has(hash(verbatim(credential.accessToken)));
	// A token fetched for this request is used even if it expires within seconds.
	if (fresh === undefined && isUseless) throw createRefreshError();
	if (isUnrepeatable(request, credential)) state.isUnrepeatable = true;
	return withCredential(request, credential, { Authorization: `Bearer ${fresh ?? verbatim(credential.accessToken)}` });
}

/**
 * When to refresh a token of n8n's own OAuth2, in milliseconds since 1970. n8n stores the expiry but refreshes only after a 401. Undefined
 * without an expiry or a refresh token.
 */
export function refreshTimeOf(oauthTokenData: unknown): number | undefined {
	const token = isRecord(oauthTokenData) ? oauthTokenData : {};
	const expiresAt = Number(token.n8n_expires_at ?? undefined);
	if (verbatim(token.refresh_token) === '' || !Number.isFinite(expiresAt)) return undefined;
	return expiresAt - refreshMargin(Number(token.expires_in) * 1000 || 0);
}

/** Tokens that this process has fetched, by a hash of the token request. Only a cache: what n8n stores counts. */
const results = new BoundedSet<IssuedToken>(200);
const inFlight = new Map<string, Promise<IssuedToken>>();

/** Shares one request for a token: otherwise items that run in parallel would each fetch a token. */
async function singleFlight(key: string, fetch: () => Promise<IssuedToken>): Promise<IssuedToken> {
	const fetchAndKeep = async () => {
		const issued = await fetch();
		results.renew(key, issued);
		return issued;
	};
	const running = inFlight.get(key) ?? fetchAndKeep().finally(() => inFlight.delete(key));
	inFlight.set(key, running);
	return await running;
}

/** How long concurrent requests with the same old token share the new one, in milliseconds. */
const shareFor = 300_000;

/** Whether this credential can use the cached token without a token request. */
const canShare = (
	result: IssuedToken | undefined,
	{ accessToken }: ICredentialDataDecryptedObject,
): result is IssuedToken =>
	result !== undefined &&
	result.accessToken !== accessToken &&
	Date.now() - result.issuedAt < shareFor &&
	(result.expiresAt === undefined || Date.now() < result.expiresAt);

/** Whether a credential is for host-to-host: only these begin with a code or a refresh token. */
const isHostToHost = ({ beginWith }: ICredentialDataDecryptedObject): boolean => beginWith !== undefined;

const canRenew = (credential: ICredentialDataDecryptedObject): boolean =>
	!isHostToHost(credential) || verbatim(credential.heldRefreshToken) !== '';

const refreshGrant = (refresh_token: string): Grant => ({ grant_type: 'refresh_token', refresh_token });

/**
 * The grant that the form describes. Host-to-host uses it once, then refresh tokens; a new entry in the form starts
 * over.
 */
function initialGrantOf(credential: ICredentialDataDecryptedObject): Grant {
	const { beginWith, authorizationCode, redirectUri, refreshToken } = credential;
	if (!isHostToHost(credential)) {
		const scope = requestedScopes(credential).join(' ');
		return { grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) };
	}
	if (beginWith === 'refreshToken') return refreshGrant(lineOf(refreshToken));
	return { grant_type: 'authorization_code', code: lineOf(authorizationCode), redirect_uri: lineOf(redirectUri) };
}

/**
 * Finds the latest refresh token by following those that were already used. For requests that read the credential
 * before the new token was stored.
 */
function latestGrant(
	initial: Grant,
	keyOf: (grant: Grant) => string,
): { grant: Grant; cached: IssuedToken | undefined } {
	let grant = initial;
	let cached: IssuedToken | undefined;
	for (const seen = new Set<string>(); !seen.has(keyOf(grant));) {
		seen.add(keyOf(grant));
		cached = results.get(keyOf(grant)) ?? cached;
		if (cached?.refreshToken !== undefined) grant = refreshGrant(cached.refreshToken);
	}
	return { grant, cached };
}

/** `preAuthentication` of the types that fetch their own tokens. A refresh token may be usable only once: the latest must not be lost. */
export async function fetchToken(http: Http, credential: ICredentialDataDecryptedObject): Promise<IDataObject> {
	const state = stateOf(credential);
	if (state.isUnrepeatable === true) {
		if (canRenew(credential)) doubtfulTokens.renew(hash(verbatim(credential.accessToken)));
		return {};
	}
	const isTest = consumeTestFlag(credential);
	// The ping comes before the token request, because an error after it would lose the token. n8n itself shows only a connection code.
	if (isTest) await ping(http, credential);
	// The stored token was fetched in this test.
	if (isTest && state.obtained !== undefined) return {};
	const initial = initialGrantOf(credential);
	// The redirect URI is left out: a user may correct it later, and the code is still the one that was used.
	const initialKey = hash(initial.code ?? initial.refresh_token ?? '');
	const fingerprint = fingerprintOf(credential, initial);
	const keyOf = (grant: Grant) => hash(JSON.stringify([fingerprint, grant]));
	const isContinued = credential.heldRefreshTokenFrom === initialKey;
	const held = verbatim(credential.heldRefreshToken);
	const { grant, cached } = latestGrant(isContinued && held !== '' ? refreshGrant(held) : initial, keyOf);
	const hasToken = verbatim(credential.accessToken) !== '';
	// A new client, or one whose token was removed, gets its own token. Grants of host-to-host can be used only once, so they are shared.
	const mayShare = !isTest && (isHostToHost(credential) || hasToken);
	let result = cached;
	if (!mayShare || !canShare(result, credential)) {
		checkGrant(grant, cached !== undefined || (isContinued && hasToken));
		result = await singleFlight(keyOf(grant), async () => await requestToken(http, credential, grant));
	}
	const { accessToken, expiresAt, refreshToken, scope } = result;
	state.obtained = accessToken;
	doubtfulTokens.forget(hash(accessToken));
	return {
		accessToken,
		accessTokenExpiresAt: expiresAt === undefined ? '' : String(expiresAt),
		accessTokenFor: fingerprint,
		accessTokenScope: scope,
		...(isHostToHost(credential)
			? { heldRefreshToken: refreshToken ?? grant.refresh_token ?? '', heldRefreshTokenFrom: initialKey }
			: {}),
	};
}

function checkGrant(grant: Grant, isUsed: boolean): void {
	const { code, refresh_token: refreshToken, redirect_uri: redirectUri } = grant;
	if (redirectUri === '' && code !== '')
		throw new CredentialError(
			'Redirect URI is empty',
			'Enter the redirect URI of the authorization request, unchanged.',
		);
	if (code === '' || refreshToken === '')
		throw new CredentialError(
			`${code === '' ? 'Authorization Code' : 'Refresh Token'} is empty`,
			'Enter the value that your bank gave you, or choose the other under "Begin With".',
		);
	if (code !== undefined && isUsed)
		throw new CredentialError(
			'The access token cannot be renewed: Authorization Code was already used, and the bank issued no refresh token',
			'If the token has expired or is rejected, or the credential was changed, get a new code from your bank and enter it. ' +
				'Ask your bank to issue refresh tokens.',
		);
}
