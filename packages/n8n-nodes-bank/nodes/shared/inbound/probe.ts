import type { IHookFunctions, IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/**
 * Answers GET and HEAD requests, with which a bank checks that `callbackUri` is accessible (P10). The response has no content and
 * does not depend on secrets, so it tells nothing about the trigger. n8n itself answers OPTIONS.
 * @returns undefined for a delivery
 */
export function respondToProbe(context: IWebhookFunctions): IWebhookResponseData | undefined {
	const { method } = context.getRequestObject();
	if (method !== 'GET' && method !== 'HEAD') return undefined;
	context.getResponseObject().status(200).end();
	return { noWebhookResponse: true };
}

/**
 * Lets a webhook accept probes as well. "setup" is n8n's name for a second webhook, which has `webhookMethods` of its own. Must come
 * before the webhook "default": n8n registers webhooks in this order, and the bank may probe while `create` runs.
 */
export const probesOf = (webhook: IWebhookDescription) =>
	({ ...webhook, name: 'setup', httpMethod: 'GET,HEAD', ndvHideUrl: true }) satisfies IWebhookDescription;

/** Seconds are enough: n8n calls itself. */
const timeout = 5000;

/** What n8n, or a proxy in front of it, answers to a probe of a webhook URL. */
export async function probe(context: IHookFunctions, url: string): Promise<{ isAnswered: boolean; text: string }> {
	try {
		const response: unknown = await context.helpers.httpRequest({
			method: 'GET',
			url,
			timeout,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		const { statusCode } = response as { statusCode: number };
		return { isAnswered: statusCode >= 200 && statusCode < 300, text: `status ${statusCode}` };
	} catch (error) {
		return { isAnswered: false, text: `no response (${(error as Error).message.slice(0, 80)})` };
	}
}
