import { getMany } from '../accountOperation/getMany.ts';

/** P6, used to find payments with an unknown outcome. */
export const findInOperations: typeof getMany = {
	...getMany,
	id: 'payment.findInOperations',
	local: true,
	name: 'Find in Operations',
	action: 'Find payments in operations',
	description: 'Look up payments in the history of operations, or compare the payment log of some days with it',
	responseSummary:
		'result: found, notFound, several or unclear, with operation or candidates; unexplained is money that no payment of the log ' +
		'explains. status HOLD is not done yet, FAILED was not executed. A person decides whether to pay again.',
};
