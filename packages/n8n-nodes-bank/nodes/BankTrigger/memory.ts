import type { DesiredSubscription, Subscription, WebhookObject } from '@bank/core';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

/** The static data of the node, which n8n stores. */
interface Memory extends IDataObject {
	/** Whether a test run is listening, which changes nothing at the bank; nor may the `delete` that ends it. */
	testing?: boolean;
	subscription?: {
		id: string;
		object: WebhookObject;
		/** Absent if the subscription cannot be read. */
		before?: Previous & IDataObject;
		organizationIdHash?: string;
	};
}

/** The subscription before the trigger changed it. `callbackUri` is absent if it was this trigger's own URL. */
export type Previous = Pick<Subscription, 'enabled' | 'callbackUri' | 'data'>;

/**
 * An activation in progress. It is kept in the process and not in static data, which n8n may not save after a failed activation. n8n
 * activates, and cleans up after a failure, in one process.
 */
export interface Attempt {
	present?: Subscription;
	before?: Previous;
	/** Whether this activation may have changed the subscription at the bank. */
	changed: boolean;
}

export const attempts = new Map<string, Attempt>();

/** A failed activation after the first `delete`. n8n calls `delete` again, also when it publishes a workflow. */
export const undone: Attempt = { changed: false };

/** A node has one activation at a time, which is about one subscription. */
export function nodeKey(context: IHookFunctions): string {
	const target = ['id', 'object'].map((name) => String(context.getNodeParameter(name)));
	return [context.getWorkflow().id, context.getNode().id, ...target].join(' ');
}

export const memoryOf = (context: IHookFunctions) => context.getWorkflowStaticData('node') as Memory;
export const isTest = (context: IHookFunctions) => context.getActivationMode() === 'manual';

/** The stored data of this subscription; ignores data of a subscription that the node used before. */
export function rememberedOf(
	context: IHookFunctions,
	{ id, object }: Pick<DesiredSubscription, 'id' | 'object'>,
): Memory['subscription'] {
	const { subscription } = memoryOf(context);
	return subscription?.id === id && subscription.object === object ? subscription : undefined;
}
