import { splitList, textOf } from '@bank/core';
import { type InboundCheck } from '@bank/credentials';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IHookFunctions,
	INodeCredentialTestResult,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { RawBody } from './inboundBody.ts';
import { isSame, signatureFaults, signatureReason } from './inboundSignature.ts';
import { type Address, addressOf, isIn, networkOf, networksOf } from './ipAddresses.ts';

/**
 * Whether a call comes from whom it should. The API description shows no signing and no addresses (part 6, point 4), so the user
 * switches on what there is, in the credential type Bank Inbound API. Every check fails closed: without its settings, without
 * the header or with anything unreadable the call is refused.
 */

/** Why a call is refused, and how. The reason is for n8n's log only: it tells the caller nothing, and holds no secret. */
export interface Refusal {
	/**
	 * 401 the caller has not shown who it is, 403 it may not come from there, 413 it sends too much, 422 it sends what cannot be read,
	 * 503 nothing could be checked.
	 */
	status: 401 | 403 | 413 | 422 | 503;
	reason: string;
}

/** A call as far as the checks look at it. */
export interface InboundCall {
	/** As Node gives them: names in lower case. */
	headers: Record<string, string | string[] | undefined>;
	/** The body, byte for byte. */
	rawBody: Buffer | undefined;
	/** The last part of the path, where the address has such a part. */
	pathSecret: string | undefined;
	/** Who opened the connection. */
	socketAddress: string | undefined;
	/** Who called, as n8n sees it (N8N_PROXY_HOPS). */
	callerAddress: string | undefined;
}

export type InboundSettings = ICredentialDataDecryptedObject;

/** The first check that does not pass; undefined when all that are on have passed. */
export function refusalOf(settings: InboundSettings, call: InboundCall): Refusal | undefined {
	const on = checksOf(settings);
	const [missing] = missingSettings(settings);
	if (missing !== undefined) return { status: 503, reason: `the credential is incomplete: ${missing}` };
	for (const check of cheapestFirst) {
		const reason = on.has(check) ? checks[check](settings, call) : undefined;
		if (reason !== undefined) return { status: check === 'address' || check === 'certificate' ? 403 : 401, reason };
	}
	return undefined;
}

/** What a person has still to fill in or to correct. */
export function missingSettings(settings: InboundSettings): string[] {
	const on = checksOf(settings);
	const missing: string[] = [];
	if (on.size === 0) missing.push('no check is chosen, so everybody would be refused');
	for (const check of on) {
		if (!Object.hasOwn(required, check)) missing.push(`the check "${check}" is not known`);
		else
			for (const [name, label] of Object.entries(required[check as InboundCheck]))
				if (textOf(settings[name]) === '') missing.push(`${label} is empty`);
	}
	if (on.has('path') && !/^([\w-]{16,})?$/.test(textOf(settings.pathSecret)))
		missing.push('Path Secret must be at least 16 letters, digits, hyphens or underscores');
	if (on.has('signature')) missing.push(...signatureFaults(settings));
	if (on.has('address')) missing.push(...networkFaults('Allowed Addresses', settings.allowedAddresses));
	if (on.has('address') || on.has('certificate'))
		missing.push(...networkFaults('Trusted Proxies', settings.trustedProxies));
	return missing;
}

/** The secret with which the address must end, if it must. */
export function pathSecretOf(settings: InboundSettings): string | undefined {
	return checksOf(settings).has('path') ? textOf(settings.pathSecret) : undefined;
}

const required: Record<InboundCheck, Record<string, string>> = {
	address: { allowedAddresses: 'Allowed Addresses' },
	certificate: {
		certificateHeader: 'Certificate Header',
		certificateValue: 'Certificate Value',
		trustedProxies: 'Trusted Proxies',
	},
	header: { headerName: 'Header Name', headerSecret: 'Header Secret' },
	path: { pathSecret: 'Path Secret' },
	// Has rules of its own.
	signature: {},
};

const cheapestFirst: readonly InboundCheck[] = ['path', 'header', 'address', 'certificate', 'signature'];

/** Each says why the call is refused. */
const checks: Record<InboundCheck, (settings: InboundSettings, call: InboundCall) => string | undefined> = {
	path(settings, { pathSecret }) {
		if (pathSecret === undefined || pathSecret === '') return 'the address called does not end in the path secret';
		return isSame(pathSecret, textOf(settings.pathSecret)) ? undefined : 'the path secret is another one';
	},

	header(settings, call) {
		const name = textOf(settings.headerName);
		const given = headerOf(call, name);
		if (given === undefined) return `the header ${name} is absent`;
		return isSame(given, textOf(settings.headerSecret)) ? undefined : `the header ${name} has another value`;
	},

	signature(settings, call) {
		return signatureReason(settings, (name) => headerOf(call, name), call.rawBody);
	},

	address(settings, call) {
		const caller = callerOf(settings, call);
		if (caller === undefined) return 'the address of the caller is not known';
		return isIn(caller, networksOf(settings.allowedAddresses))
			? undefined
			: `the address ${caller.toString()} is not among the allowed`;
	},

	certificate(settings, call) {
		// Anybody who reaches n8n past the proxy could send the header.
		const proxy = addressOf(call.socketAddress);
		if (proxy === undefined || !isIn(proxy, networksOf(settings.trustedProxies)))
			return `the call did not come through a trusted proxy but from ${proxy?.toString() ?? 'an unknown address'}`;
		const name = textOf(settings.certificateHeader);
		const given = headerOf(call, name);
		if (given === undefined) return `the header ${name} is absent`;
		return isSame(given, textOf(settings.certificateValue))
			? undefined
			: `the header ${name} names another certificate`;
	},
};

