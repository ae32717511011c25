import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';

/** Items of executions that n8n could not store, by workflow and node. */
const unstored = new Map<string, INodeExecutionData[]>();

/**
 * Starts an execution with the items, and with those of earlier executions that n8n could not store. It calls n8n's
 * `__emit`, which reports whether the execution was stored. If `poll` returned the items instead, n8n (2.41) would only
 * log a failure, for example of a locked database, and the events would be lost.
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

/**
 * Whether the execution was stored although n8n rejects: it was stored and then canceled, or ended before n8n started
 * to wait for it.
 */
function isStored(error: unknown): boolean {
	return error instanceof Error && /Execution(?:Cancelled|NotFound)Error$/.test(error.constructor.name);
}

function distinct(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	return [...new Map(items.map((item) => [item.json.eventId, item])).values()];
}
