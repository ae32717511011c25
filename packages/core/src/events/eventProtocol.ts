/**
 * How each event is handled once, and no unfinished event is forgotten. Pure: adapters carry out the effects. Two stores:
 *
 * - **Claims** (event, number): inserted exclusively, never deleted. Only the winner of number 1 may handle an event without asking.
 * - **Rows**: a run inserts one before it claims; *Done* deletes all rows of an event. An old row shows that a run did not finish.
 *
 * | State       | Effect        | Answer -> next state                                                       |
 * |-------------|---------------|----------------------------------------------------------------------------|
 * | storing     | insertRow     | done -> claiming 1                                                         |
 * | claiming    | claim         | won -> ended (delivery), replacing (list, number 1), checking (list)       |
 * |             |               | lost -> withdrawing (delivery), claiming the next number (list)            |
 * | checking    | findNewRows   | none -> replacing, found -> withdrawing                                    |
 * | replacing   | deleteOldRows | done -> ended                                                              |
 * | withdrawing | deleteOwnRow  | done -> ended                                                              |
 *
 * A row is inserted before the claim, so a claim without a row means that the event is finished, or that the bank has got no
 * response yet and delivers again. A run that loses deletes only its own row: the winner's row was there before it won.
 *
 * *List Unfinished* claims number 1 first: if it wins, no run has handled the event, and none will. Otherwise a run has won that ended
 * without *Done*, and its effect may have happened: the event is shown under a number of its own, so that of several lists one shows it.
 * A run that wins number 1 meanwhile inserted its row before, so the list looks for new rows and gives way.
 *
 * Searched exhaustively in test/eventProtocol.test.ts.
 */

export type EventEffect =
	| { do: 'insertRow'; attempt: number }
	| { do: 'claim'; number: number }
	| { do: 'findNewRows' }
	| { do: 'deleteOldRows' }
	| { do: 'deleteOwnRow' };

/** `yes`: the claim was won, or there are rows that the run did not write and had not read when it began. */
export type EventAnswer = 'done' | 'yes' | 'no';

/**
 * `first`: the event is new, and no other run handles it. `mayHaveRun`: a run that did not finish may have handled it. `taken`: another
 * run handles it or has handled it.
 */
export type EventVerdict = 'first' | 'mayHaveRun' | 'taken';

interface EventRun {
	/** `untracked`: a delivery without a row, which is not listed as unfinished. */
	readonly kind: 'delivery' | 'untracked' | 'list';
	/** The number to claim after 1. */
	readonly attempt: number;
}

export type EventState = EventRun &
	(
		| { readonly is: 'storing' | 'checking' }
		| { readonly is: 'claiming'; readonly number: number }
		| { readonly is: 'replacing' | 'withdrawing' | 'ended'; readonly verdict: EventVerdict }
	);

export const receiveEvent = (isTracked: boolean): EventState =>
	isTracked
		? { kind: 'delivery', attempt: 2, is: 'storing' }
		: { kind: 'untracked', attempt: 2, is: 'claiming', number: 1 };

/** @param attempt the highest attempt number in the rows of the event */
export const listEvent = (attempt: number): EventState => ({ kind: 'list', attempt, is: 'storing' });

/** What to do next; undefined if the run has ended. */
export function effectOf(state: EventState): EventEffect | undefined {
	switch (state.is) {
		case 'storing':
			return { do: 'insertRow', attempt: state.kind === 'list' ? state.attempt + 1 : state.attempt };
		case 'claiming':
			return { do: 'claim', number: state.number };
		case 'checking':
			return { do: 'findNewRows' };
		case 'replacing':
			return { do: 'deleteOldRows' };
		case 'withdrawing':
			return { do: 'deleteOwnRow' };
		case 'ended':
			return undefined;
	}
}

export function stepEvent(state: EventState, answer: EventAnswer): EventState {
	const { kind, attempt } = state;
	const run = { kind, attempt };
	const isYes = answer === 'yes';
	switch (state.is) {
		case 'storing':
			return { ...run, is: 'claiming', number: 1 };
		case 'claiming':
			if (kind !== 'list')
				return isYes || kind === 'untracked'
					? { ...run, is: 'ended', verdict: isYes ? 'first' : 'taken' }
					: { ...run, is: 'withdrawing', verdict: 'taken' };
			if (!isYes) return { ...run, is: 'claiming', number: Math.max(state.number + 1, attempt) };
			return state.number === 1 ? { ...run, is: 'replacing', verdict: 'first' } : { ...run, is: 'checking' };
		case 'checking':
			return isYes
				? { ...run, is: 'withdrawing', verdict: 'taken' }
				: { ...run, is: 'replacing', verdict: 'mayHaveRun' };
		case 'replacing':
		case 'withdrawing':
		case 'ended':
			return { ...run, is: 'ended', verdict: state.verdict };
	}
}

export interface EventRow {
	/** Identifies the event in its workflow. */
	event: string;
	/** When its run began, as an ISO 8601 time. */
	at: string;
}

/** The rows of each event whose runs all began before that time. */
export function unfinishedEvents<Row extends EventRow>(rows: readonly Row[], since: string): Row[][] {
	return [...Map.groupBy(rows, ({ event }) => event).values()].filter((all) => all.every(({ at }) => at < since));
}
