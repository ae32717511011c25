/** One run of one side. */
export interface Measured {
	milliseconds: number;
	requests?: number;
}

export interface Comparison {
	title: string;
	/** The first side is what the second is measured against. */
	sides: [Side, Side];
	/** How many times as long the first side took: of the medians, and the extremes of single pairs. */
	ratio: { median: number; least: number; most: number };
}

interface Side {
	name: string;
	milliseconds: number;
	requests?: number;
}

/** Runs both sides in turn, so that whatever else the machine does meets both. The first pair warms up and does not count. */
export async function compare(
	title: string,
	[first, second]: [Contender, Contender],
	repetitions: number,
): Promise<Comparison> {
	await first.run();
	await second.run();
	const pairs: Array<[Measured, Measured]> = [];
	for (let count = 0; count < repetitions; count++) pairs.push([await first.run(), await second.run()]);

	const side = ({ name }: Contender, index: 0 | 1): Side => {
		const requests = pairs[0]?.[index].requests;
		return {
			name,
			milliseconds: median(pairs.map((pair) => pair[index].milliseconds)),
			...(requests === undefined ? {} : { requests }),
		};
	};
	const sides: Comparison['sides'] = [side(first, 0), side(second, 1)];
	const ratios = pairs.map(([one, other]) => one.milliseconds / other.milliseconds);
	return {
		title,
		sides,
		ratio: {
			median: sides[0].milliseconds / sides[1].milliseconds,
			least: Math.min(...ratios),
			most: Math.max(...ratios),
		},
	};
}

export interface Contender {
	name: string;
	run(): Promise<Measured>;
}

function median(numbers: number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

export function table(comparisons: Comparison[]): string {
	const rows = comparisons.map(({ title, sides, ratio }) => [
		title,
		...sides.map(sideText),
		`${ratio.median.toFixed(1)} (${ratio.least.toFixed(1)} to ${ratio.most.toFixed(1)})`,
	]);
	const all = [['', 'A', 'B', 'A takes … times as long as B'], ...rows];
	const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	return all
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('   ')
				.trimEnd(),
		)
		.join('\n');
}

function sideText({ name, milliseconds, requests }: Side): string {
	const took = milliseconds < 100 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
	return `${name}: ${took} ms${requests === undefined ? '' : `, ${requests} requests`}`;
}
