import { BoundedSet, isRecord, splitList, textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { validateTarget } from './address.ts';
import { CredentialError } from './credentialError.ts';
import { validateBaseUrl, type Http, ping } from './credentialHttp.ts';
import { requestPartsOf, withParts } from './request.ts';
import { fingerprintOf, type Grant, hash, type Issued, refreshMargin, requestToken } from './tokens.ts';

/**
 * Tokens of the types that do not use n8n's own OAuth2, which sends no client certificate with token requests.
 *
 * n8n calls two hooks. `preAuthentication` fetches a token if the stored one is empty, and after a 401; n8n stores what it returns.
 * `authenticate` adds the token to the request. n8n ignores expiry and changed inputs. But if `authenticate` throws an error with status
 * 401, n8n fetches a token and calls it again, before anything was sent. So `authenticate` throws for a token that is known to be
 * invalid, and no payment is ever sent with one.
 */

/** Header of a credential test, which must not pass with a stored token. */
export const testHeader = 'x-n8n-bank-credential-test';

/** Returns whether the request had the test header. */
export function removeTestHeader(request: IHttpRequestOptions): boolean {
	const { [testHeader]: marker, ...headers } = request.headers ?? {};
	request.headers = headers;
	return marker !== undefined;
}

/** An error that n8n treats as an expired token. It is never shown to users. */
export function createRefreshError(): Error {
	return Object.assign(new CredentialError('A new access token is needed', 'Run again.'), {
		response: { status: 401, headers: {}, data: '' },
	});
}

/** Keyed by the decrypted credential: n8n passes the same object to both hooks of one request, and a new one for the next. */
const inTest = new WeakMap<object, { hasNewToken: boolean }>();
const obtained = new WeakMap<object, { accessToken: string; how: 'fetched' | 'shared' }>();

export const markTested = (credential: ICredentialDataDecryptedObject, hasNewToken = false): unknown =>
	inTest.set(credential, { hasNewToken });

export function consumeTestFlag(credential: ICredentialDataDecryptedObject): { hasNewToken: boolean } | undefined {
	const test = inTest.get(credential);
	inTest.delete(credential);
	return test;
}

/** `authenticate` of the types that fetch their own tokens. */
export function addBearerToken(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	fingerprint: string,
): IHttpRequestOptions {
	const fresh = obtained.get(credential);
	obtained.delete(credential);
	if (removeTestHeader(request)) {
		markTested(credential, fresh?.how === 'fetched');
		throw createRefreshError();
	}
	const error = validateBaseUrl(credential) ?? validateTarget(request, credential);
	if (error !== undefined) throw error;
	const expiresAt = Number(textOf(credential.accessTokenExpiresAt));
	const isUseless = credential.accessTokenFor !== fingerprint || (expiresAt > 0 && Date.now() >= expiresAt);
	// A token fetched for this request is used even if it expires within seconds.
	if (fresh === undefined && isUseless) throw createRefreshError();
	const { headers, ...parts } = requestPartsOf(credential);
	return withParts(request, {
		...parts,
		headers: { ...headers, Authorization: `Bearer ${fresh?.accessToken ?? verbatim(credential.accessToken)}` },
	});
}

/**
 * When to refresh a token of n8n's own OAuth2, in milliseconds since 1970. n8n stores the expiry but refreshes only after a 401. Undefined
 * without an expiry or a refresh token.
 */
export function refreshTimeOf(oauthTokenData: unknown): number | undefined {
	const {
		n8n_expires_at: endsAt,
		expires_in: lifetime,
		refresh_token: refreshToken,
	} = isRecord(oauthTokenData) ? oauthTokenData : {};
	const expiresAt = Number(endsAt ?? undefined);
	if (verbatim(refreshToken) === '' || !Number.isFinite(expiresAt)) return undefined;
	return expiresAt - refreshMargin(Number(lifetime) * 1000 || 0);
}

interface Result extends Issued {
	fingerprint: string;
	at: number;
}

/**
 * Tokens fetched by this process, keyed by the token that was replaced or the grant that was used. A cache only: n8n's credential store
 * is authoritative.
 */
const results = new BoundedSet<Result>(200);
const inFlight = new Map<string, Promise<Result>>();

/** Without this, items that run in parallel would each fetch a token. */
async function singleFlight(key: string, fetch: () => Promise<Result>): Promise<Result> {
	const running = inFlight.get(key) ?? fetch().finally(() => inFlight.delete(key));
	inFlight.set(key, running);
	return await running;
}

/** How long concurrent requests with the same old token share the new one, in milliseconds. */
const shareFor = 300_000;

/** Whether this credential can use the cached token without a token request. */
function canShare(
	result: Result | undefined,
	credential: ICredentialDataDecryptedObject,
	fingerprint: string,
): result is Result {
	return (
		result !== undefined &&
		result.fingerprint === fingerprint &&
		result.accessToken !== credential.accessToken &&
		Date.now() - result.at < shareFor &&
		(result.expiresAt === undefined || Date.now() < result.expiresAt)
	);
}

function tokenFields(
	credential: ICredentialDataDecryptedObject,
	{ accessToken, expiresAt, fingerprint, scope }: Result,
	how: 'fetched' | 'shared',
): IDataObject {
	obtained.set(credential, { accessToken, how });
	return {
		accessToken,
		accessTokenExpiresAt: expiresAt === undefined ? '' : String(expiresAt),
		accessTokenFor: fingerprint,
		accessTokenScope: scope,
	};
}

export function clientCredentialsFingerprint(credential: ICredentialDataDecryptedObject): string {
	return fingerprintOf(credential, 'client_credentials', scopeOf(credential));
}

export function scopeOf({ bankScopes, additionalScopes }: ICredentialDataDecryptedObject): string {
	return [...new Set(splitList([bankScopes, additionalScopes], 'identifier'))].join(' ');
}

/**
 * In a credential test, first checks that the API is reachable, because n8n would show only the code of a connection error. This comes
 * before the token request: an error after it would lose the token.
 *
 * @returns `reusable`: the stored token, if it was fetched in this test
 */
async function beginTest(
	http: Http,
	credential: ICredentialDataDecryptedObject,
): Promise<{ isTest: boolean; reusable?: IDataObject }> {
	const test = consumeTestFlag(credential);
	if (test === undefined) return { isTest: false };
	await ping(http, credential);
	if (!test.hasNewToken) return { isTest: true };
	const accessToken = verbatim(credential.accessToken);
	const accessTokenExpiresAt = verbatim(credential.accessTokenExpiresAt);
	const accessTokenFor = verbatim(credential.accessTokenFor);
	obtained.set(credential, { accessToken, how: 'fetched' });
	const accessTokenScope = verbatim(credential.accessTokenScope);
	return { isTest: true, reusable: { accessToken, accessTokenExpiresAt, accessTokenFor, accessTokenScope } };
}

/** `preAuthentication` of client credentials. */
export async function fetchByClientCredentials(
	http: Http,
	credential: ICredentialDataDecryptedObject,
): Promise<IDataObject> {
	const { isTest, reusable } = await beginTest(http, credential);
	if (reusable !== undefined) return reusable;
	const fingerprint = clientCredentialsFingerprint(credential);
	const held = verbatim(credential.accessToken);
	const replaced = held === '' ? undefined : `${fingerprint} ${hash(held)}`;
	const cached = replaced === undefined ? undefined : results.get(replaced);
	if (!isTest && canShare(cached, credential, fingerprint)) return tokenFields(credential, cached, 'shared');
	const scope = scopeOf(credential);
	const result = await singleFlight(fingerprint, async () => ({
		...(await requestToken(http, credential, { grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) })),
		fingerprint,
		at: Date.now(),
	}));
	if (replaced !== undefined) results.renew(replaced, result);
	return tokenFields(credential, result, 'fetched');
}

