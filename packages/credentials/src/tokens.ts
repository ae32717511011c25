import { createHash } from 'node:crypto';

import { type Hide, isRecord, jsonOrText, textOf, verbatim, withoutRuns } from '@bank/core';
import type { ICredentialDataDecryptedObject, IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { addressFault } from './address.ts';
import { agentOptionsOf, openClientCertificate, usesCertificate } from './certificate.ts';
import { CredentialFault, quoted } from './faults.ts';
import { gatewayHeadersOf } from './gateway.ts';
import { ask, type Http } from './reach.ts';
import { createRedactor, mergeSecrets } from './redact.ts';
import { thoroughFault } from './request.ts';
import { credentialSecrets } from './sensitiveValues.ts';

/** What the bank gave for a token request. */
export interface Issued {
	accessToken: string;
	/** When to have another one; absent where the bank does not say. */
	expiresAt?: number;
	/** Absent where the bank keeps the old one in force. */
	refreshToken?: string;
	/** What it is good for, as the bank says it; empty where it does not. */
	scope: string;
}

/** The body of a token request beside the client's own part of it. */
export type Grant = Record<string, string>;

/** Time for the request that takes the token along; a tenth of tokens that live for seconds. */
export const margin = (lifetime: number) => Math.min(60_000, lifetime / 10);

/** As it is: a space at its end may belong to it. */
const secretOf = ({ clientSecret }: ICredentialDataDecryptedObject): string => verbatim(clientSecret);

/** As in RFC 6749, 2.3.1: both are form-encoded before they become Basic Auth. */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** How the client proves itself: without a secret by its certificate alone (RFC 8705, 2). */
function clientPart(credential: ICredentialDataDecryptedObject): { headers: Record<string, string>; body: Grant } {
	const [id, secret] = [textOf(credential.clientId), secretOf(credential)];
	if (secret === '') return { headers: {}, body: { client_id: id } };
	if (credential.authentication === 'body') return { headers: {}, body: { client_id: id, client_secret: secret } };
	return {
		headers: { Authorization: `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')}` },
		body: {},
	};
}

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a token is fetched with. If any of it changes, a token of before is not what the user asks for. */
export function fingerprintOf(credential: ICredentialDataDecryptedObject, ...more: string[]): string {
	const { pfx, ...agentOptions } = agentOptionsOf(credential) ?? {};
	const file = pfx instanceof Uint8Array ? Buffer.from(pfx).toString('base64') : '';
	return hash(
		JSON.stringify([
			textOf(credential.accessTokenUrl),
			clientPart(credential),
			gatewayHeadersOf(credential),
			agentOptions,
			file,
			more,
		]),
	);
}

/**
 * One request to the token endpoint, with the client certificate where there is one.
 *
 * @throws CredentialFault
 */
export async function requestToken(
	http: Http,
	credential: ICredentialDataDecryptedObject,
	grant: Grant,
): Promise<Issued> {
	const url = textOf(credential.accessTokenUrl);
	await openClientCertificate(credential);
	const fault = inputFault(credential, url) ?? thoroughFault(credential);
	if (fault !== undefined) throw fault;
	const { headers, body } = clientPart(credential);
	// The bank may repeat what it was sent.
	const carried = {
		secrets: [...Object.values(headers), grant.code ?? '', grant.refresh_token ?? ''],
		personal: [],
		numbers: [],
	};
	const hide = createRedactor(mergeSecrets(credentialSecrets(credential), carried));
	const answer = await ask(http, credential, {
		method: 'POST',
		url,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...gatewayHeadersOf(credential), ...headers },
		body: new URLSearchParams({ ...grant, ...body }).toString(),
		field: 'Access Token URL',
		hide,
	});
	return readToken(answer, grant, hide);
}

function inputFault(credential: ICredentialDataDecryptedObject, url: string): CredentialFault | undefined {
	const address =
		url === ''
			? new CredentialFault('Access Token URL is empty', 'Enter it as the bank gave it to you, with https://.')
			: addressFault('Access Token URL', url, credential);
	if (address !== undefined) return address;
	if (textOf(credential.clientId) === '')
		return new CredentialFault('Client ID is empty', 'Enter what the bank gave you.');
	if (secretOf(credential) === '' && !usesCertificate(credential))
		return new CredentialFault(
			'Client Secret is empty',
			'Enter what the bank gave you. Only with a client certificate may the bank do without.',
		);
	return undefined;
}

