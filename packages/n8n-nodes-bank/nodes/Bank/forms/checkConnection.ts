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
	type Send,
	textOf,
} from '@bank/core';
import {
	baseUrlOf,
	refusesCertificate,
	shownCertificate,
	storedFault,
	type StoredToken,
	storedToken,
	testUrlOf,
	unprovenBy,
	wantedScopes,
} from '@bank/credentials';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Form, Line } from '../../shared/form.ts';
import { itemJson } from '../../shared/itemJson.ts';
import { checkTexts, failureText } from '../../shared/words.ts';

type Credential = ICredentialDataDecryptedObject;

/** The flows for which a type with a token is made. */
const flowOf: Readonly<Record<string, Operation['auth']>> = {
	bankAuthorizationCodeOAuth2Api: 'authorizationCode',
	bankClientCredentialsOAuth2Api: 'clientCredentials',
	bankHostToHostOAuth2Api: 'authorizationCode',
};

/** What came of the one request: nothing where the bank took it. */
interface Reply {
	failure?: FailureDetails;
	status?: number;
	/** How far our clock is ahead. */
	clockDifferenceSeconds?: number;
}

/** Looks at a credential and at the way to the bank. Whatever is wrong is told as an item, for flows that branch on it. */
export const checkConnection: Form<typeof operation> = {
	jobs: ({ itemCount }) => [{ items: Array.from({ length: itemCount }, (_, item) => item), input: {} }],
	async shown({ context }, job, _prepared, line) {
		const { credentialType } = line;
		const credential = await context.getCredentials(credentialType);
		const flow = flowOf[credentialType];
		const fault = storedFault(credential);
		const reply = fault === undefined ? await asked(line, credential) : {};
		const found =
			flow === undefined
				? withoutToken(credential, reply)
				: withToken(credential, storedToken(await context.getCredentials(credentialType)), flow, reply);
		const certificate = shownCertificate(credential);
		const problems = [
			...(fault === undefined ? [] : [fault.message]),
			...found.problems,
			...(fault === undefined && (certificate?.daysLeft ?? 0) < 0 ? [checkTexts.chainExpired] : []),
		];
		const { environment } = credential;
		const baseUrl = baseUrlOf(credential);
		return [
			{
				json: itemJson({
					ok: problems.length === 0,
					credential: credentialType,
					environment: textOf(environment),
					host: URL.canParse(baseUrl) ? new URL(baseUrl).host : '',
					token: found.token,
					tokenEndsAt: found.endsAt === undefined ? null : new Date(found.endsAt).toISOString(),
					scopes: found.scopes ?? null,
					missingScopes: found.missing ?? null,
					...(certificate === undefined ? {} : { certificate }),
					clockDifferenceSeconds: reply.clockDifferenceSeconds ?? null,
					untested: found.untested,
					problems,
				}),
				pairedItem: job.items.map((item) => ({ item })),
			},
		];
	},
};

interface Found {
	token: 'valid' | 'renewed' | 'refused' | 'missing' | 'untested' | 'none';
	endsAt?: number;
	scopes?: string[];
	missing?: string[];
	untested: string[];
	problems: string[];
}

/** One request, which is not repeated: what counts is how it is at this moment. */
async function asked({ credentialType, send }: Line, credential: Credential): Promise<Reply> {
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
	try {
		await call(...read, noting);
	} catch (error) {
		if (!isBankFailure(error)) throw error;
		reply.failure = error.details;
	}
	return reply;
}

/** As the test of these types judges; and where the bank is out of order, nothing works. */
function withoutToken(credential: Credential, { failure, status }: Reply): Found {
	const { httpStatus, words = '', kind } = failure ?? {};
	const isFine =
		failure === undefined ||
		(httpStatus !== undefined &&
			(kind === 'unreadable' ||
				(![401, 403].includes(httpStatus) && httpStatus < 500 && !refusesCertificate(httpStatus, words))));
	const unproven = status === undefined || !isFine ? undefined : unprovenBy(credential, status);
	return {
		token: 'none',
		untested: unproven === undefined ? [] : [checkTexts.unproven(unproven)],
		problems: isFine ? [] : [failureText(failure)],
	};
}

function withToken(credential: Credential, now: StoredToken, flow: Operation['auth'], reply: Reply): Found {
	const { failure, status } = reply;
	const wanted = wantedScopes(credential);
	const isScope = failure?.httpStatus === 403 && failure.code === 'insufficient_scope';
	const isKnown = failure?.httpStatus === 403 && (isScope || failure.code === 'access_denied');
	const isAccepted = status !== undefined && (failure === undefined || isKnown);
	const { scopes, endsAt } = isAccepted ? now : {};
	const [reading = ''] = [definitions.accountOperation.getMany.scope];
	const needed = operations.flatMap(({ auth, scope }) => (auth === flow && scope !== undefined ? [scope] : []));
	const missing =
		scopes === undefined
			? isScope && flow === 'authorizationCode'
				? [reading]
				: undefined
			: [...new Set([...wanted, ...needed])].filter((scope) => !scopes.includes(scope));
	const ungranted = scopes === undefined ? [] : wanted.filter((scope) => !scopes.includes(scope));
	// A refusal for want of a scope that nobody asked for proves the token.
	const isProblem = failure !== undefined && !(isScope && !(wanted.includes(reading) && ungranted.length === 0));
	return {
		token: isAccepted
			? now.accessToken === storedToken(credential).accessToken
				? 'valid'
				: 'renewed'
			: failure?.code === 'TOKEN'
				? 'missing'
				: failure?.httpStatus === 401
					? 'refused'
					: 'untested',
		...(endsAt === undefined ? {} : { endsAt }),
		...(scopes === undefined ? {} : { scopes }),
		...(missing === undefined ? {} : { missing }),
		untested: isAccepted && scopes === undefined ? [checkTexts.scopesUntold] : [],
		problems: [
			...(isProblem ? [failureText(failure)] : []),
			...(ungranted.length === 0 ? [] : [checkTexts.ungranted(ungranted)]),
		],
	};
}
