import { isAvailable } from '../optionalDependencies.ts';
import { findTestServices } from '../testServices.ts';
import { type Bed, type Database, databaseNames, sharedBed } from './bed.ts';
import type { Row } from './measure.ts';
import { insertRows, listedPackage, readRows } from './workflows.ts';

/** Payouts with a payment log of many rows, compared with an empty payment log. */

const manyRows = 250_000;
const perRequest = 10_000;
const logName = 'Bank Payment Log';

/** n8n's default is 200 MB. */
const env = { N8N_DATA_TABLES_MAX_SIZE_BYTES: String(2 ** 31) };

interface Filled {
	bed: Bed;
	/** A row as the nodes write it. */
	row: Record<string, unknown>;
}

const filled = new Map<Database, Promise<Filled>>();

/** Starts an n8n of its own, because before each insert n8n sums the size of all its Data Tables. */
function filledBed(database: Database): Promise<Filled> {
	const known = filled.get(database) ?? fill(database);
	filled.set(database, known);
	return known;
}

async function fill(database: Database): Promise<Filled> {
	const bed = await sharedBed(database, 'many rows', env);
	await bed.run(listedPackage(20));
	const [paid] = (await bed.rest.tableRows(logName)).filter(({ outcome }) => outcome === 'accepted');
	const { id: _, createdAt: __, updatedAt: ___, ...row } = paid ?? {};
	const rowAt = (index: number) => ({
		...row,
		payment: String(index).padStart(String(row['payment']).length, 'p'),
		run: String(Math.floor(index / 100)).padStart(String(row['run']).length, 'r'),
	});
	for (let from = 0; from < manyRows; from += perRequest)
		await bed.rest.addRows(
			logName,
			Array.from({ length: perRequest }, (_row, index) => rowAt(from + index)),
		);
	return { bed, row };
}

const growthRow = (database: Database, count: number, target: string): Row => ({
	name: `Payout of ${count} beside ${manyRows.toLocaleString('en')} rows of the payment log, ${databaseNames[database]}`,
	against:
		database === 'sqlite'
			? "beside an empty log, and three inserts and a read of n8n's own Data Table node beside those rows"
			: 'beside an empty log',
	target,
	async sides() {
		const empty = await sharedBed(database);
		const { bed, row } = await filledBed(database);
		const items = Array.from({ length: count }, () => row);
		const own = async () => {
			let time = 0;
			for (let times = 0; times < 3; times++) time += await bed.run(insertRows(logName, items));
			return time + (await bed.run(readRows(logName, 'payment', 'none')));
		};
		return {
			ours: async () => await bed.run(listedPackage(count)),
			other: async () => (await empty.run(listedPackage(count))) + (database === 'sqlite' ? await own() : 0),
		};
	},
});

const sizeRow: Row = {
	name: 'A row of the payment log, SQLite',
	against: '',
	target: '<= 500 bytes',
	unit: 'bytes',
	pairs: 1,
	warmUp: false,
	async sides() {
		const { bed } = await filledBed('sqlite');
		return { ours: async () => (await bed.rest.tableBytes(logName)) / manyRows };
	},
};

const growthRows = (database: Database, target: string) => [1, 20].map((count) => growthRow(database, count, target));

export const logRows: Row[] = [
	...growthRows('sqlite', '<= 1.3'),
	...(isAvailable(findTestServices) ? growthRows('postgres', '<= 1.4') : []),
	sizeRow,
];
