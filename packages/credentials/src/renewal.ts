import { BoundedMemory, isRecord, splitList, textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { foreignFault } from './address.ts';
import { CredentialFault } from './faults.ts';
import { baseUrlFault, type Http, reach } from './reach.ts';
import { requestPartsOf, withParts } from './request.ts';
import { fingerprintOf, type Grant, hash, type Issued, margin, requestToken } from './tokens.ts';

/**
 * Tokens that n8n does not fetch for us: it sends no client certificate with its own token requests.
 *
 * n8n offers two hooks. `preAuthentication` fetches: it runs where the stored token is empty and after a 401, and what it returns is
 * stored with the credential. `authenticate` puts the token into the request. n8n knows no expiry and nothing of changed inputs; but
 * when `authenticate` throws an error with status 401, it takes it for the bank's, fetches a token, and asks again, with nothing
 * sent so far. So `authenticate` refuses a token that it knows to be useless, and no payment is ever sent with one.
 */

/** In the request of a credential test: it must not pass with the token that is stored. */
export const testMarker = 'x-n8n-bank-credential-test';

/** Takes the marker away. Whether it was there. */
export function takeMarker(request: IHttpRequestOptions): boolean {
	const { [testMarker]: marker, ...headers } = request.headers ?? {};
	request.headers = headers;
	return marker !== undefined;
}

/** What n8n takes for an expired token. It never leaves this machine and is never shown. */
export function askAgain(): Error {
	return Object.assign(new CredentialFault('A new access token is needed', 'Run again.'), {
		response: { status: 401, headers: {}, data: '' },
	});
}

/** The decrypted credential is one object through the hooks of one request, and another one in the next. */
const inTest = new WeakMap<object, { hasNewToken: boolean }>();
const obtained = new WeakMap<object, { accessToken: string; how: 'fetched' | 'shared' }>();

export const noteTest = (credential: ICredentialDataDecryptedObject, hasNewToken = false): unknown =>
	inTest.set(credential, { hasNewToken });

export function takeTest(credential: ICredentialDataDecryptedObject): { hasNewToken: boolean } | undefined {
	const test = inTest.get(credential);
	inTest.delete(credential);
	return test;
}

/** `authenticate` of the types with tokens of their own. */
export function bearer(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	fingerprint: string,
): IHttpRequestOptions {
	const got = obtained.get(credential);
	obtained.delete(credential);
	if (takeMarker(request)) {
		noteTest(credential, got?.how === 'fetched');
		throw askAgain();
	}
	const fault = baseUrlFault(credential) ?? foreignFault(request, credential);
	if (fault !== undefined) throw fault;
	const expiresAt = Number(textOf(credential.accessTokenExpiresAt));
	const isUseless = credential.accessTokenFor !== fingerprint || (expiresAt > 0 && Date.now() >= expiresAt);
	// What was got for this very request is used, even if it lives only for seconds.
	if (got === undefined && isUseless) throw askAgain();
	const { headers, ...parts } = requestPartsOf(credential);
	return withParts(request, {
		...parts,
		headers: { ...headers, Authorization: `Bearer ${got?.accessToken ?? verbatim(credential.accessToken)}` },
	});
}

/**
 * When to have a new token of n8n's own OAuth2, which writes down when one ends and looks at it only after a 401; undefined where that is
 * not known, or nothing is there to renew it with.
 */
export function connectedTokenEndsAt(oauthTokenData: unknown): number | undefined {
	const {
		n8n_expires_at: endsAt,
		expires_in: lifetime,
		refresh_token: refreshToken,
	} = isRecord(oauthTokenData) ? oauthTokenData : {};
	const known = Number(endsAt ?? undefined);
	if (verbatim(refreshToken) === '' || !Number.isFinite(known)) return undefined;
	return known - margin(Number(lifetime) * 1000 || 0);
}

interface Result extends Issued {
	fingerprint: string;
	at: number;
}

/**
 * By the token that it replaced, or by the code or refresh token that it was got for. Only what this process has got: n8n's store of
 * credentials is the truth.
 */
const results = new BoundedMemory<Result>(200);
const underWay = new Map<string, Promise<Result>>();

/** n8n has no single flight here: items that run at the same time would each fetch a token. */
async function singly(key: string, fetch: () => Promise<Result>): Promise<Result> {
	const running = underWay.get(key) ?? fetch().finally(() => underWay.delete(key));
	underWay.set(key, running);
	return await running;
}

/** How long a token may be taken from somebody who asked a little earlier with the same old one. */
const shareFor = 300_000;

/** Whether somebody who holds `credential` may have this result without asking the bank. */
function mayShare(
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

function stored(
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
 * A test also says whether the API can be reached: n8n would only show the number of a fault. It does so before it has a token,
 * which such a fault would lose, or with one that n8n has stored already.
 */
async function beginTest(
	http: Http,
	credential: ICredentialDataDecryptedObject,
): Promise<{ isTest: boolean; enough?: IDataObject }> {
	const test = takeTest(credential);
	if (test === undefined) return { isTest: false };
	await reach(http, credential);
	if (!test.hasNewToken) return { isTest: true };
	const accessToken = verbatim(credential.accessToken);
	const accessTokenExpiresAt = verbatim(credential.accessTokenExpiresAt);
	const accessTokenFor = verbatim(credential.accessTokenFor);
	obtained.set(credential, { accessToken, how: 'fetched' });
	const accessTokenScope = verbatim(credential.accessTokenScope);
	return { isTest: true, enough: { accessToken, accessTokenExpiresAt, accessTokenFor, accessTokenScope } };
}

/** `preAuthentication` of client credentials. */
export async function fetchByClientCredentials(
	http: Http,
	credential: ICredentialDataDecryptedObject,
): Promise<IDataObject> {
	const { isTest, enough } = await beginTest(http, credential);
	if (enough !== undefined) return enough;
	const fingerprint = clientCredentialsFingerprint(credential);
	const held = verbatim(credential.accessToken);
	const replaced = held === '' ? undefined : `${fingerprint} ${hash(held)}`;
	const known = replaced === undefined ? undefined : results.get(replaced);
	if (!isTest && mayShare(known, credential, fingerprint)) return stored(credential, known, 'shared');
	const scope = scopeOf(credential);
	const result = await singly(fingerprint, async () => ({
		...(await requestToken(http, credential, { grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) })),
		fingerprint,
		at: Date.now(),
	}));
	if (replaced !== undefined) results.renew(replaced, result);
	return stored(credential, result, 'fetched');
}

/** What the user entered to begin with; another entry begins anew. */
function beginningOf({
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

const keyOf = (grant: Grant): string => hash(JSON.stringify(grant));

export function hostToHostFingerprint(credential: ICredentialDataDecryptedObject): string {
	return fingerprintOf(credential, keyOf(beginningOf(credential)));
}

const refreshing = (refresh_token: string): Grant => ({ grant_type: 'refresh_token', refresh_token });

/** Whoever has read the credential before the last renewal was stored holds a token that is used up: then the one that followed it. */
function inForce(held: Grant): { grant: Grant; known: Result | undefined } {
	let grant = held;
	let known: Result | undefined;
	const seen = new Set<string>();
	for (
		let next = results.get(keyOf(grant));
		next !== undefined && !seen.has(keyOf(grant));
		next = results.get(keyOf(grant))
	) {
		known = next;
		seen.add(keyOf(grant));
		if (next.refreshToken !== undefined) grant = refreshing(next.refreshToken);
	}
	return { grant, known };
}

/** `preAuthentication` of host to host: a refresh token may be good for one use, and the last one given must not be lost. */
export async function fetchFromHostToHost(
	http: Http,
	credential: ICredentialDataDecryptedObject,
): Promise<IDataObject> {
	const { isTest, enough } = await beginTest(http, credential);
	if (enough !== undefined) return enough;
	const fingerprint = hostToHostFingerprint(credential);
	const beginning = beginningOf(credential);
	const begun = keyOf(beginning);
	const held = verbatim(credential.heldRefreshToken);
	const { grant, known } = inForce(
		held !== '' && credential.heldRefreshTokenFrom === begun ? refreshing(held) : beginning,
	);
	const withGrant = (result: Result, how: 'fetched' | 'shared'): IDataObject => ({
		...stored(credential, result, how),
		heldRefreshToken: result.refreshToken ?? grant.refresh_token ?? '',
		heldRefreshTokenFrom: begun,
	});
	if (!isTest && mayShare(known, credential, fingerprint)) return withGrant(known, 'shared');
	checkGrant(
		grant,
		known !== undefined || (verbatim(credential.accessToken) !== '' && credential.heldRefreshTokenFrom === begun),
	);
	const key = keyOf(grant);
	const result = await singly(`${fingerprint} ${key}`, async () => {
		const got = { ...(await requestToken(http, credential, grant)), fingerprint, at: Date.now() };
		results.renew(key, got);
		return got;
	});
	return withGrant(result, 'fetched');
}

function checkGrant(grant: Grant, isUsed: boolean): void {
	if (grant.refresh_token === '')
		throw new CredentialFault(
			'Refresh Token is empty',
			'Enter the one that the bank gave you, or begin with an authorization code.',
		);
	if (grant.grant_type !== 'authorization_code') return;
	if (grant.code === '')
		throw new CredentialFault(
			'Authorization Code is empty',
			'Enter the one that the bank gave you, or begin with a refresh token.',
		);
	if (isUsed)
		throw new CredentialFault(
			'The access token has expired, and the bank gave no refresh token with it',
			'Get a new authorization code from the bank and enter it; ask the bank to give refresh tokens.',
		);
}
