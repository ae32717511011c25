import { type Fault, InputError, tranchePurpose } from '@bank/core';

import type { Form } from '../../shared/form.ts';
import { readGenerated } from '../../shared/readForm.ts';
import { refuseEverNew } from '../../shared/run/everNew.ts';
import { spelled } from '../../shared/run/identity.ts';
import { firstItem, oncePerRun } from '../../shared/run/run.ts';

const why =
	'each run would make another debit of it, and nobody would be kept from being debited twice. Give each tranche an identifier of your ' +
	'own, which its row has';

const checkTransactionId = oncePerRun(async (run) => {
	const { transactionId } = run.context.getNode().parameters;
	await refuseEverNew(run, 'transactionId', transactionId, why, () => run.parameters.text('transactionId'));
});

/** 4.18: the purpose must contain `service Id: transactionId`, which the node puts together. */
export const debit: Form = {
	preview: true,

	/** `transactionId` is unique for each tranche (4.18): whatever else differs, it is the same debit. */
	identities({ operation, parameters }, job) {
		const item = firstItem(job);
		const name = parameters.text('transactionId', item);
		return [{ field: 'transactionId', name, value: [operation.id, spelled(name)], item }];
	},

	async read(run, item) {
		const { parameters } = run;
		await checkTransactionId(run);
		const transactionId = parameters.text('transactionId', item);
		const { purposeLabel = 'service Id' } = parameters.options(item);
		const faults: Fault[] = [];
		if (transactionId === '')
			faults.push({ path: 'transactionId', message: 'is required: your unique identifier of the tranche' });
		if (String(purposeLabel).trim() === '') faults.push({ path: 'purposeLabel', message: 'must not be empty' });
		if (faults.length > 0) throw new InputError(faults);
		const purpose = tranchePurpose(parameters.text('purpose', item), transactionId, String(purposeLabel).trim());
		const input = await readGenerated(run, item);
		return { ...input, nameless: { purpose: { value: purpose, field: parameters.value('purposeField', item, '') } } };
	},
};