function checksOf({ checks: chosen }: InboundSettings): Set<string> {
	return new Set(Array.isArray(chosen) ? chosen.map(String) : []);
}

/** A header that came several times is no longer what one sender has said. */
function headerOf({ headers }: InboundCall, name: string): string | undefined {
	const value = headers[name.toLowerCase()];
	return textOf(value) || undefined;
}

function networkFaults(label: string, list: unknown): string[] {
	return splitList(list, 'identifier')
		.filter((part) => networkOf(part) === undefined)
		.map((part) => `${label}: "${part}" is neither an IP address nor a network`);
}

/**
 * Each proxy adds the address it was called from at the end of X-Forwarded-For, and anybody may send that header. So it is read
 * from its end, beginning at the connection, for as long as the addresses are those of trusted proxies.
 */
function callerOf(settings: InboundSettings, call: InboundCall): Address | undefined {
	const proxies = networksOf(settings.trustedProxies);
	if (proxies.length === 0) return addressOf(call.callerAddress);
	const forwarded = [call.headers['x-forwarded-for'] ?? []]
		.flat()
		.join(',')
		.split(',')
		.filter((part) => part.trim() !== '');
	let caller = addressOf(call.socketAddress);
	while (caller !== undefined && isIn(caller, proxies)) {
		const before = forwarded.pop();
		if (before === undefined) break;
		caller = addressOf(before);
	}
	return caller;
}

/**
 * Checks the call that `webhook()` is answering, with the credential of the node. Reads the credential once.
 * @param pathSecret the last part of the path, for nodes whose address may end in a secret
 */
export async function refusalOfCall(
	context: IWebhookFunctions,
	raw: RawBody,
	pathSecret: string | undefined,
): Promise<Refusal | undefined> {
	let settings: InboundSettings;
	try {
		settings = await context.getCredentials('bankInboundApi');
	} catch (error) {
		return { status: 503, reason: `the credential cannot be read (${(error as Error).message})` };
	}
	const request = context.getRequestObject();
	return refusalOf(settings, {
		headers: request.headers,
		rawBody: raw.ok ? raw.bytes : undefined,
		pathSecret,
		socketAddress: request.socket.remoteAddress,
		callerAddress: request.ip,
	});
}

/**
 * Calls back with what n8n, or the workflow, answers. Not when the connection closes: a caller who has hung up is
 * answered all the same, once the run is stored. What the callback resolves with is the status to answer with instead.
 */
export function whenAnswered(
	context: IWebhookFunctions,
	answered: (status: number, text: string) => number | void,
): void {
	// Express types every way to end a response by itself; here they all go the same way.
	const response = context.getResponseObject() as unknown as {
		statusCode: number;
		headersSent: boolean;
		end: (...args: unknown[]) => unknown;
	};
	const end = response.end;
	response.end = (...args: unknown[]) => {
		response.end = end;
		const [chunk] = args;
		const status = answered(
			response.statusCode,
			typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.toString() : '',
		);
		if (typeof status === 'number' && !response.headersSent) response.statusCode = status;
		return end.apply(response, args);
	};
}

/** At activation, where nothing tells the bank from anybody else. */
export function warnOfStrangers(context: IHookFunctions): void {
	const { name } = context.getNode();
	context.logger.warn(
		`"${name}" does not verify its sender: whoever knows its address can start the workflow. Switch Verify Sender on`,
		{ workflowId: context.getWorkflow().id, nodeName: name },
	);
}

/** Answers a refused call with a plain text that tells nothing, and writes the reason to n8n's log. The workflow does not run. */
export function refuse(context: IWebhookFunctions, { status, reason }: Refusal): void {
	const { name } = context.getNode();
	context.logger.warn(`"${name}" refused a delivery: ${reason}`, {
		workflowId: context.getWorkflow().id,
		nodeName: name,
	});
	const texts = {
		401: 'Unauthorized',
		403: 'Forbidden',
		413: 'Content Too Large',
		422: 'Unprocessable Entity',
		503: 'Service Unavailable',
	};
	context.getResponseObject().status(status).type('text/plain').send(texts[status]);
}

/** The credential's test button: there is nobody to call, so it looks whether the settings are whole. */
export function testInbound({ data }: ICredentialsDecrypted): INodeCredentialTestResult {
	// n8n also allows for what its own types hold, such as rows of a table; ours have texts and lists.
	const settings = (data ?? {}) as InboundSettings;
	const missing = missingSettings(settings);
	if (missing.length > 0) return { status: 'Error', message: `Not complete: ${missing.join('; ')}` };
	const count = checksOf(settings).size;
	return {
		status: 'OK',
		message:
			`The settings of ${count} ${count === 1 ? 'check' : 'checks'} are complete. ` +
			`Whether they fit what the bank sends shows with the first delivery`,
	};
}
