import { hash as digest } from 'node:crypto';

import { type Redact, isRecord, jsonOrText, splitList, textOf, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { agentOptionsOf, usesCertificate } from './certificate.ts';
import { CredentialError, quoted } from './credentialError.ts';
import { gatewayHeadersOf } from './gateway.ts';
import { sendCredentialRequest, type Http } from './credentialHttp.ts';
import { lineOf } from './line.ts';
import { createRedactor, formEncoded } from './redact.ts';
import { validateCredential } from './request.ts';
import { credentialSecrets } from './sensitiveValues.ts';

export interface IssuedToken {
	accessToken: string;
	/** When the token was issued, in milliseconds since 1970. */
	issuedAt: number;
	/** Time to refresh the token, in milliseconds since 1970; absent if the bank does not report a lifetime. */
	expiresAt?: number;
	/** Absent if the previous refresh token stays valid. */
	refreshToken?: string;
	/** The scopes as reported by the bank; empty if not reported. */
	scope: string;
}

/** Body of a token request, without the client authentication. */
export type Grant = Record<string, string>;

/** How long before expiry a token is refreshed, in milliseconds: one minute, or a tenth of a short lifetime. */
export const refreshMargin = (lifetime: number) => Math.min(60_000, lifetime / 10);

const secretOf = ({ clientSecret }: ICredentialDataDecryptedObject): string => lineOf(clientSecret);

interface ClientAuthentication {
	headers: Record<string, string>;
	body: Grant;
}

/** Without a secret, the certificate authenticates the client (RFC 8705, 2). */
function clientAuthentication(credential: ICredentialDataDecryptedObject): ClientAuthentication {
	const [id, secret] = [lineOf(credential.clientId), secretOf(credential)];
	if (secret === '') return { headers: {}, body: { client_id: id } };
	if (credential.authentication === 'body') return { headers: {}, body: { client_id: id, client_secret: secret } };
	// Form-encoded before Basic Auth (RFC 6749, 2.3.1).
	const basic = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64');
	return { headers: { Authorization: `Basic ${basic}` }, body: {} };
}

export const hash = (text: string): string => digest('sha256', text);

/** Hash of everything that a token request contains. If any of it changes, a stored token is no longer used. */
export const fingerprintOf = (credential: ICredentialDataDecryptedObject, initial: Grant): string =>
	hash(
		JSON.stringify([
			lineOf(credential.accessTokenUrl),
			clientAuthentication(credential),
			gatewayHeadersOf(credential),
			agentOptionsOf(credential),
			initial,
		]),
	);

/** @throws CredentialError */
export async function requestToken(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	grant: Grant,
): Promise<IssuedToken> {
	const url = lineOf(credential.accessTokenUrl);
	validateCredential(credential);
	validateClient(credential);
	const { headers, body } = clientAuthentication(credential);
	// The response can repeat what was sent.
	const secrets = [
		...Object.values(headers).map((value) => value.replace(/^Basic /, '')),
		grant.code ?? '',
		grant.refresh_token ?? '',
	];
	const redactSecrets = createRedactor(credentialSecrets(credential), { secrets });
	const response = await sendCredentialRequest(http, credential, {
		method: 'POST',
		url,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
		body: new URLSearchParams({ ...grant, ...body }).toString(),
		field: 'Access Token URL',
		redactSecrets,
	});
	return readToken(response, grant, redactSecrets);
}

/** Fields that only token requests need. */
function validateClient(credential: ICredentialDataDecryptedObject): void {
	if (lineOf(credential.accessTokenUrl) === '')
		throw new CredentialError(
			'Access Token URL is empty',
			'Enter the URL that your bank gave you, starting with https://.',
		);
	if (lineOf(credential.clientId) === '')
		throw new CredentialError('Client ID is empty', 'Enter the value that your bank gave you.');
	// RFC 6749, A.1 and A.2.
	for (const [label, value] of [
		['Client ID', credential.clientId],
		['Client Secret', credential.clientSecret],
	] as const)
		if (/[^ -~]/.test(lineOf(value)))
			throw new CredentialError(
				`${label} contains a character that is not ASCII, such as a no-break space or a Cyrillic letter`,
				'Enter the value that your bank gave you.',
			);
	if (secretOf(credential) === '' && !usesCertificate(credential))
		throw new CredentialError(
			'Client Secret is empty',
			'Enter the value that your bank gave you. It can be empty only if you use a client certificate.',
		);
}

function readToken(response: IN8nHttpFullResponse, grant: Grant, redactSecrets: Redact): IssuedToken {
	const parsed = jsonOrText(verbatim(response.body));
	const body: Record<string, unknown> = isRecord(parsed) ? parsed : {};
	const accessToken = verbatim(body.access_token);
	// A token is never thrown away: the code that it was requested with can be used only once.
	const isError = textOf(body.error) !== '' && accessToken === '';
	if (isError || response.statusCode < 200 || response.statusCode > 299)
		throw createTokenError(response, body, grant, redactSecrets);
	// The response is not quoted: it may contain a token in another form.
	if (!/^[\x21-\x7e]+$/.test(accessToken))
		throw new CredentialError(
			'The token endpoint did not return JSON with a valid access_token',
			'Check Access Token URL. It must be the token endpoint itself.',
		);
	const lifetime = Number(body.expires_in) * 1000;
	return {
		accessToken,
		issuedAt: Date.now(),
		expiresAt: Number.isFinite(lifetime) && lifetime > 0 ? Date.now() + lifetime - refreshMargin(lifetime) : undefined,
		// The refresh token is not kept for client credentials, which need none (RFC 6749, 4.4.3): once it has expired,
		// no token could be fetched.
		refreshToken: (grant.grant_type !== 'client_credentials' && verbatim(body.refresh_token)) || undefined,
		// RFC 6749 has a text; some servers send a list.
		scope: splitList([body.scope], 'identifier').join(' '),
	};
}

type ErrorText = [what: string, next: string];

/** The errors of RFC 6749, 5.2. */
function describeError(error: unknown, { grant_type: flow = '', scope = 'none' }: Grant): ErrorText | undefined {
	switch (error) {
		case 'invalid_client':
			return [
				'The bank does not accept Client ID or Client Secret (invalid_client)',
				'Check both, and that they belong to this environment. If they are right, the bank may require ' +
					'the other Authentication, or a client certificate that is registered for this client.',
			];
		case 'invalid_scope':
			return [
				`The bank does not grant the requested scopes (invalid_scope): ${scope}`,
				'Request exactly those that your bank granted you.',
			];
		case 'unauthorized_client':
		case 'unsupported_grant_type':
			return [
				`The bank does not allow this client to use the flow ${flow} (${error})`,
				'Ask your bank which flow you have, and use the credential type for it.',
			];
		case 'invalid_grant':
			return [
				'The bank does not accept the authorization code or refresh token (invalid_grant): it was already used or revoked, ' +
					'has expired, or belongs to another Redirect URI',
				'Try again: another worker may have renewed the token. If it fails again, get a new code or refresh token from ' +
					'your bank and enter it.',
			];
	}
	return undefined;
}

function createTokenError(
	{ statusCode: status, headers, body: raw }: IN8nHttpFullResponse,
	{ error, error_description: description }: Record<string, unknown>,
	grant: Grant,
	redactSecrets: Redact,
): CredentialError {
	const known = describeError(error, grant);
	if (known === undefined && status >= 300 && status < 400) {
		// The address without the query, which can contain secrets.
		const target = quoted(verbatim(headers.location).replace(/[?#].*/s, ''), redactSecrets);
		return new CredentialError(
			`The token endpoint redirects elsewhere (${status}${target === '' ? '' : ` to ${target}`})`,
			'Enter the final URL in "Access Token URL". The secret is not sent to redirect targets.',
		);
	}
	const text = verbatim(raw);
	const code = typeof error === 'string' ? `${status} ${quoted(error, redactSecrets)}` : String(status);
	const [what, next] = known ?? describeStatus(status, code, text);
	const words = quoted(verbatim(description) || (typeof error === 'string' ? '' : text), redactSecrets);
	return new CredentialError(what, words === '' ? next : `${next} The bank says: "${words}".`);
}

/** For responses without a known OAuth error, for example from a proxy in front of the token endpoint. */
function describeStatus(status: number, code: string, text: string): ErrorText {
	if (status === 404 || status === 405)
		return [`There is no token endpoint at this URL (${code})`, 'Check Access Token URL.'];
	if (status === 429) return ['The bank received too many token requests (429)', 'Wait a minute, then try again.'];
	if (status >= 500)
		return [`The token endpoint is not available (${code})`, 'Try again later. The credential is probably right.'];
	if (/certificate/i.test(text))
		return [
			`The token endpoint does not accept the client certificate, or requires one (${code})`,
			'Check that "Client Certificate" is turned on, and ask your bank whether yours is registered.',
		];
	return [
		`The token endpoint refused the request (${code})`,
		'Check Access Token URL, Client ID, Client Secret and Authentication.',
	];
}