/** The code or refresh token that the user entered. A new entry starts over. */
function initialGrantOf({
	beginWith,
	authorizationCode,
	redirectUri,
	refreshToken,
}: ICredentialDataDecryptedObject): Grant {
	return beginWith === 'refreshToken'
		? { grant_type: 'refresh_token', refresh_token: textOf(refreshToken) }
		: {
				grant_type: 'authorization_code',
				code: textOf(authorizationCode),
				redirect_uri: textOf(redirectUri),
			};
}

const grantKeyOf = (grant: Grant): string => hash(JSON.stringify(grant));

export function hostToHostFingerprint(credential: ICredentialDataDecryptedObject): string {
	return fingerprintOf(credential, grantKeyOf(initialGrantOf(credential)));
}

const refreshGrant = (refresh_token: string): Grant => ({ grant_type: 'refresh_token', refresh_token });

/**
 * Finds the latest refresh token by following those that were already used. For requests that read the credential
 * before the new token was stored.
 */
function latestGrant(held: Grant): { grant: Grant; cached: Result | undefined } {
	let grant = held;
	let cached: Result | undefined;
	const seen = new Set<string>();
	for (
		let next = results.get(grantKeyOf(grant));
		next !== undefined && !seen.has(grantKeyOf(grant));
		next = results.get(grantKeyOf(grant))
	) {
		cached = next;
		seen.add(grantKeyOf(grant));
		if (next.refreshToken !== undefined) grant = refreshGrant(next.refreshToken);
	}
	return { grant, cached };
}

