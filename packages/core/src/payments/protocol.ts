/**
 * Duplicate protection as a state machine: which payments a run may send. Pure: no I/O, no clock, no randomness. The adapters carry out
 * its effects and report events; `test/payments` searches all interleavings of this very code.
 *
 * A claim is a payment's key and a number: inserted exclusively, never deleted. A number is one attempt to pay: 1, then 2 once number 1
 * certainly moved no money. Rows of the payment log are added and never changed; a run that ends removes its `preparing` and `sending`.
 * A number is open if a row says `sending` or `unknown` and no row with its workflow and number says `rejected`, `notSent` or `hasNot`.
 *
 * What the rows of a payment say. The first line that fits counts:
 *
 * | Rows                                                                  | Verdict           | What a run does                           |
 * |-----------------------------------------------------------------------|-------------------|-------------------------------------------|
 * | `accepted`, or a person answered `has`                                | `alreadyAccepted` | returns the earlier result                |
 * | the same, but with other content                                      | `conflict`        | sends nothing                             |
 * | an open number whose attempt may still run; or `preparing` in another | `beingSent`       | sends nothing; run again later            |
 * | workflow, because claims do not protect across workflows              |                   |                                           |
 * | an open number                                                        | `unknown`         | sends nothing until a person answers      |
 * | the same, but with other content                                      | `conflict`        | sends nothing                             |
 * | otherwise: no number, or all ended `rejected`, `notSent` or `hasNot`  | `free`            | claims the number after the highest       |
 *
 * What a run does, step by step. A kill may follow each step.
 *
 * | Step     | Effect                                      | If it succeeds          | If it fails, or the reply is lost               |
 * |----------|---------------------------------------------|-------------------------|-------------------------------------------------|
 * | insert   | adds rows `preparing`                       | read                    | read: without its row, a payment is `notSent`   |
 * | read     | reads all rows of its payments              | judge, then decide      | nothing is sent: `notSent`                      |
 * | decide   | limits and refusals, which may only forbid  | begin or claim          |                                                 |
 * | begin    | claims the payment run, adds row `begun`    | claim                   | read again: claim, begin, `notSent`, `unknown`  |
 * | claim    | claims each payment's key and number        | mark                    | read again: the verdict, or `unknown`           |
 * | mark     | adds rows `sending` with the number         | send                    | `notSent`, so the next number is free           |
 * | send     | sends the request, unless it is too late    | write                   | `unknown`                                       |
 * | write    | adds the results, removes the other rows    | the next package        | the rows stay `sending`: unknown to later runs  |
 *
 * A claim is lost if another attempt won it. If no row shows that attempt, the payment is `unknown`, and a row says so, which a person
 * can resolve. If certainly nothing was claimed, the payment is `notSent`.
 *
 * What *Resolve* does with a person's answer. The first line that fits counts:
 *
 * | The payment has                                                       | `has`                        | `hasNot`                       |
 * |-----------------------------------------------------------------------|------------------------------|--------------------------------|
 * | a row `accepted` or `has`                                             | nothing to record            | refused                        |
 * | an attempt that may still run                                         | refused                      | refused                        |
 * | no number                                                             | refused                      | refused                        |
 * | no open number                                                        | recorded for its last number | nothing to record              |
 * | open numbers, and the answer is about another attempt                 | recorded for all of them     | refused: it was sent again     |
 * | open numbers                                                          | recorded for all of them     | recorded for all: free again   |
 *
 * Why nobody is paid twice: a number is won once, and only its winner writes that it moved no money. The next number is tried only after
 * that, or after a person's answer about the payment.
 * Why there is no dead end: nothing is deleted that a decision needs. Each payment ends as accepted, free, being sent (until a time) or
 * unknown (until a person answers).
 */

