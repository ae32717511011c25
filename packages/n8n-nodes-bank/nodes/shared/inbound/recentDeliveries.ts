import { Deduplicator } from '@bank/core';
import type { IWebhookFunctions } from 'n8n-workflow';

/**
 * What a node has received recently, by workflow and node. A bank that repeats a delivery usually does so within minutes, and usually
 * reaches the same process of n8n: such a repeat needs no execution. Event: Skip Repeats drops the others.
 */
const byNode = new Map<string, Deduplicator>();

/** The deduplicator of the node; undefined while testing, when users send the same event repeatedly. */
export function deduplicatorOf(context: IWebhookFunctions): Deduplicator | undefined {
	if (context.getMode() === 'manual') return undefined;
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const deduplicator = byNode.get(key) ?? new Deduplicator();
	byNode.set(key, deduplicator);
	return deduplicator;
}