/** `preAuthentication` of host to host. A refresh token may be usable only once, so the latest one must not be lost. */
export async function fetchFromHostToHost(
	http: Http,
	credential: ICredentialDataDecryptedObject,
): Promise<IDataObject> {
	const { isTest, reusable } = await beginTest(http, credential);
	if (reusable !== undefined) return reusable;
	const fingerprint = hostToHostFingerprint(credential);
	const initial = initialGrantOf(credential);
	const initialKey = grantKeyOf(initial);
	const held = verbatim(credential.heldRefreshToken);
	const { grant, cached } = latestGrant(
		held !== '' && credential.heldRefreshTokenFrom === initialKey ? refreshGrant(held) : initial,
	);
	const withGrant = (result: Result, how: 'fetched' | 'shared'): IDataObject => ({
		...tokenFields(credential, result, how),
		heldRefreshToken: result.refreshToken ?? grant.refresh_token ?? '',
		heldRefreshTokenFrom: initialKey,
	});
	if (!isTest && canShare(cached, credential, fingerprint)) return withGrant(cached, 'shared');
	checkGrant(
		grant,
		cached !== undefined || (verbatim(credential.accessToken) !== '' && credential.heldRefreshTokenFrom === initialKey),
	);
	const key = grantKeyOf(grant);
	const result = await singleFlight(`${fingerprint} ${key}`, async () => {
		const fresh = { ...(await requestToken(http, credential, grant)), fingerprint, at: Date.now() };
		results.renew(key, fresh);
		return fresh;
	});
	return withGrant(result, 'fetched');
}

function checkGrant(grant: Grant, isUsed: boolean): void {
	if (grant.refresh_token === '')
		throw new CredentialError(
			'Refresh Token is empty',
			'Enter the one that your bank gave you, or choose Authorization Code under Begin With.',
		);
	if (grant.grant_type !== 'authorization_code') return;
	if (grant.code === '')
		throw new CredentialError(
			'Authorization Code is empty',
			'Enter the one that your bank gave you, or choose Refresh Token under Begin With.',
		);
	if (isUsed)
		throw new CredentialError(
			'The access token has expired, and the bank issued no refresh token',
			'Get a new authorization code from your bank and enter it. Ask your bank to issue refresh tokens.',
		);
}
