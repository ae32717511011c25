import {
	call,
	checkConnection as operation,
	definitions,
	type FailureDetails,
	headerOf,
	isBankFailure,
	type Operation,
	operations,
	prepare,
	type PreparedRequest,
	readiness,
	type Send,
	type ServiceDetails,
	textOf,
} from '@bank/core';
import {
	baseUrlOf,
	isCertificateRejected,
	describeCertificate,
	serviceDetailsOf,
	validateServiceDetails,
	validateCredential,
	type StoredToken,
	storedToken,
	testUrlOf,
	untestedPart,
	requestedScopes,
} from '@bank/credentials';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { credentialOf } from '../../shared/http/credential.ts';
import type { OperationHooks, BankAccess } from '../../shared/form/operationHooks.ts';
import { itemJson } from '../../shared/form/itemJson.ts';
import { checkTexts, failureText } from '../../shared/messages.ts';

type Credential = ICredentialDataDecryptedObject;

/** OAuth flow of each credential type that has a token. */
const flowOf: Readonly<Record<string, Operation['auth']>> = {
	bankAuthorizationCodeOAuth2Api: 'authorizationCode',
	bankClientCredentialsOAuth2Api: 'clientCredentials',
	bankHostToHostOAuth2Api: 'authorizationCode',
};

/** The result of the one request. `failure` is absent if the bank accepted it. */
interface Reply {
	failure?: FailureDetails;
	status?: number;
	/** Seconds by which the local clock is ahead of the bank's. */
	clockDifferenceSeconds?: number;
}

/** Checks a credential and the connection to the bank. Returns each problem as an item, for workflows that branch on it. */
export const checkConnection: OperationHooks<typeof operation> = {
	jobs: ({ itemCount }) => [{ items: Array.from({ length: itemCount }, (_, item) => item), input: {} }],
	async previewItems({ context }, job, _prepared, line) {
		const { credentialType: credential } = line;
		const stored = await credentialOf(context, credential);
		const read = async () => await context.getCredentials(credential);
		const certificate = describeCertificate(stored);
		const found = await looked(line, stored, read);
		const details = detailsIn(stored);
		const problems = [
			...details.problems,
			...found.problems,
			...(found.isAsked && isOver(certificate) ? [checkTexts.chainExpired] : []),
		];
		const baseUrl = baseUrlOf(stored);
		const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
		const [problem, ...others] = problems;
		context.addExecutionHints?.({
			message:
				problem === undefined
					? `The connection to ${host} works.`
					: `The connection does not work: ${problem}${others.length > 0 ? ` (and ${others.length} more)` : ''}`,
			// The editor shows this type in green, but n8n's type definitions lack it.
			type: problem === undefined ? ('success' as 'info') : 'danger',
			location: 'outputPane',
		});
		return [
			{
				json: itemJson({
					ok: problems.length === 0,
					credential,
					environment: textOf(stored.environment),
					host,
					token: found.token,
					tokenEndsAt: found.endsAt === undefined ? null : new Date(found.endsAt).toISOString(),
					scopes: found.scopes ?? null,
					missingScopes: found.missing ?? null,
					...(certificate === undefined ? {} : { certificate }),
					clockDifferenceSeconds: found.clockDifferenceSeconds ?? null,
					untested: found.untested,
					serviceDetails: readinessOf(details.details, credential),
					problems,
				}),
				pairedItem: job.items.map((item) => ({ item })),
			},
		];
	},
};

/** The service details, or the reason why they cannot be used. */
function detailsIn(credential: Credential): { details: ServiceDetails; problems: string[] } {
	const error = validateServiceDetails(credential);
	return error === undefined
		? { details: serviceDetailsOf(credential), problems: [] }
		: { details: {}, problems: [error.message] };
}

/** The operations of partner services that the API description assigns to this credential type, or to none. */
function readinessOf(details: ServiceDetails, credentialType: string) {
	const own = { bankGatewayApi: 'gateway', bankMutualTlsApi: 'mutualTls' } as const;
	const auth = Object.entries(own).find(([type]) => type === credentialType)?.[1];
	return readiness(
		details,
		auth === undefined ? ['notShown'] : [auth, 'notShown'],
		flowOf[credentialType] !== undefined,
	);
}

const isOver = (certificate: { daysLeft: number } | undefined): boolean => (certificate?.daysLeft ?? 0) < 0;

