import { canonicalJson, definitions, type ValidationIssue, InputError, tranchePurpose } from '@bank/core';

import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { readGenerated } from '../../shared/form/readForm.ts';
import { normalizeIdentifier } from '../../shared/idempotency/keys.ts';
import { refuseNondeterministic } from '../../shared/form/nondeterministic.ts';
import { identifierProblem, refuseUnstable } from '../../shared/form/unstableValues.ts';
import type { Payment } from '../../shared/base/payment.ts';
import { firstItem, type Job, oncePerRun, type Run } from '../../shared/form/run.ts';

const checkTransactionId = oncePerRun(async (run) => {
	const { transactionId } = run.context.getNode().parameters;
	await refuseNondeterministic(run, 'transactionId', transactionId, () => run.parameters.text('transactionId'));
	for (let item = 0; item < run.itemCount; item++)
		refuseUnstable(run, 'transactionId', run.parameters.text('transactionId', item), item);
});

/** 4.18: the payment purpose must contain `service Id: transactionId`; the node adds it. */
export const debit = bindHooks(definitions.directDebit.debit, {
	preview: true,
	receiptFields: ['transactionId'],

	/** `transactionId` is unique per tranche (4.18): the same ID is the same debit, even if other fields differ. */
	payments(run, job, sent) {
		// Path and query belong to it: the service details may put fields there.
		const content = { body: canonicalJson([sent.path, sent.query, sent.body ?? null]) };
		return identified(run, job).map((payment) => ({ ...payment, content }));
	},

	identify: identified,

	async read(run, item) {
		const { parameters } = run;
		await checkTransactionId(run);
		const transactionId = parameters.text('transactionId', item);
		const { purposeLabel = 'service Id' } = parameters.options(item);
		const issues: ValidationIssue[] = [];
		const problem = identifierProblem(parameters.value('transactionId', item));
		if (problem !== undefined) issues.push({ path: 'transactionId', message: problem });
		if (normalizeIdentifier(transactionId) === '')
			issues.push({ path: 'transactionId', message: 'is required: your unique identifier of the tranche' });
		if (String(purposeLabel).trim() === '') issues.push({ path: 'purposeLabel', message: 'must not be empty' });
		if (issues.length > 0) throw new InputError(issues);
		const purpose = tranchePurpose(parameters.text('purpose', item), transactionId, String(purposeLabel).trim());
		const input = await readGenerated(run, item);
		return { ...input, unnamedFields: { ...input.unnamedFields, purpose } };
	},
});

function identified({ context, parameters }: Run, job: Job): Payment[] {
	const item = firstItem(job);
	const name = parameters.text('transactionId', item);
	const columns = context.getInputData()[item]?.json;
	return name === '' ? [] : [{ field: 'transactionId', name, identity: [normalizeIdentifier(name)], item, columns }];
}
