import { isAvailable } from '../optionalDependencies.ts';
import { findTestServices } from '../testServices.ts';
import { type Database, sharedBed } from './bed.ts';
import type { Row } from './measure.ts';
import { skipRepeats } from './workflows.ts';

const eventsRow = (database: Database, name: string, count: number, target: string): Row => ({
	name: `Event: Skip Repeats, new events at once: ${count.toLocaleString('en')}, ${name}`,
	against: '',
	target,
	unit: 'ms',
	async sides() {
		const bed = await sharedBed(database);
		return { ours: async () => await bed.run(skipRepeats(count)) };
	},
});

export const eventRows: Row[] = [
	eventsRow('sqlite', 'SQLite', 1, '<= 40 ms'),
	eventsRow('sqlite', 'SQLite', 1000, '<= 1,500 ms'),
	...(isAvailable(findTestServices) ? [eventsRow('postgres', 'PostgreSQL', 1000, '<= 2,000 ms')] : []),
];
