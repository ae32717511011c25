import { isAvailable } from '../optionalDependencies.ts';
import { findTestServices } from '../testServices.ts';
import { type Database, databaseNames, sharedBed } from './bed.ts';
import type { Row } from './measure.ts';
import { newKeys, skipRepeats } from './workflows.ts';

const eventsRow = (database: Database, count: number): Row => ({
	name: `Event: Skip Repeats, ${count.toLocaleString('en')} at once, ${databaseNames[database]}`,
	against: "as many Remove Duplicates nodes in n8n's Execute Workflow node",
	target: '<= 1',
	async sides() {
		const bed = await sharedBed(database);
		return {
			ours: async () => await bed.run(skipRepeats(count)),
			other: async () => await bed.run(newKeys(count)),
		};
	},
});

export const eventRows: Row[] = [
	eventsRow('sqlite', 1),
	eventsRow('sqlite', 1000),
	...(isAvailable(findTestServices) ? [eventsRow('postgres', 1000)] : []),
];
