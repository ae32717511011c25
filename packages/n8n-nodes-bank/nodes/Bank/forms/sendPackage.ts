import { unconfirmed } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { errorItem } from '../../shared/failures.ts';
import type { Done, Form } from '../../shared/form.ts';
import { isItemJson } from '../../shared/itemJson.ts';
import type { Items, Run } from '../../shared/run/run.ts';
import { packageJobs, type SendPackage } from './packages.ts';

/** P1: a package of payments is sent, and each recipient learns what became of it. */
export const sendPackage: Form<SendPackage> = {
	jobs: (run) => packageJobs(run, (item) => run.parameters.value('signedBody', item, '')),
	output: paymentsOf,
	receipt: ['sequence', 'transactionId', 'payPackage'],
};

/**
 * One item for each payment that was sent, then what the answer holds besides. The package was accepted: whatever its answer looks
 * like, it must not end in an error that says nothing was sent.
 */
function paymentsOf({ context, operation }: Run, { job: { items }, sent, result }: Done<SendPackage>): Items {
	const { payments, ...rest } = isItemJson(result.data) ? result.data : {};
	const answers: IDataObject[] = listIn(payments).filter(isItemJson);
	const bySequence = new Map(answers.toReversed().map((answered) => [String(answered.sequence), answered]));
	const sequences = sent.body.payments.map(({ sequence }) => sequence);
	const itemOf = (index: number) => items[Math.min(index, items.length - 1)] ?? 0;
	const results = sequences.map((sequence, index) => {
		const answered = bySequence.get(sequence);
		if (answered !== undefined)
			return { json: { outcome: 'accepted', ...answered, ...rest }, pairedItem: { item: itemOf(index) } };
		// The package was accepted, but the bank says nothing of this payment: neither paid nor not.
		const identity = { field: 'sequence', name: sequence, value: sequence, item: itemOf(index) };
		const { json, pairedItem } = errorItem(operation.id, unconfirmed(operation, sequence), identity.item, [identity]);
		// In an error output there is room for nothing beside the details.
		if (context.continueOnFail())
			return { json: { ...json, details: { ...(isItemJson(json.details) ? json.details : {}), ...rest } }, pairedItem };
		return { json: { outcome: 'unknown', sequence, ...rest, note: json.message }, pairedItem };
	});
	const others = answers.filter((answered) => {
		const sequence = String(answered.sequence);
		return !sequences.includes(sequence) || bySequence.get(sequence) !== answered;
	});
	const pairedItem = { item: itemOf(0) };
	return [
		...results,
		...others.map((answered) => ({ json: { outcome: 'accepted', ...answered, ...rest }, pairedItem })),
	];
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