export const logStates = [
	/** Written before the claim. Never permits a payment, and forbids one only until its time is over. */
	'preparing',
	/** Written before the request. */
	'sending',
	/** Results. `unknown` is also written for a number that is claimed although no row shows by whom. */
	'accepted',
	'rejected',
	'notSent',
	'unknown',
	/** A person's answer about the payment. */
	'has',
	'hasNot',
	/** The row of a payment run: its payments are identified as `content` says. */
	'begun',
] as const;

export type LogState = (typeof logStates)[number];

/** The columns of the payment log that decide. */
export interface LogEntry {
	/** Digest that identifies the payment, or the payment run. */
	readonly key: string;
	/** Identifies the request that the row belongs to. */
	readonly attempt: string;
	/** The workflow that owns the claim. */
	readonly workflow: string;
	/** Number of the claim; 0 before it. */
	readonly number: number;
	readonly state: LogState;
	/** Until when the attempt may run, in milliseconds since 1970. 0 once it has ended. */
	readonly until: number;
	/** Digest of the payment's fields, or how a payment run identifies its payments. Empty: not known, so nothing differs. */
	readonly content: string;
}

export type Verdict<Row extends LogEntry = LogEntry> =
	| { readonly is: 'free'; readonly number: number; readonly isAnswered: boolean }
	| { readonly is: 'alreadyAccepted' | 'conflict' | 'beingSent'; readonly row: Row }
	/** `row` is absent if the number is claimed and no row shows by whom. */
	| { readonly is: 'unknown'; readonly row?: Row };

/** What identifies a payment or payment run in the log. */
export interface LogKey {
	readonly key: string;
	readonly content: string;
}

const isOver = ({ state }: LogEntry): boolean => state === 'rejected' || state === 'notSent' || state === 'hasNot';
/** Whether a row says that the bank has the payment. */
export const isMade = ({ state }: LogEntry): boolean => state === 'accepted' || state === 'has';
const numberOf = ({ workflow, number }: LogEntry): string => `${workflow} ${number}`;

/** Rows of numbers that may have moved money. */
function openRows<Row extends LogEntry>(rows: readonly Row[]): Row[] {
	const ended = new Set(rows.filter((row) => row.number > 0 && isOver(row)).map(numberOf));
	return rows.filter((row) => (row.state === 'sending' || row.state === 'unknown') && !ended.has(numberOf(row)));
}

/**
 * What the log says about a payment.
 * @param rows all rows of its key
 * @param own the workflow that claims
 */
export function judge<Row extends LogEntry>(
	{ content }: LogKey,
	rows: readonly Row[],
	own: string,
	now: number,
): Verdict<Row> {
	const isSame = (row: Row): boolean => content === '' || row.content === content;
	const made = rows.filter(isMade);
	const row = made.find(isSame) ?? made.at(-1);
	if (row !== undefined) return { is: isSame(row) ? 'alreadyAccepted' : 'conflict', row };
	const open = openRows(rows);
	const elsewhere = rows.filter(({ state, workflow }) => state === 'preparing' && workflow !== own);
	const running = [...open, ...elsewhere].find(({ until }) => until > now);
	if (running !== undefined) return { is: 'beingSent', row: running };
	const last = open.at(-1);
	if (last !== undefined) return { is: isSame(last) ? 'unknown' : 'conflict', row: last };
	const ended = rows.filter((one) => isOver(one) && one.workflow === own);
	const highest = Math.max(0, ...ended.map(({ number }) => number));
	const isAnswered = ended.some((one) => one.number === highest && one.state === 'hasNot');
	return { is: 'free', number: highest + 1, isAnswered };
}

/** Payments that are sent in one request, and the time that it may take. */
export interface Part {
	readonly attempt: string;
	/** The payment run, with the way in which it identifies payments. */
	readonly run?: LogKey | undefined;
	readonly payments: readonly LogKey[];
	/** The request is not handed over later than this. */
	readonly sendBefore: number;
	/** From then on other runs consider the attempt ended: `sendBefore`, the time of a request, and a margin for clocks. */
	readonly until: number;
}

export type Outcome = 'accepted' | 'rejected' | 'notSent' | 'unknown';