interface Found {
	token: 'valid' | 'renewed' | 'refused' | 'missing' | 'untested' | 'none';
	endsAt?: number;
	scopes?: string[];
	missing?: string[];
	untested: string[];
	problems: string[];
}

async function looked(
	line: BankAccess,
	stored: Credential,
	read: () => Promise<Credential>,
): Promise<Found & Pick<Reply, 'clockDifferenceSeconds'> & { isAsked: boolean }> {
	const flow = flowOf[line.credentialType];
	const fault = validateCredential(stored);
	if (fault !== undefined)
		return {
			token: flow === undefined ? 'none' : 'untested',
			untested: [],
			problems: [fault.message],
			isAsked: false,
		};
	const reply = await asked(line, stored);
	const { clockDifferenceSeconds } = reply;
	const found =
		flow === undefined ? withoutToken(stored, reply) : withToken(stored, storedToken(await read()), flow, reply);
	return { ...found, isAsked: true, clockDifferenceSeconds };
}

/** Sends one request without retries, so that the result shows the current state. */
async function asked({ credentialType, send }: BankAccess, credential: Credential): Promise<Reply> {
	const reply: Reply = {};
	const noting: Send = async (request) => {
		const answer = await send(request);
		if (!('status' in answer)) return answer;
		reply.status = answer.status;
		const theirs = Date.parse(textOf(headerOf(answer.headers, 'date')));
		if (!Number.isNaN(theirs)) reply.clockDifferenceSeconds = Math.round((Date.now() - theirs) / 1000);
		return answer;
	};
	const { getMany } = definitions.accountOperation;
	const { id, action } = operation;
	const read: [Operation, PreparedRequest] =
		flowOf[credentialType] === undefined
			? [
					{ ...operation, effect: 'read' },
					{ ...prepare(operation, {}), url: testUrlOf(credential) },
				]
			: [{ ...getMany, id, action }, prepare(getMany, { query: { limit: 1 } })];
	const failure = await call(...read, noting).then(
		() => undefined,
		(error: unknown) => {
			if (isBankFailure(error)) return error.details;
			throw error;
		},
	);
	return failure === undefined ? reply : { ...reply, failure };
}

/** Judges like the credential test of these types. If the bank is unavailable, the check fails. */
function withoutToken(credential: Credential, { failure, status }: Reply): Found {
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

function withToken(before: Credential, now: StoredToken, flow: Operation['auth'], { failure }: Reply): Found {
	const reading = definitions.accountOperation.getMany.scope ?? '';
	const refused = failure?.httpStatus === 403 ? failure.code : undefined;
	const isForScope = refused === 'insufficient_scope';
	const isAccepted = failure === undefined || isForScope || refused === 'access_denied';
	const { scopes, endsAt } = isAccepted ? now : {};
	const wanted = requestedScopes(before);
	const without = (all: readonly string[]) => [...new Set(all)].filter((scope) => scopes?.includes(scope) === false);
	const ungranted = without(wanted);
	const missing = without([...wanted, ...scopesOf(flow)]);
	// A rejection for a scope that was not requested proves that the token is valid. Scopes that were requested but not
	// granted have their own message.
	const isExpected = isForScope && (!wanted.includes(reading) || ungranted.length > 0);
	return {
		token: isAccepted ? acceptedToken(storedToken(before), now) : otherToken(failure),
		endsAt,
		...(scopes === undefined ? {} : { scopes, missing }),
		...(scopes === undefined && isForScope && flow === 'authorizationCode' ? { missing: [reading] } : {}),
		untested: isAccepted && scopes === undefined ? [checkTexts.scopesUntold] : [],
		problems: [
			...(failure === undefined || isExpected ? [] : [failureText(failure)]),
			...(ungranted.length === 0 ? [] : [checkTexts.ungranted(ungranted)]),
		],
	};
}

const scopesOf = (flow: Operation['auth']): string[] =>
	operations.flatMap(({ auth, scope }) => (auth === flow && scope !== undefined ? [scope] : []));

const acceptedToken = (before: StoredToken, now: StoredToken) =>
	before.accessToken === now.accessToken ? 'valid' : 'renewed';

function otherToken({ code, httpStatus }: FailureDetails): Found['token'] {
	if (code === 'TOKEN') return 'missing';
	return httpStatus === 401 ? 'refused' : 'untested';
}
