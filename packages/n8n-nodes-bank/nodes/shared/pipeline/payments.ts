import type { ValidationIssue, PreparedRequest } from '@bank/core';

import type { OperationHooks } from '../form/operationHooks.ts';
import { firstItem, type Job, type Payment, type Run } from './run.ts';

/** The payments of a checked request, in its order. Empty if the request may be repeated. */
export function paymentsOf(run: Run, hooks: OperationHooks, job: Job, prepared: PreparedRequest): readonly Payment[] {
	const { operation } = run;
	const own = hooks.payments?.(run, job, prepared.input);
	if (own !== undefined || operation.oncePerPath !== true) return own ?? [];
	// Part 8: allowed once per path.
	const field = Object.keys(operation.pathFields?.entries ?? {})[0] ?? '';
	const name = String(prepared.input.path[field] ?? '');
	return [{ field, name, own: [prepared.url], item: firstItem(job), content: {} }];
}

/** Returns a function that reports payments that an earlier request of the run already contains. */
export function findDuplicates(): (payments: readonly Payment[]) => ValidationIssue[] {
	const first = new Map<string, number>();
	return (payments) =>
		payments.flatMap(({ field, own, item }) => {
			if (own === undefined) return [];
			const key = own.join('\n');
			const earlier = first.get(key);
			first.set(key, earlier ?? item);
			if (earlier === undefined) return [];
			return [{ path: field, message: `is the same as in item ${earlier}. Remove duplicates before this node`, item }];
		});
}