/** What this run did with a payment. */
export type Result<Row extends LogEntry = LogEntry> =
	| Exclude<Verdict<Row>, { is: 'free' }>
	/** The request was handed over, or refused at that moment. */
	| { readonly is: 'answered'; readonly outcome: Outcome }
	| { readonly is: 'notSent'; readonly why: NotSent; readonly row?: Row };

export type NotSent =
	/** The payment log could not be read, or could not be written before the request. */
	| 'logFailed'
	/** Certainly nothing was claimed. */
	| 'claimFailed'
	/** Limits, or a refusal of the whole run. */
	| 'refused'
	/** An earlier part ended the run. */
	| 'stopped'
	/** Another execution claimed it and has just ended. */
	| 'justEnded'
	/** The payment run identifies its payments in the other way. */
	| 'otherIdentification'
	/** Another execution is beginning the payment run. */
	| 'runBeginning';

export type Effect =
	| { readonly do: 'insert' | 'mark'; readonly rows: readonly LogEntry[] }
	| { readonly do: 'read'; readonly keys: readonly string[] }
	| { readonly do: 'decide' }
	/** Claims the payment run. `begun` is added as soon as the claim is won. */
	| { readonly do: 'begin'; readonly begun: LogEntry }
	| { readonly do: 'claim'; readonly numbers: Readonly<Record<string, number>> }
	| { readonly do: 'send'; readonly part: number; readonly keys: readonly string[] }
	/** Adds rows, then removes the rows of these attempts that have an `until`. Nothing depends on their removal. */
	| { readonly do: 'write'; readonly rows: readonly LogEntry[]; readonly attempts: readonly string[] };

export type Event<Row extends LogEntry = LogEntry> =
	| { readonly is: 'start' | 'done' }
	/** `isCertain`: nothing was changed. */
	| { readonly is: 'failed'; readonly isCertain?: boolean }
	| { readonly is: 'rows'; readonly rows: readonly Row[]; readonly now: number }
	| { readonly is: 'decided'; readonly refused: readonly string[] }
	| { readonly is: 'claimed'; readonly won: readonly string[] }
	/** `stops`: the later parts are not sent. */
	| { readonly is: 'answered'; readonly outcomes: Readonly<Record<string, Outcome>>; readonly stops?: boolean };

export interface RunState<Row extends LogEntry = LogEntry> {
	readonly workflow: string;
	readonly parts: readonly Part[];
	/** The part whose turn it is. */
	readonly at: number;
	/** The effect that was started last. */
	readonly doing: 'nothing' | 'readAfterBegin' | 'readAfterClaim' | Effect['do'];
	/** Numbers of the payments that were free when the log was read. */
	readonly numbers: Readonly<Record<string, { number: number; isAnswered: boolean }>>;
	/** Payment runs that are known to identify payments as this run does. */
	readonly begun: readonly string[];
	/** Number of the payment run's claim. */
	readonly beginning: number;
	/** Claims of the part. */
	readonly won: readonly string[];
	readonly results: Readonly<Record<string, Result<Row>>>;
	/** Payments whose result could not be written. */
	readonly unwritten: readonly string[];
}

export interface Step<Row extends LogEntry = LogEntry> {
	readonly state: RunState<Row>;
	/** Undefined at the end. */
	readonly effect?: Effect;
}

export const createRun = <Row extends LogEntry = LogEntry>(
	workflow: string,
	parts: readonly Part[],
): RunState<Row> => ({
	workflow,
	parts,
	at: 0,
	doing: 'nothing',
	numbers: {},
	begun: [],
	beginning: 0,
	won: [],
	results: {},
	unwritten: [],
});

