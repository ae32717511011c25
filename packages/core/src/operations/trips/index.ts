import { commonDialect } from '../../errors/byStatus.ts';
import { defineOperation } from '../../operation.ts';

/**
 * Properties of all operations of the trip-data transfer service (4.19). Their paths and payloads are not described.
 */
const common = { spec: '4.19', serviceVersion: '1.0.2', auth: 'notShown', dialect: commonDialect } as const;

export const trip = {
	send: defineOperation({
		...common,
		id: 'trip.send',
		action: 'Send trip',
		description: 'Send the data of a completed trip',
		effect: 'change',
		payload: { about: 'Data of the trip', required: true },
	}),
};
