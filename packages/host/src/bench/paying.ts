import { findTestServices } from '../testServices.ts';
import { isAvailable } from '../optionalDependencies.ts';
import { type Database, sharedBed } from './bed.ts';
import type { Row } from './measure.ts';
import { listedPackage, mappedPackage, singlePayments, unclaimedPackage, type Workflow } from './workflows.ts';

const count = 1000;

const payingRow = (name: string, ours: () => Workflow): Row => ({
	name,
	against: '1,000 calls by HTTP Request',
	async sides() {
		const bed = await sharedBed('sqlite');
		return {
			ours: async () => await bed.run(ours()),
			other: async () => await bed.run(singlePayments(bed.bank.url, count)),
		};
	},
});

const claimRow = (database: Database, name: string, target: string): Row => ({
	name: `Claims and log of 1,000 recipients, ${name}`,
	against: 'sending the package without duplicate protection',
	target,
	figure: 'difference',
	unit: 's',
	async sides() {
		const bed = await sharedBed(database);
		return {
			ours: async () => (await bed.run(listedPackage(count))) / 1000,
			other: async () => (await bed.run(unclaimedPackage(bed.bank.url, count))) / 1000,
		};
	},
});

export const payingRows: Row[] = [
	payingRow('1,000 recipients paid, mapped from items', () => mappedPackage(count)),
	payingRow('1,000 recipients paid, from a list', () => listedPackage(count)),
	claimRow('sqlite', 'SQLite', '<= 2 s'),
	...(isAvailable(findTestServices) ? [claimRow('postgres', 'PostgreSQL', '<= 2.5 s')] : []),
];
