import { notListed } from '../../errors/notListed.ts';
import { type Operation, payloadOf } from '../../operation.ts';

/** The trip-data transfer service (4.19): operations, paths and payloads are not shown. */
export const tripOperations: readonly Operation[] = [
	{
		id: 'trip.send',
		spec: '4.19',
		name: 'Send',
		action: 'Send a trip',
		description: 'Send the data of a completed trip',
		auth: 'notShown',
		effect: 'change',
		examplePath: '/trips',
		payload: payloadOf('The data of the trip', '{"from": "A", "to": "B", "distance": 12.5}'),
		errors: [],
		dialect: notListed,
	},
];