/** The next effect of a run after an event. */
export function step<Row extends LogEntry>(state: RunState<Row>, event: Event<Row>): Step<Row> {
	switch (state.doing) {
		case 'nothing':
			return insert(state);
		case 'insert':
			return read(state, 'read', state.parts);
		case 'read':
			return event.is === 'rows'
				? judgeAll(state, event)
				: { state: settle(state, allIn(state), notSent('logFailed')) };
		case 'decide':
			return decided(state, event);
		case 'begin':
			return afterBegin(state, event);
		case 'readAfterBegin':
			return explainBegin(state, event.is === 'rows' ? event : unreadable);
		case 'claim':
			return afterClaim(state, event);
		case 'readAfterClaim':
			return explainClaim(state, event.is === 'rows' ? event : unreadable);
		case 'mark':
			return event.is === 'failed' ? write(settlePart(state, notSent('logFailed'))) : send(state);
		case 'send':
			return afterSend(state, event);
		case 'write':
			return nextPart(
				event.is === 'failed' ? { ...state, unwritten: [...state.unwritten, ...numbered(state)] } : state,
			);
	}
}

interface Rows<Row extends LogEntry> {
	readonly rows: readonly Row[];
	readonly now: number;
}

const unreadable = { rows: [], now: 0 };
const notSent = (why: NotSent) => ({ is: 'notSent', why }) as const;

const noPart: Part = { attempt: '', payments: [], sendBefore: 0, until: 0 };
const partOf = (state: RunState): Part => state.parts[state.at] ?? noPart;
const isOpen = (state: RunState, key: string): boolean => key in state.numbers && !(key in state.results);
const openIn = (state: RunState, { payments } = partOf(state)): LogKey[] =>
	payments.filter(({ key }) => isOpen(state, key));
const allIn = ({ parts }: RunState): LogKey[] => parts.flatMap(({ payments }) => payments);
const entriesOf = ({ run, payments }: Part): LogKey[] => [...(run === undefined ? [] : [run]), ...payments];
const keysOf = (parts: readonly Part[]): string[] => [...new Set(parts.flatMap(entriesOf).map(({ key }) => key))];

/** A payment keeps its first result. */
const settleEach = <Row extends LogEntry>(
	state: RunState<Row>,
	payments: readonly LogKey[],
	resultOf: (payment: LogKey) => Result<Row>,
): RunState<Row> => ({
	...state,
	results: { ...Object.fromEntries(payments.map((payment) => [payment.key, resultOf(payment)])), ...state.results },
});

const settle = <Row extends LogEntry>(state: RunState<Row>, payments: readonly LogKey[], result: Result<Row>) =>
	settleEach(state, payments, () => result);

const settlePart = <Row extends LogEntry>(state: RunState<Row>, result: Result<Row>) =>
	settle(state, openIn(state), result);

function insert<Row extends LogEntry>(state: RunState<Row>): Step<Row> {
	const rows = state.parts.flatMap((part) =>
		entriesOf(part).map((entry) => rowOf(state, part, entry, { state: 'preparing', number: 0 })),
	);
	return { state: { ...state, doing: 'insert' }, effect: { do: 'insert', rows } };
}

const read = <Row extends LogEntry>(
	state: RunState<Row>,
	doing: RunState['doing'],
	parts: readonly Part[] = [partOf(state)],
): Step<Row> => ({ state: { ...state, doing }, effect: { do: 'read', keys: keysOf(parts) } });

function judgeAll<Row extends LogEntry>(state: RunState<Row>, { rows, now }: Rows<Row>): Step<Row> {
	const numbers: Record<string, { number: number; isAnswered: boolean }> = {};
	const results: Record<string, Result<Row>> = {};
	const begun: string[] = [];
	const own = new Set(rows.map(({ key, attempt }) => `${key} ${attempt}`));
	for (const part of state.parts) {
		const looked = look(state, part, { rows, now });
		if (looked.isBegun && part.run !== undefined) begun.push(part.run.key);
		for (const { key } of part.payments) {
			const verdict = looked.payments[key];
			if (verdict?.is !== 'free') results[key] = verdict ?? notSent('logFailed');
			// If this run's own row is missing, it was not added, or the table was replaced.
			else if (own.has(`${key} ${part.attempt}`)) numbers[key] = verdict;
			else results[key] = notSent('logFailed');
		}
	}
	return { state: { ...state, doing: 'decide', numbers, results, begun }, effect: { do: 'decide' } };
}

