import { loadavg } from 'node:os';

/** One side of a comparison: does its work once and returns the figure, such as milliseconds. */
export type Side = () => Promise<number>;

/** A row of the table. */
export interface Row {
	/** `--only` selects the rows whose names contain its value. */
	name: string;
	/** What the row is compared with; empty for absolute figures. */
	against: string;
	/** The ratio to reach. Absent if no target is set. */
	target?: string;
	/** Unit of a result that is not a ratio. */
	unit?: string;
	/** Number of measured pairs. Default 5. Figures without variation need one. */
	pairs?: number;
	/** Whether a first pair runs without being counted. Default true. */
	warmUp?: boolean;
	sides(): Promise<{ ours: Side; other?: Side }>;
}

export interface Result {
	name: string;
	against: string;
	/** Median of the pairs; `min` and `max` are the extremes. */
	ratio: number;
	min: number;
	max: number;
	/** The target of the row; empty if it has none. */
	target: string;
	unit: string;
	/** The medians: of the Bank node, and of what it is compared with. */
	ours: number;
	other: number | null;
	pairs: number;
	/** System load before the measurement. */
	load: number;
	versions: Record<string, string>;
}

/** Measures both sides alternately, so that other load on the machine affects both. */
export async function measured(row: Row, versions: Record<string, string>): Promise<Result> {
	const { name, against, target = '', unit = '', pairs = 5, warmUp = true } = row;
	const [load = 0] = loadavg();
	const { ours, other } = await row.sides();
	const figureOf = (one: number, other: number | undefined) => (other === undefined ? one : one / other);
	if (warmUp) {
		await ours();
		await other?.();
	}
	const all: [number, number | undefined][] = [];
	for (let count = 0; count < pairs; count++) all.push([await ours(), await other?.()]);
	const figures = all.map(([one, another]) => figureOf(one, another));
	const mine = median(all.map(([one]) => one));
	const theirs = other === undefined ? undefined : median(all.flatMap(([, another]) => another ?? []));
	const rounded = (value: number) => Number(value.toPrecision(value > 1000 ? 6 : 3));
	return {
		name,
		against,
		ratio: rounded(figureOf(mine, theirs)),
		min: rounded(Math.min(...figures)),
		max: rounded(Math.max(...figures)),
		target,
		unit,
		ours: rounded(mine),
		other: theirs === undefined ? null : rounded(theirs),
		pairs,
		load: rounded(load),
		versions,
	};
}

function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
