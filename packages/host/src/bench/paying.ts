import { findTestServices } from '../testServices.ts';
import { isAvailable } from '../optionalDependencies.ts';
import { type Database, databaseNames, sharedBed } from './bed.ts';
import type { Row } from './measure.ts';
import { listedPackage, mappedPackage, newKeys, singlePayments, type Workflow } from './workflows.ts';

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

const claimRow = (database: Database): Row => ({
	name: `1,000 recipients paid, with claims and log, ${databaseNames[database]}`,
	against: "1,000 Remove Duplicates nodes in n8n's Execute Workflow node",
	target: '<= 1',
	async sides() {
		const bed = await sharedBed(database);
		return {
			ours: async () => await bed.run(listedPackage(count)),
			other: async () => await bed.run(newKeys(count)),
		};
	},
});

export const payingRows: Row[] = [
	payingRow('1,000 recipients paid, mapped from items', () => mappedPackage(count)),
	payingRow('1,000 recipients paid, from a list', () => listedPackage(count)),
	claimRow('sqlite'),
	...(isAvailable(findTestServices) ? [claimRow('postgres')] : []),
];
