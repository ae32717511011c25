import {
	call,
	checkConnection as operation,
	definitions,
	type FailureDetails,
	headerOf,
	isBankFailure,
	type Operation,
	prepare,
	type PreparedRequest,
	readiness,
	type Send,
	textOf,
} from '@bank/core';
import {
	baseUrlOf,
	isCertificateRejected,
	credentialErrorOf,
	describeCertificate,
	serviceDetailsOf,
	validateServiceDetails,
	validateCredential,
	validatePaymentSettings,
	type StoredToken,
	storedToken,
	testUrlOf,
	untestedPart,
	requestedScopes,
	scopesOf,
} from '@bank/credentials';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { choiceByType } from '../../shared/base/authentication.ts';
import { credentialOf } from '../../shared/http/credential.ts';
import { bindHooks, type BankAccess } from '../../shared/pipeline/operationHooks.ts';
import { itemJson } from '../../shared/form/itemJson.ts';
import { checkTexts, failureText } from '../../shared/base/messages.ts';
import { showHint } from '../../shared/form/run.ts';

type Credential = ICredentialDataDecryptedObject;

function authOf(credentialType: string): Operation['auth'] {
	const choice = choiceByType.get(credentialType) ?? 'notShown';
	return choice === 'hostToHost' ? 'authorizationCode' : choice;
}

const hasToken = (auth: Operation['auth']): boolean => auth === 'authorizationCode' || auth === 'clientCredentials';

interface Reply {
	/** Absent if the bank accepted the request. */
	failure?: FailureDetails;
	status?: number;
	/** Seconds by which the local clock is ahead of the bank's. */
	clockDifferenceSeconds?: number;
}

interface CheckOutcome {
	token: 'valid' | 'renewed' | 'refused' | 'missing' | 'untested' | 'none';
	endsAt?: number;
	scopes?: string[];
	missing?: string[];
	untested: string[];
	problems: string[];
}

/** Checks a credential and the connection to the bank. Returns each problem as an item, for workflows that branch on it. */
export const checkConnection = bindHooks(operation, {
	jobs: ({ itemCount }) => [{ items: Array.from({ length: itemCount }, (_, item) => item), input: {} }],
	async previewItems({ context }, job, _prepared, bank) {
		const { credentialType } = bank;
		const auth = authOf(credentialType);
		const stored = await credentialOf(context, credentialType);
		const certificate = describeCertificate(stored);
		const invalidDetails = credentialErrorOf(() => validateServiceDetails(stored));
		const invalidPayments = credentialErrorOf(() => validatePaymentSettings(stored));
		const invalid = credentialErrorOf(() => validateCredential(stored));
		const reply = invalid === undefined ? await sendTestRequest(bank, stored, auth) : {};
		const outcome: CheckOutcome =
			invalid !== undefined
				? { token: hasToken(auth) ? 'untested' : 'none', untested: [], problems: [invalid.message] }
				: hasToken(auth)
					? withToken(stored, storedToken(await context.getCredentials(credentialType)), auth, reply)
					: withoutToken(stored, reply);
		const isChainExpired = invalid === undefined && (certificate?.daysLeft ?? 0) < 0;
		const problems = [
			...[invalidDetails, invalidPayments].flatMap((error) => error?.message ?? []),
			...outcome.problems,
			...(isChainExpired ? [checkTexts.chainExpired] : []),
		];
		const baseUrl = baseUrlOf(stored);
		const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
		const [problem, ...others] = problems;
		const more = others.length > 0 ? ` (and ${others.length} more)` : '';
		// The editor shows `success` in green, but n8n's type definitions lack it.
		if (problem === undefined) showHint({ context }, 'success' as 'info', `The connection to ${host} works.`);
		// The connection itself may work, for example if only a scope is missing.
		else showHint({ context }, 'danger', `The check found a problem: ${problem}${more}`);
		const details = invalidDetails === undefined ? serviceDetailsOf(stored) : {};
		return [
			{
				json: itemJson({
					ok: problems.length === 0,
					credential: credentialType,
					environment: textOf(stored.environment),
					host,
					token: outcome.token,
					tokenEndsAt: outcome.endsAt === undefined ? null : new Date(outcome.endsAt).toISOString(),
					scopes: outcome.scopes ?? null,
					missingScopes: outcome.missing ?? null,
					...(certificate === undefined ? {} : { certificate }),
					clockDifferenceSeconds: reply.clockDifferenceSeconds ?? null,
					untested: outcome.untested,
					// Operations that the API description assigns to this way to authenticate, or to none.
					serviceDetails: readiness(details, [auth, 'notShown'], hasToken(auth)),
					problems,
				}),
				pairedItem: job.items.map((item) => ({ item })),
			},
		];
	},
});

