import { notListed } from '../../errors/notListed.ts';
import { defineOperation, type Operation } from '../../operation.ts';

/** What the trip-data transfer service has in common (4.19): operations, paths and payloads are not shown. */
const common: Pick<Operation, 'spec' | 'auth' | 'errors' | 'dialect'> = {
	spec: '4.19',
	auth: 'notShown',
	errors: [],
	dialect: notListed,
};

export const trip = {
	send: defineOperation({
		...common,
		id: 'trip.send',
		name: 'Send',
		action: 'Send trip',
		description: 'Send the data of a completed trip',
		effect: 'change',
		payload: { description: 'Data of the trip', required: true },
	}),
};
