import { defineOperation } from '../../operation.ts';
import { preparePackage } from './preparePackage.ts';

/** Records whether the bank has a payment with an unknown outcome. The bank is not called. */
export const resolve = defineOperation({
	id: 'payment.resolve',
	local: true,
	spec: '4, P1',
	action: 'Resolve unknown payment',
	description:
		'Record whether the bank has a payment with an unknown outcome. If it does not, the next run sends the payment again.',
	responseSummary: 'outcome accepted or notSent for each payment.',
	auth: 'clientCredentials',
	effect: 'none',
	irreversible: true,
	method: 'POST',
	path: preparePackage.path ?? '',
});