/** Sends one request without retries, so that the result shows the current state. */
async function sendTestRequest({ send }: BankAccess, credential: Credential, auth: Operation['auth']): Promise<Reply> {
	const reply: Reply = {};
	const sendAndNote: Send = async (request) => {
		const response = await send(request);
		if (!('status' in response)) return response;
		reply.status = response.status;
		const theirs = Date.parse(textOf(headerOf(response.headers, 'date')));
		if (!Number.isNaN(theirs)) reply.clockDifferenceSeconds = Math.round((Date.now() - theirs) / 1000);
		return response;
	};
	const { getMany } = definitions.accountOperation;
	const { id, action } = operation;
	const read: [Operation, PreparedRequest] = hasToken(auth)
		? [{ ...getMany, id, action }, prepare(getMany, { query: { limit: 1 } })]
		: [
				{ ...operation, effect: 'read' },
				{ ...prepare(operation, {}), url: testUrlOf(credential) },
			];
	const failure = await call(...read, sendAndNote).then(
		() => undefined,
		(error: unknown) => {
			if (isBankFailure(error)) return error.details;
			throw error;
		},
	);
	return failure === undefined ? reply : { ...reply, failure };
}

/**
 * The outcome for types without a token, judged as in their credential test. If the bank is unavailable, the check
 * fails.
 */
function withoutToken(credential: Credential, { failure, status }: Reply): CheckOutcome {
	const { httpStatus, words = '', kind } = failure ?? {};
	const isFine =
		failure === undefined ||
		(httpStatus !== undefined &&
			(kind === 'unreadable' ||
				(![401, 403].includes(httpStatus) && httpStatus < 500 && !isCertificateRejected(httpStatus, words))));
	const unproven = status === undefined || !isFine ? undefined : untestedPart(credential, status);
	return {
		token: 'none',
		untested: unproven === undefined ? [] : [checkTexts.unproven(unproven)],
		problems: isFine ? [] : [failureText(failure)],
	};
}

function withToken(before: Credential, now: StoredToken, auth: Operation['auth'], { failure }: Reply): CheckOutcome {
	const reading = definitions.accountOperation.getMany.scope ?? '';
	const refused = failure?.httpStatus === 403 ? failure.code : undefined;
	const isForScope = refused === 'insufficient_scope';
	const isAccepted = failure === undefined || isForScope || refused === 'access_denied';
	const { scopes, endsAt } = isAccepted ? now : {};
	const wanted = requestedScopes(before);
	const without = (all: readonly string[]) => [...new Set(all)].filter((scope) => scopes?.includes(scope) === false);
	const ungranted = without(wanted);
	const missing = without([...wanted, ...scopesOf(auth)]);
	// A rejection for a scope that was not requested proves that the token is valid. Scopes that were requested but not
	// granted have their own message.
	const isExpected = isForScope && (!wanted.includes(reading) || ungranted.length > 0);
	return {
		token: isAccepted
			? storedToken(before).accessToken === now.accessToken
				? 'valid'
				: 'renewed'
			: tokenAfter(failure),
		endsAt,
		...(scopes === undefined ? {} : { scopes, missing }),
		...(scopes === undefined && isForScope && auth === 'authorizationCode' ? { missing: [reading] } : {}),
		untested: isAccepted && scopes === undefined ? [checkTexts.scopesUntold] : [],
		problems: [
			...(failure === undefined || isExpected ? [] : [failureText(failure)]),
			...(ungranted.length === 0 ? [] : [checkTexts.ungranted(ungranted)]),
		],
	};
}

function tokenAfter({ code, httpStatus }: FailureDetails): CheckOutcome['token'] {
	if (code === 'TOKEN') return 'missing';
	return httpStatus === 401 ? 'refused' : 'untested';
}