function readToken({ statusCode, headers, body: raw }: IN8nHttpFullResponse, grant: Grant, hide: Hide): Issued {
	const text = typeof raw === 'string' ? raw : JSON.stringify(raw ?? '');
	const parsed = jsonOrText(text);
	const body: Record<string, unknown> = isRecord(parsed) ? parsed : {};
	if (typeof body.error === 'string' || statusCode < 200 || statusCode > 299)
		throw refusal({ status: statusCode, headers, body, text }, grant, hide);
	const checkUrl = 'Check Access Token URL: it must be the token endpoint itself.';
	if (text.trim() === '') throw new CredentialFault('The token endpoint answered with nothing', checkUrl);
	if (!isRecord(parsed))
		throw new CredentialFault(
			`The token endpoint did not answer in JSON: "${quoted(withoutRuns(text), hide)}"`,
			checkUrl,
		);
	const accessToken = body.access_token;
	if (typeof accessToken !== 'string' || accessToken === '')
		throw new CredentialFault('The token endpoint answered without access_token', checkUrl);
	if (!/^[\x21-\x7e]+$/.test(accessToken))
		throw new CredentialFault(
			'The token endpoint answered with an access_token that no header can carry',
			'Tell the bank.',
		);
	const lifetime = Number(body.expires_in) * 1000;
	return {
		accessToken,
		...(Number.isFinite(lifetime) && lifetime > 0 ? { expiresAt: Date.now() + lifetime - margin(lifetime) } : {}),
		...(verbatim(body.refresh_token) === '' ? {} : { refreshToken: verbatim(body.refresh_token) }),
		scope: textOf(body.scope),
	};
}

interface Refused {
	status: number;
	headers: IDataObject;
	body: Record<string, unknown>;
	text: string;
}

/** What is wrong, and what to do about it. */
type Told = [what: string, next: string];

/** The errors of RFC 6749, 5.2. */
const refusals = new Map<string, (flow: string, scope: string) => Told>([
	[
		'invalid_client',
		() => [
			'The bank does not accept Client ID or Client Secret (invalid_client)',
			'Check both, and that they belong to this environment. If they are right, the bank may ' +
				'want them in another way (change Authentication), or a client certificate.',
		],
	],
	[
		'invalid_scope',
		(_flow, scope) => [
			`The bank does not grant the scopes that were asked for (invalid_scope): ${scope}`,
			'Leave only those that the bank has opened to you.',
		],
	],
	[
		'unauthorized_client',
		(flow) => [
			`The bank does not allow this client the flow ${flow} (unauthorized_client)`,
			'Ask the bank to open it, or use the credential type for the flow that you have.',
		],
	],
	[
		'unsupported_grant_type',
		(flow) => [
			`The token endpoint does not know the flow ${flow} (unsupported_grant_type)`,
			'Check Access Token URL, and with the bank which flow you have.',
		],
	],
	[
		'invalid_grant',
		(flow) => refusedGrants.get(flow) ?? ['The bank does not grant a token (invalid_grant)', 'Ask the bank.'],
	],
]);

/** What the bank does not accept of what was to be exchanged for a token, by the flow. */
const refusedGrants = new Map<string, Told>([
	[
		'authorization_code',
		[
			'The bank does not accept Authorization Code (invalid_grant): it was used before, is too old, or belongs to another Redirect URI',
			'Get a new code from the bank and enter it, and Redirect URI exactly as it was when the code was asked for.',
		],
	],
	[
		'refresh_token',
		[
			'The bank does not accept the refresh token (invalid_grant): it was used before, was revoked, or is too old',
			'Get a new authorization code or refresh token from the bank and enter it.',
		],
	],
]);

function refusal(refused: Refused, grant: Grant, hide: Hide): CredentialFault {
	const { status, headers, body, text } = refused;
	const error = typeof body.error === 'string' ? body.error : undefined;
	const told = refusals.get(error ?? '')?.(grant.grant_type ?? '', grant.scope ?? 'none');
	if (told === undefined && status >= 300 && status < 400)
		return new CredentialFault(
			`The token endpoint redirects elsewhere (${status}${targetOf(headers, hide)})`,
			'Enter the final address in Access Token URL: the secret does not follow redirects.',
		);
	const code = error === undefined ? String(status) : `${status} ${quoted(error, hide)}`;
	const [what, next] = told ?? statusTold(status, code, text);
	const words = quoted(
		typeof body.error_description === 'string' ? body.error_description : error === undefined ? text : '',
		hide,
	);
	return new CredentialFault(what, words === '' ? next : `${next} The bank says: "${words}".`);
}

/** What may stand in front of a token endpoint, or in its place. */
function statusTold(status: number, code: string, text: string): Told {
	if (status === 404 || status === 405)
		return [`There is no token endpoint at this address (${code})`, 'Check Access Token URL.'];
	if (status === 429) return ['The bank has had too many token requests (429)', 'Wait and try again.'];
	if (status >= 500)
		return [
			`The token endpoint is out of order or not available (${code})`,
			'Try again later: nothing is known to be wrong with the credential.',
		];
	if (/certificate/i.test(text))
		return [
			`The token endpoint does not accept the client certificate, or demands one (${code})`,
			'Check that Client Certificate is switched on, and with the bank that yours is registered.',
		];
	return [
		`The token endpoint refused the request (${code})`,
		'Check Access Token URL, Client ID, Client Secret and Authentication.',
	];
}

/** Without the query, which may hold secrets. */
function targetOf({ location }: IDataObject, hide: Hide): string {
	return typeof location === 'string' && location !== '' ? ` to ${quoted(location.replace(/[?#].*/s, ''), hide)}` : '';
}
