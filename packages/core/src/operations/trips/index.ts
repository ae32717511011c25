import { notListed } from '../../errors/notListed.ts';
import { defineOperation, type DocumentedOperation } from '../../operation.ts';

/** Shared by the trip-data transfer service (4.19), of which operations, paths and payloads are not described. */
const common: Pick<DocumentedOperation, 'spec' | 'serviceVersion' | 'auth' | 'errors' | 'dialect'> = {
	spec: '4.19',
	serviceVersion: '1.0.2',
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
		payload: { about: 'Data of the trip', required: true },
	}),
};
