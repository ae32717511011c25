import type { Fault, PreparedRequest } from '@bank/core';

import type { Form } from '../form.ts';
import { firstItem, type Job, type Payment, type Run } from './run.ts';

/** The payments of a checked request, in its order. Empty where it may be made any number of times. */
export function paymentsOf(run: Run, form: Form, job: Job, prepared: PreparedRequest): readonly Payment[] {
	const { operation } = run;
	const own = job.payments?.(prepared.input) ?? form.payments?.(run, job, prepared.input);
	if (own !== undefined || operation.once !== true) return own ?? [];
	// What the bank allows once for the same path fields (part 8).
	const field = Object.keys(operation.pathFields?.entries ?? {})[0] ?? '';
	const name = String(prepared.input.path[field] ?? '');
	return [{ field, name, own: [prepared.url], item: firstItem(job), content: {} }];
}

/** Looks at the requests of a run one after another: the faults of one whose payment another one has already. */
export function repeatedFaults(): (payments: readonly Payment[]) => Fault[] {
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
