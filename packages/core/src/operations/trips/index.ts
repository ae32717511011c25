import { notListed } from '../../errors/notListed.ts';
import { defineOperation } from '../../operation.ts';

/** The trip-data transfer service (4.19): operations, paths and payloads are not shown. */
export const trip = {
	send: defineOperation({
		id: 'trip.send',
		spec: '4.19',
		name: 'Send',
		action: 'Send a trip',
		description: 'Send the data of a completed trip',
		auth: 'notShown',
		effect: 'change',
		payload: { description: 'The data of the trip', required: true },
		errors: [],
		dialect: notListed,
	}),
};
