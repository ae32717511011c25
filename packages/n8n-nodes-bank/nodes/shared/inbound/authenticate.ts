import {
	type ICredentialsDecrypted,
	type IHookFunctions,
	type INodeCredentialTestResult,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import type { RawBody } from './body.ts';
import {
	type InboundRejection,
	type InboundSettings,
	pathSecretOf,
	rejectionOf,
	selectedChecks,
	settingsProblems,
} from './checks.ts';

/** @param pathSecret the last part of the path, for nodes whose URL may end with a secret */
export async function authenticate(
	context: IWebhookFunctions,
	raw: RawBody,
	pathSecret: string | undefined,
): Promise<InboundRejection | undefined> {
	let settings: InboundSettings;
	try {
		settings = await context.getCredentials('bankInboundApi');
	} catch (error) {
		return { status: 503, reason: `the credential cannot be read (${(error as Error).message})` };
	}
	const request = context.getRequestObject();
	return rejectionOf(settings, {
		headers: request.headers,
		rawBody: raw.ok ? raw.bytes : undefined,
		pathSecret,
		socketAddress: request.socket.remoteAddress,
		callerAddress: request.ip,
	});
}

/** Logs a warning that begins with the name of the node. */
export function warn(context: IHookFunctions | IWebhookFunctions, text: string): void {
	const { name } = context.getNode();
	context.logger.warn(`"${name}" ${text}`, { workflowId: context.getWorkflow().id, nodeName: name });
}

export function warnOfMissingAuthentication(context: IHookFunctions): void {
	const text =
		'does not authenticate requests: anyone who knows its URL can start the workflow. Turn on "Verify Sender"';
	warn(context, text);
}

/**
 * The secret that the URL must end with, if the credential has this check.
 * @throws NodeOperationError if the credential would reject every request
 */
export function requiredPathSecret(context: IHookFunctions, settings: InboundSettings): string | undefined {
	const problems = settingsProblems(settings);
	if (problems.length === 0) return pathSecretOf(settings);
	throw new NodeOperationError(context.getNode(), 'The credential Bank Triggers (Inbound) API is not complete', {
		description: `Open the credential: ${problems.join('; ')}.`,
	});
}

/** Responds without a reason, which is only logged. The workflow does not run. */
export function reject(context: IWebhookFunctions, { status, reason }: InboundRejection): void {
	warn(context, `refused a delivery: ${reason}`);
	context.getResponseObject().sendStatus(status);
}

/** Only validates the settings, because there is no server to call. */
export async function testInboundSettings({ data }: ICredentialsDecrypted): Promise<INodeCredentialTestResult> {
	// n8n's type also allows values that only its own credentials have; ours have only texts and lists.
	const settings = (data ?? {}) as InboundSettings;
	const problems = settingsProblems(settings);
	if (problems.length > 0) return { status: 'Error', message: `Not complete: ${problems.join('; ')}` };
	const count = selectedChecks(settings).size;
	return {
		status: 'OK',
		message:
			`The settings of ${count} ${count === 1 ? 'check' : 'checks'} are complete. ` +
			`The first delivery shows whether they match what the bank sends.`,
	};
}
