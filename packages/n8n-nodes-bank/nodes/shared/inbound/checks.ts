import { isHeaderName, splitList, textOf } from '@bank/core';
import { forms, type InboundCheck, lineOf, unreadableSwitch } from '@bank/credentials';
import { type ICredentialDataDecryptedObject, NodeHelpers } from 'n8n-workflow';

import { isInRanges, parseAddress, parseAddressRange, parseAddressRanges } from './addressRanges.ts';
import { equalsInConstantTime, signatureProblems, signatureMismatch } from './signature.ts';

/**
 * The API description shows neither a signature nor the bank's addresses (part 6, point 4), so the user selects the
 * checks. Every check fails closed: if its settings or the header are missing or unreadable, the request is rejected.
 */

/** The reason is written to n8n's log only; it is not sent to the caller and contains no secret. */
export interface InboundRejection {
	/**
	 * 401: not authenticated. 403: address or certificate not allowed. 413: body too large. 422: body cannot be read.
	 * 503: credential cannot be used.
	 */
	status: 401 | 403 | 413 | 422 | 503;
	reason: string;
}

export interface InboundRequest {
	/** The headers, with names in lower case, as in Node. */
	headers: Record<string, string | string[] | undefined>;
	rawBody: Buffer | undefined;
	/** The last part of the path, if the URL has a secret. */
	pathSecret: string | undefined;
	/** IP address that opened the connection. */
	socketAddress: string | undefined;
	/** IP address of the caller, as n8n sees it (N8N_PROXY_HOPS). */
	callerAddress: string | undefined;
}

export type InboundSettings = ICredentialDataDecryptedObject;

/** The result of the first check that fails; undefined if all selected checks pass. */
export function rejectionOf(settings: InboundSettings, request: InboundRequest): InboundRejection | undefined {
	const selected = selectedChecks(settings);
	const [problem] = settingsProblems(settings);
	if (problem !== undefined) return { status: 503, reason: `the credential is incomplete: ${problem}` };
	for (const check of cheapestFirst) {
		const reason = selected.has(check) ? checks[check](settings, request) : undefined;
		if (reason !== undefined) return { status: check === 'address' || check === 'certificate' ? 403 : 401, reason };
	}
	return undefined;
}

/** Settings that are missing or invalid, as texts for the user. */
export function settingsProblems(settings: InboundSettings): string[] {
	const selected = selectedChecks(settings);
	const unreadable = unreadableSwitch(settings);
	const problems = fieldProblems(settings);
	if (unreadable !== undefined) problems.push(unreadable);
	if (selected.size === 0) problems.push('no check is selected, so every request would be rejected');
	for (const check of selected) if (!Object.hasOwn(checks, check)) problems.push(`the check "${check}" is not known`);
	if (selected.has('certificate') && lineOf(settings.trustedProxies) === '') problems.push('Trusted Proxies is empty');
	if (selected.has('path') && !/^([\w-]{16,})?$/.test(lineOf(settings.pathSecret)))
		problems.push('Path Secret must be at least 16 letters, digits, hyphens or underscores');
	if (selected.has('signature')) problems.push(...signatureProblems(settings));
	if (selected.has('address')) problems.push(...rangeProblems('Allowed Addresses', settings.allowedAddresses));
	if (selected.has('address') || selected.has('certificate'))
		problems.push(...rangeProblems('Trusted Proxies', settings.trustedProxies));
	return problems;
}

/** The secret that the URL must end with, if the check is selected. */
export function pathSecretOf(settings: InboundSettings): string | undefined {
	return selectedChecks(settings).has('path') ? lineOf(settings.pathSecret) : undefined;
}

const fieldProblems = (settings: InboundSettings): string[] =>
	forms.bankInboundApi
		.filter((field) => NodeHelpers.displayParameter(settings, field, null, null))
		.flatMap(({ name, displayName, required, default: initial }) => {
			const value = lineOf(settings[name] ?? initial);
			if (value === '') return required === true ? [`${displayName} is empty`] : [];
			const isHeader = name === 'headerName' || name.endsWith('Header');
			return isHeader && !isHeaderName(value) ? [`${displayName} is not the name of a header: ${value}`] : [];
		});

const cheapestFirst: readonly InboundCheck[] = ['path', 'header', 'address', 'certificate', 'signature'];

/** Each check returns the reason for a rejection, or undefined if it passes. */
const checks: Record<InboundCheck, (settings: InboundSettings, request: InboundRequest) => string | undefined> = {
	path(settings, { pathSecret }) {
		if (pathSecret === undefined || pathSecret === '') return 'the URL does not end with the path secret';
		return equalsInConstantTime(pathSecret, lineOf(settings.pathSecret)) ? undefined : 'the path secret is wrong';
	},

	header(settings, request) {
		const name = lineOf(settings.headerName);
		const given = headerOf(request, name);
		if (given === undefined) return `the header ${name} is missing`;
		return equalsInConstantTime(given, lineOf(settings.headerSecret))
			? undefined
			: `the header ${name} has the wrong value`;
	},

	signature(settings, request) {
		return signatureMismatch(settings, (name) => headerOf(request, name), request.rawBody);
	},

	address(settings, request) {
		const caller = callerOf(settings, request);
		const address = parseAddress(caller);
		if (address === undefined) return 'the IP address of the caller is unknown';
		return isInRanges(address, parseAddressRanges(settings.allowedAddresses))
			? undefined
			: `the IP address ${textOf(caller)} is not allowed`;
	},

	certificate(settings, request) {
		// A caller that bypasses the proxy could send the header itself.
		const proxy = parseAddress(request.socketAddress);
		if (proxy === undefined || !isInRanges(proxy, parseAddressRanges(settings.trustedProxies)))
			return `the request came from ${request.socketAddress ?? 'an unknown address'}, which is not a trusted proxy`;
		const name = lineOf(settings.certificateHeader);
		const given = headerOf(request, name);
		if (given === undefined) return `the header ${name} is missing`;
		return equalsInConstantTime(given, lineOf(settings.certificateValue))
			? undefined
			: `the header ${name} names a different certificate`;
	},
};

export function selectedChecks({ checks: chosen }: InboundSettings): Set<string> {
	return new Set(Array.isArray(chosen) ? chosen.map(String) : []);
}

/** The value of a header; undefined if the header occurs more than once: its values may come from different senders. */
function headerOf({ headers }: InboundRequest, name: string): string | undefined {
	const value = headers[name.toLowerCase()];
	return textOf(value) || undefined;
}

function rangeProblems(label: string, list: unknown): string[] {
	return splitList(list, 'identifier')
		.filter((part) => parseAddressRange(part) === undefined)
		.map((part) => `${label}: "${part}" is neither an IP address nor a range such as 192.0.2.0/24`);
}

/**
 * Each proxy appends the address of its caller to X-Forwarded-For, and a caller can send that header itself. So the
 * header is read from its end, for as long as the addresses belong to trusted proxies.
 */
function callerOf(settings: InboundSettings, request: InboundRequest): string | undefined {
	const proxies = parseAddressRanges(settings.trustedProxies);
	if (proxies.length === 0) return request.callerAddress;
	const isProxy = (text: string | undefined) => {
		const address = parseAddress(text);
		return address !== undefined && isInRanges(address, proxies);
	};
	const forwarded = [request.headers['x-forwarded-for'] ?? []]
		.flat()
		.join(',')
		.split(',')
		.filter((part) => part.trim() !== '');
	let caller = request.socketAddress;
	while (isProxy(caller) && forwarded.length > 0) caller = forwarded.pop();
	return caller;
}