/** What the log says about the payments of a part: what a run would do with them now. Changes nothing. */
export function look<Row extends LogEntry>(
	run: Pick<RunState<Row>, 'workflow' | 'parts'>,
	part: Part,
	{ rows, now }: Rows<Row>,
): { payments: Record<string, Verdict<Row> | Result<Row>>; isBegun: boolean } {
	const byKey = Map.groupBy(rows, ({ key }) => key);
	const shown = part.run && identify(run, part.run, { rows, now });
	const judged: Record<string, Verdict<Row> | Result<Row>> = {};
	for (const payment of part.payments) {
		const verdict = judge(payment, byKey.get(payment.key) ?? [], run.workflow, now);
		const isOther = verdict.is === 'free' && shown?.isSame === false;
		judged[payment.key] = isOther ? { is: 'notSent', why: 'otherIdentification', row: shown.row } : verdict;
	}
	return { payments: judged, isBegun: shown?.isSame === true && shown.row.state === 'begun' };
}

/** The row that shows how a payment run identifies its payments. One that contradicts this run comes first, then `begun`. */
function identify<Row extends LogEntry>(
	{ parts }: Pick<RunState<Row>, 'parts'>,
	{ key, content }: LogKey,
	{ rows, now }: Rows<Row>,
): { row: Row; isSame: boolean } | undefined {
	const own = new Set(parts.map(({ attempt }) => attempt));
	const known = rows.filter((one) => one.key === key);
	const begun = known.filter(({ state }) => state === 'begun');
	const shown = [...begun, ...known.filter(({ attempt, until }) => !own.has(attempt) && until > now)];
	const row = shown.find((one) => one.content !== content) ?? shown[0];
	return row && { row, isSame: row.content === content };
}

/** Ends the payments that are refused, and removes the rows of parts that have nothing left to send. */
function decided<Row extends LogEntry>(state: RunState<Row>, event: Event<Row>): Step<Row> {
	const refused = allIn(state).filter(({ key }) => event.is !== 'decided' || event.refused.includes(key));
	const settled: RunState<Row> = { ...settle(state, refused, notSent('refused')), at: -1 };
	const idle = settled.parts.filter((part) => openIn(settled, part).length === 0);
	return idle.length === 0 ? nextPart(settled) : writeRows(settled, [], idle);
}

/** Claims the payment run of the part first, unless a row shows that it has begun. */
function nextPart<Row extends LogEntry>(before: RunState<Row>): Step<Row> {
	const at = before.parts.findIndex((part, index) => index > before.at && openIn(before, part).length > 0);
	if (at < 0) return { state: before };
	const state: RunState<Row> = { ...before, at, won: [] };
	const part = partOf(state);
	return part.run === undefined || state.begun.includes(part.run.key) ? claim(state) : begin(state, part.run, 1);
}

function begin<Row extends LogEntry>(state: RunState<Row>, run: LogKey, number: number): Step<Row> {
	const begun = { ...rowOf(state, partOf(state), run, { state: 'begun', number }), until: 0 };
	return { state: { ...state, doing: 'begin', beginning: number }, effect: { do: 'begin', begun } };
}

function afterBegin<Row extends LogEntry>(state: RunState<Row>, event: Event<Row>): Step<Row> {
	const { run } = partOf(state);
	if (event.is === 'failed' && event.isCertain === true) return write(settlePart(state, notSent('claimFailed')));
	if (event.is !== 'claimed' || run === undefined) return read({ ...state, beginning: Infinity }, 'readAfterBegin');
	if (event.won.length === 0) return read(state, 'readAfterBegin');
	return claim({ ...state, begun: [...state.begun, run.key] });
}

