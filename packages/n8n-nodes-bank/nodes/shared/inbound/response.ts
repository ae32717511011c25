import type { IWebhookFunctions } from 'n8n-workflow';

/**
 * Runs a callback when n8n or the workflow responds, which is after the execution has been stored. It also runs if the
 * caller has closed the connection. If the callback returns a status, that is sent instead.
 */
export function onResponse(
	context: IWebhookFunctions,
	callback: (status: number, text: string) => number | void,
): void {
	// Express declares each way to end a response separately; here they are all handled alike.
	const response = context.getResponseObject() as unknown as {
		statusCode: number;
		headersSent: boolean;
		end: (...args: unknown[]) => unknown;
	};
	const end = response.end;
	response.end = (...args: unknown[]) => {
		response.end = end;
		const [chunk] = args;
		const status = callback(
			response.statusCode,
			typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.toString() : '',
		);
		if (typeof status === 'number' && !response.headersSent) response.statusCode = status;
		return end.apply(response, args);
	};
}
