/** Requested range. Banks may accept only offsets that are multiples of the limit. */
export interface PageRange {
	offset: number;
	limit: number;
}

export interface Page<Row> {
	rows: readonly Row[];
	/** Rows that were on no earlier page. */
	fresh: readonly Row[];
	/** Offset of the first row. */
	start: number;
	/** Where the next page starts, and the page size of the bank. */
	next: PageRange;
	/** Whether the list has moved since the page before was read. Rows may then be missing. */
	isMoved: boolean;
}
