import { InputError, isBlank, isRecord, textOrNumber, type ValidationIssue } from '@bank/core';
import { NodeOperationError } from 'n8n-workflow';

import { failureOf, nodeForErrors } from '../../../shared/base/failures.ts';
import { shortenIdentifier } from '../../../shared/inbound/digest.ts';
import { refuseNondeterministic } from '../../../shared/form/nondeterministic.ts';
import type { Job, Run } from '../../../shared/form/run.ts';
import { defaultTable } from './eventTable.ts';

/** One job for all items with a key, because their keys are claimed together. */
export interface EventJob extends Job {
	keys: readonly string[];
}

/** @throws InputError if the key would differ on the next run */
export async function eventJobs(run: Run): Promise<EventJob[]> {
	const { key: written } = run.context.getNode().parameters;
	if (written !== undefined && written !== '')
		await refuseNondeterministic(run, 'key', written, () => run.parameters.text('key', 0));
	const inputs = run.context.getInputData();
	const job: EventJob = { items: [], input: {}, keys: [] };
	const keys: string[] = [];
	const invalid: EventJob[] = [];
	for (const [item, { json }] of inputs.entries()) {
		const given = run.parameters.text('key', item);
		const key = given === '' ? textOrNumber([json.eventId, json.orderId].find((id) => !isBlank(id))) : given;
		if (key === '') {
			const issues: ValidationIssue[] = [{ path: 'key', message: missing, item }];
			invalid.push({ items: [item], input: {}, keys: [], issues });
			continue;
		}
		job.items.push(item);
		keys.push(shortenIdentifier(key));
	}
	return job.items.length === 0 ? invalid : [{ ...job, keys }, ...invalid];
}

const missing = 'is required: the item has no eventId and no orderId';

export const tableNameOf = ({ parameters }: Run): string =>
	textOrNumber(parameters.options().dataTable ?? defaultTable).trim() || defaultTable;

/** The error for a step that n8n's database has not carried out. */
export function databaseError({ context }: Run, error: unknown, what: string, next: string): Error {
	if (error instanceof InputError) return error;
	const failure = failureOf(context, error);
	const detail = isRecord(error) ? failure.message.slice(0, 120) : '';
	return new NodeOperationError(nodeForErrors(context), what, {
		description: `${next} n8n says: ${detail}`,
	});
}
