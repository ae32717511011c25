import type { DesiredSubscription, Subscription, WebhookObject } from '@bank/core';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

/** The static data of the node, which n8n stores. */
interface Memory extends IDataObject {
	/**
	 * Whether a test run is listening. A test changes nothing at the bank, and the `delete` that ends it must not
	 * either.
	 */
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
 * Nodes whose last activation failed; the value says whether the next `delete` has nothing to do. n8n calls `delete`
 * after each failure, and again when the workflow is published or unpublished. Kept in the process, because n8n may
 * pass other static data to that call.
 */
export const failedActivations = new Map<string, boolean>();

export const nodeKey = (context: IHookFunctions) => `${context.getWorkflow().id} ${context.getNode().id}`;

export const memoryOf = (context: IHookFunctions) => context.getWorkflowStaticData('node') as Memory;
export const isTest = (context: IHookFunctions) => context.getActivationMode() === 'manual';

/** Whether n8n starts or another main process takes over, as opposed to a person who publishes the workflow. */
export const isStart = (context: IHookFunctions) => ['init', 'leadershipChange'].includes(context.getActivationMode());

/** The stored data of this subscription; ignores data of a subscription that the node used before. */
export function storedSubscription(
	context: IHookFunctions,
	{ id, object }: Pick<DesiredSubscription, 'id' | 'object'>,
): Memory['subscription'] {
	const { subscription } = memoryOf(context);
	return subscription?.id === id && subscription.object === object ? subscription : undefined;
}
