import type { IWebhookFunctions } from 'n8n-workflow';

/**
 * Calls back with the response of n8n or of the workflow, which is also sent where the caller has closed the connection, once the run is
 * stored. What the callback returns is the status to send instead.
 */
export function onResponse(
	context: IWebhookFunctions,
	callback: (status: number, text: string) => number | void,
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
		const status = callback(
			response.statusCode,
			typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.toString() : '',
		);
		if (typeof status === 'number' && !response.headersSent) response.statusCode = status;
		return end.apply(response, args);
	};
}
