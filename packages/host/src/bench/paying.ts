import { findTestServices } from '../testServices.ts';
import { isAvailable } from '../optionalDependencies.ts';
import { sharedBed } from './bed.ts';
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

const claimRow = (database: 'sqlite' | 'postgres', name: string): Row => ({
	name: `Claiming 1,000 recipients, ${name}`,
	against: 'sending the package without a claim',
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
	claimRow('sqlite', 'SQLite'),
	...(isAvailable(findTestServices) ? [claimRow('postgres', 'PostgreSQL')] : []),
];
