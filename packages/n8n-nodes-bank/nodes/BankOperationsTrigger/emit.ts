import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';

/** Items whose execution n8n could not store, by workflow and node. */
const unstored = new Map<string, INodeExecutionData[]>();

/**
 * Starts an execution with the items, and with those that n8n could not store before.
 *
 * n8n (2.41) does not wait until it has stored the execution of what `poll` returns: where its database is locked it only logs that, and
 * the items are gone, because the cursor has moved on. `__emit` does the same and tells how it ended.
 */
export function emit(context: IPollFunctions, items: readonly INodeExecutionData[]): void {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const all = distinct([...(unstored.get(key) ?? []), ...items]);
	unstored.delete(key);
	if (all.length === 0) return;
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	done.promise.catch((error: unknown) => {
		if (isStored(error)) return;
		unstored.set(key, distinct([...all, ...(unstored.get(key) ?? [])]));
		context.logger.warn(
			`n8n could not store the execution for ${all.length} events of "${context.getNode().name}". The next poll emits them again.`,
			{ workflowId: context.getWorkflow().id },
		);
	});
	context.__emit([all], undefined, done);
}

/** n8n also rejects when an execution that was stored is canceled, or has ended before n8n waits for it. */
function isStored(error: unknown): boolean {
	return error instanceof Error && /Execution(?:Cancelled|NotFound)Error$/.test(error.constructor.name);
}

function distinct(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	return [...new Map(items.map((item) => [item.json.eventId, item])).values()];
}
