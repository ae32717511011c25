/** What the bank is asked for. Banks may accept only offsets that are multiples of the limit. */
export interface PageRange {
	offset: number;
	limit: number;
}

export interface Page<Row> {
	rows: readonly Row[];
	/** The rows whose identifiers were on no earlier page. */
	fresh: readonly Row[];
	/** Where the next page starts, and how many rows the bank returns at a time. */
	next: PageRange;
}
