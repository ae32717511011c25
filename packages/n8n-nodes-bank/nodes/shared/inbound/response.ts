import { type IWebhookFunctions, sleep } from 'n8n-workflow';

/**
 * How long repeats of a delivery wait for a response after the bank has closed the connection. A worker that is only slow responds in
 * this time: without the wait, a bank that gives up early would start an execution with each repeat, and make a busy n8n slower still.
 */
const slowWorkerMs = 60_000;

/**
 * Runs a callback when n8n or the workflow responds, which is after the execution has been stored. It also runs if the
 * caller has closed the connection. If the callback returns a status, that is sent instead.
 * @param onLost runs if the response is still missing a while after the caller has closed the connection: where the workflow responds, a
 * worker that was killed never does
 */
export function onResponse(
	context: IWebhookFunctions,
	callback: (status: number, text: string) => number | void,
	onLost?: () => void,
): void {
	// Express declares each way to end a response separately; here they are all handled alike.
	const response = context.getResponseObject() as unknown as {
		closed: boolean;
		once: (event: 'close', listener: () => void) => void;
		statusCode: number;
		headersSent: boolean;
		end: (...args: unknown[]) => unknown;
	};
	let isOver = false;
	const end = response.end;
	response.end = (...args: unknown[]) => {
		response.end = end;
		isOver = true;
		const [chunk] = args;
		const status = callback(
			response.statusCode,
			typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.toString() : '',
		);
		if (typeof status === 'number' && !response.headersSent) response.statusCode = status;
		return end.apply(response, args);
	};
	if (onLost === undefined) return;
	const wait = () => {
		if (isOver) return;
		void sleep(slowWorkerMs).then(() => {
			if (!isOver) onLost();
		});
	};
	if (response.closed) wait();
	else response.once('close', wait);
}
