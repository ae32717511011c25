import { getMany } from '../accountOperation/getMany.ts';

/** P6, asked where payments are looked for whose outcome nobody knows. */
export const findInOperations: typeof getMany = {
	...getMany,
	id: 'payment.findInOperations',
	name: 'Find in Operations',
	action: 'Find payments in the history of operations',
	description: 'Look up payments of unknown outcome in the history of operations: found, not found, or not to be told',
	// Payments are looked for in the rows as they come.
	...(getMany.list === undefined ? {} : { list: { ...getMany.list, simplify: (row) => ({ ...row }) } }),
};