function explainBegin<Row extends LogEntry>(state: RunState<Row>, found: Rows<Row>): Step<Row> {
	const { run } = partOf(state);
	if (run === undefined) return claim(state);
	const shown = identify(state, run, found);
	if (shown?.isSame === true && shown.row.state === 'begun')
		return claim({ ...state, begun: [...state.begun, run.key] });
	if (shown !== undefined) {
		const why = shown.isSame ? 'runBeginning' : 'otherIdentification';
		return write(settlePart(state, { is: 'notSent', why, row: shown.row }));
	}
	// The payments may have been made with the other kind of key (sequence or phone). A person can answer for each of them. Then the payment
	// run begins again, so that answers about both kinds do not lead to two payments.
	const isAnswered = ({ key }: LogKey): boolean => {
		const free = state.numbers[key];
		return free?.isAnswered === true && free.number > state.beginning;
	};
	const unanswered = openIn(state).filter((payment) => !isAnswered(payment));
	const settled = settle(state, unanswered, { is: 'unknown' });
	return openIn(settled).length === 0 ? write(settled) : begin(settled, run, state.beginning + 1);
}

function claim<Row extends LogEntry>(state: RunState<Row>): Step<Row> {
	const numbers = Object.fromEntries(openIn(state).map(({ key }) => [key, state.numbers[key]?.number ?? 0]));
	return { state: { ...state, doing: 'claim' }, effect: { do: 'claim', numbers } };
}

function afterClaim<Row extends LogEntry>(state: RunState<Row>, event: Event<Row>): Step<Row> {
	if (event.is === 'failed' && event.isCertain === true) return write(settlePart(state, notSent('claimFailed')));
	const claimed = { ...state, won: event.is === 'claimed' ? event.won : [] };
	return openIn(claimed).every(({ key }) => claimed.won.includes(key))
		? mark(claimed)
		: read(claimed, 'readAfterClaim');
}

function explainClaim<Row extends LogEntry>(state: RunState<Row>, { rows, now }: Rows<Row>): Step<Row> {
	const { attempt } = partOf(state);
	const byKey = Map.groupBy(rows, ({ key }) => key);
	const lost = openIn(state).filter(({ key }) => !state.won.includes(key));
	const settled = settleEach(state, lost, (payment): Result<Row> => {
		const found = byKey.get(payment.key) ?? [];
		const verdict = judge(payment, found, state.workflow, now);
		const running = found.find((row) => row.attempt !== attempt && row.until > now);
		const taken = (): Result<Row> => (running === undefined ? { is: 'unknown' } : { is: 'beingSent', row: running });
		// If the log can be read, it has at least the row of this run.
		const isSameNumber =
			verdict.is === 'free' && (rows.length === 0 || verdict.number === state.numbers[payment.key]?.number);
		return verdict.is !== 'free' ? verdict : isSameNumber ? taken() : notSent('justEnded');
	});
	return openIn(settled).length === 0 ? write(settled) : mark(settled);
}

function mark<Row extends LogEntry>(state: RunState<Row>): Step<Row> {
	const part = partOf(state);
	const rows = openIn(state).map((one) =>
		rowOf(state, part, one, { state: 'sending', number: state.numbers[one.key]?.number ?? 0 }),
	);
	return { state: { ...state, doing: 'mark' }, effect: { do: 'mark', rows } };
}

const send = <Row extends LogEntry>(state: RunState<Row>): Step<Row> => ({
	state: { ...state, doing: 'send' },
	effect: { do: 'send', part: state.at, keys: openIn(state).map(({ key }) => key) },
});

function afterSend<Row extends LogEntry>(state: RunState<Row>, event: Event<Row>): Step<Row> {
	const outcomes = event.is === 'answered' ? event.outcomes : {};
	const settled = settleEach(state, openIn(state), ({ key }) => ({
		is: 'answered',
		outcome: outcomes[key] ?? 'unknown',
	}));
	if (event.is !== 'answered' || event.stops !== true) return write(settled);
	return write(settle(settled, allIn(state), notSent('stopped')), state.parts.slice(state.at));
}

