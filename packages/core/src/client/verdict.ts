import { hasContent } from '../json.ts';
import type { Operation } from '../operation.ts';
import { valuesAt } from '../path.ts';

/** Condition under which a response is the final result. */
export type ReadyCondition =
	/** Content and a status other than 202. */
	| { when: 'answered' }
	/** `[*]` in a field stands for all elements of a list. */
	| { when: 'present'; field: string }
	| { when: 'is' | 'isNot'; field: string; values: readonly string[] };

/** The condition of the service details; without one, any content is the result. */
export function readyConditionOf({ responses = {} }: Pick<Operation, 'responses'>): ReadyCondition {
	const { ready, notReady } = responses;
	const texts = (values: readonly unknown[]) => values.map(String);
	if (ready?.values !== undefined) return { when: 'is', field: ready.field, values: texts(ready.values) };
	if (ready !== undefined) return { when: 'present', field: ready.field };
	if (notReady?.values !== undefined) return { when: 'isNot', field: notReady.field, values: texts(notReady.values) };
	return { when: 'answered' };
}

/** The part of a result that the condition looks at. */
interface Received {
	data: unknown;
	status: number;
	file?: unknown;
}

export function isReady({ data, status, file }: Received, ready: ReadyCondition): boolean {
	if (ready.when === 'answered') return status !== 202 && (file !== undefined || hasContent(data));
	// All elements of a list must be ready.
	const values = valuesAt(data, ready.field);
	if (ready.when === 'present') return values.length > 0 && values.every(hasContent);
	const among = (value: unknown) => ready.values.includes(String(value));
	// A missing field counts as "not ready", not as a different value.
	const isIt = ready.when === 'is' ? among : (value: unknown) => hasContent(value) && !among(value);
	return values.length > 0 && values.every(isIt);
}

/** Whether a response means a rejection according to the service details. */
export function saysNo({ responses }: Pick<Operation, 'responses'>, data: unknown): boolean {
	if (responses?.no === undefined) return false;
	const { field, values } = responses.no;
	const found = valuesAt(data, field).filter(hasContent);
	return found.some((value) => values === undefined || values.map(String).includes(String(value)));
}

/** What a response means according to the service details; undefined if they do not say. */
export function verdictOf(operation: Operation, received: Received): 'yes' | 'no' | 'notReady' | undefined {
	const { no, ready, notReady } = operation.responses ?? {};
	if (saysNo(operation, received.data)) return 'no';
	const isPending = (ready ?? notReady) !== undefined && !isReady(received, readyConditionOf(operation));
	if (isPending) return 'notReady';
	return no === undefined ? undefined : 'yes';
}
