import { type Fault, InputError, tranchePurpose } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { type Form, readGenerated } from '../../shared/form.ts';

/** 4.18: the purpose must contain `service Id: transactionId`, which the node puts together. */
export const debit: Form = {
	preview: true,

	async read(form, item) {
		const { parameter } = form;
		const transactionId = String(parameter('transactionId', item, '') ?? '').trim();
		const { purposeLabel = 'service Id' } = parameter('options', item, {}) as IDataObject;
		const faults: Fault[] = [];
		if (transactionId === '')
			faults.push({ path: 'transactionId', message: 'is required: your unique identifier of the tranche' });
		if (String(purposeLabel).trim() === '') faults.push({ path: 'purposeLabel', message: 'must not be empty' });
		if (faults.length > 0) throw new InputError(faults);
		const purpose = tranchePurpose(
			String(parameter('purpose', item, '') ?? ''),
			transactionId,
			String(purposeLabel).trim(),
		);
		const input = await readGenerated(form, item);
		return { ...input, nameless: { purpose: { value: purpose, field: parameter('purposeField', item, '') } } };
	},
};
