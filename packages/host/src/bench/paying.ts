import { findTestServices } from '../testServices.ts';
import { isAvailable } from '../optionalDependencies.ts';
import type { Bed, Beds } from './bed.ts';
import type { Row } from './measure.ts';
import { listedPackage, mappedPackage, singlePayments, unclaimedPackage, type Workflow } from './workflows.ts';

const count = 1000;

const payingRow = (name: string, target: string, ours: () => Workflow): Row => ({
	group: 'paying',
	name,
	against: '1,000 calls by HTTP Request',
	target,
	async sides(beds) {
		const bed = await beds.sqlite();
		return {
			ours: async () => await bed.run(ours()),
			other: async () => await bed.run(singlePayments(bed.bank.url, count)),
		};
	},
});

const claimRow = (database: string, target: string, open: (beds: Beds) => Promise<Bed>): Row => ({
	group: 'claims',
	name: `Claiming 1,000 recipients, ${database}`,
	against: 'sending the package without a claim',
	target,
	figure: 'difference',
	unit: 's',
	async sides(beds) {
		const bed = await open(beds);
		return {
			ours: async () => (await bed.run(listedPackage(count))) / 1000,
			other: async () => (await bed.run(unclaimedPackage(bed.bank.url, count))) / 1000,
		};
	},
});

export const payingRows: Row[] = [
	payingRow('1,000 recipients paid, mapped from items', '<= 0.05', () => mappedPackage(count)),
	payingRow('1,000 recipients paid, from a list', '<= 0.016', () => listedPackage(count)),
	claimRow('SQLite', '<= 2 s', async (beds) => await beds.sqlite()),
	...(isAvailable(findTestServices) ? [claimRow('PostgreSQL', '<= 3 s', async (beds) => await beds.postgres())] : []),
];