/** What this run records about a payment of the part: nothing if it claimed no number for it. */
function recordOf(state: RunState, key: string): Pick<LogEntry, 'state' | 'number'> | undefined {
	const result = state.results[key];
	const number = state.numbers[key]?.number;
	if (result === undefined || number === undefined) return undefined;
	if (result.is === 'answered') return { state: result.outcome, number };
	if (result.is === 'unknown' && result.row === undefined) return { state: 'unknown', number };
	return state.won.includes(key) ? { state: 'notSent', number } : undefined;
}

/** Payments of the part that are recorded with a number. */
const numbered = (state: RunState): string[] =>
	partOf(state).payments.flatMap(({ key }) => (recordOf(state, key) === undefined ? [] : [key]));

function write<Row extends LogEntry>(state: RunState<Row>, parts = [partOf(state)]): Step<Row> {
	const part = partOf(state);
	const rows = part.payments.flatMap((payment) => {
		const record = recordOf(state, payment.key);
		return record === undefined ? [] : [{ ...rowOf(state, part, payment, record), until: 0 }];
	});
	return writeRows(state, rows, parts);
}

const writeRows = <Row extends LogEntry>(
	state: RunState<Row>,
	rows: readonly LogEntry[],
	parts: readonly Part[],
): Step<Row> => ({
	state: { ...state, doing: 'write' },
	effect: { do: 'write', rows, attempts: parts.map(({ attempt }) => attempt) },
});

const rowOf = (
	{ workflow }: RunState,
	{ attempt, until }: Part,
	{ key, content }: LogKey,
	record: Pick<LogEntry, 'state' | 'number'>,
): LogEntry => ({ key, attempt, workflow, ...record, until, content });

/** One row for each payment that was or may have been made. */
export const rowsPossiblyMade = <Row extends LogEntry>(rows: readonly Row[]): Row[] =>
	[...Map.groupBy(rows, ({ key }) => key).values()].flatMap(
		(own) => own.findLast(isMade) ?? openRows(own).at(-1) ?? [],
	);

/** What happens to a person's answer about a payment. */
export type AnswerResult<Row extends LogEntry = LogEntry> =
	/** Rows to add. */
	| { readonly is: 'recorded'; readonly rows: readonly Row[] }
	/** The log says the same already. */
	| { readonly is: 'known'; readonly row: Row }
	/** An attempt may still run. */
	| { readonly is: 'running'; readonly row: Row }
	| { readonly is: 'accepted'; readonly row: Row }
	/** The payment was sent again after the bank was asked. */
	| { readonly is: 'outdated'; readonly row: Row }
	| { readonly is: 'notFound' };

/**
 * Records whether the bank has a payment. The answer is about the payment, so it ends all its open numbers.
 * @param rows all rows of its key
 * @param attempt identifies the answer
 * @param asked the attempt about which the bank was asked, if known
 */
export function resolve<Row extends LogEntry>(
	rows: readonly Row[],
	answer: 'has' | 'hasNot',
	attempt: string,
	now: number,
	asked = '',
): AnswerResult<Row> {
	const last = rows.findLast(({ number }) => number > 0);
	const made = rows.find(isMade);
	if (made !== undefined) return { is: answer === 'has' ? 'known' : 'accepted', row: made };
	const running = rows.find(({ until }) => until > now);
	if (running !== undefined) return { is: 'running', row: running };
	if (last === undefined) return { is: 'notFound' };
	const rowsOpen = openRows(rows);
	const open = [...new Map(rowsOpen.map((row) => [numberOf(row), row])).values()];
	if (open.length === 0 && answer === 'hasNot') return { is: 'known', row: last };
	if (answer === 'hasNot' && asked !== '' && rowsOpen.every((row) => row.attempt !== asked))
		return { is: 'outdated', row: rowsOpen.at(-1) ?? last };
	const ended = open.length === 0 ? [last] : open;
	return { is: 'recorded', rows: ended.map((row) => ({ ...row, attempt, state: answer, until: 0 })) };
}
