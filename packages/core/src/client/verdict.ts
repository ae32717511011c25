import { hasContent } from '../json.ts';
import type { Operation } from '../operation.ts';
import { valuesAt } from '../path.ts';
import type { ResponseDetails } from '../serviceDetails/details.ts';

/** The part of a result that the service details describe. */
interface Received {
	data: unknown;
	status: number;
	file?: unknown;
}

/** Whether a response is the final result: as the service details say, or else with content and a status other than 202. */
export function isReady({ data, status, file }: Received, { ready, notReady }: ResponseDetails = {}): boolean {
	const condition = ready ?? notReady;
	// A file has no fields: it is the result itself.
	if (file !== undefined) return status !== 202;
	if (condition === undefined) return status !== 202 && hasContent(data);
	// All elements of a list must be ready. A missing field counts as "not ready", not as a different value.
	const values = valuesAt(data, condition.field);
	const matches = (value: unknown) => condition.values?.map(String).includes(String(value)) ?? true;
	return values.length > 0 && values.every((value) => hasContent(value) && matches(value) === (condition === ready));
}

/** Whether a response means a rejection according to the service details. */
export function saysNo({ details }: Pick<Operation, 'details'>, data: unknown): boolean {
	if (details?.responses?.no === undefined) return false;
	const { field, values } = details.responses.no;
	const found = valuesAt(data, field).filter(hasContent);
	return found.some((value) => values === undefined || values.map(String).includes(String(value)));
}

/** What a response means according to the service details; undefined if they do not say. */
export function verdictOf(operation: Operation, received: Received): 'yes' | 'no' | 'notReady' | undefined {
	const { no, ready, notReady } = operation.details?.responses ?? {};
	if (saysNo(operation, received.data)) return 'no';
	const isPending = (ready ?? notReady) !== undefined && !isReady(received, operation.details?.responses);
	if (isPending) return 'notReady';
	return no === undefined ? undefined : 'yes';
}
