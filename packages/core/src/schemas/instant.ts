import { isRealDay } from './fields.ts';

/** Accepts `Date` and Luxon dates, which core recognizes only by `toMillis`. */
export function toDate(value: unknown): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value !== 'object' || value === null || !('toMillis' in value)) return undefined;
	const millis: unknown = typeof value.toMillis === 'function' ? Reflect.apply(value.toMillis, value, []) : undefined;
	return millis === undefined ? undefined : new Date(Number(millis));
}

/** ISO 8601 date, with optional time and zone, as written by date pickers, Luxon and databases. */
export const isoDatePattern =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?)?(?:\[[^\]]*\])?$/i;

/** Milliseconds since 1970 of the parts that `isoDatePattern` finds; `NaN` if invalid. */
export const parseInstant = (day: string, time: string, zone: string): number =>
	Date.parse(
		`${day}T${time}${zone.toUpperCase().replace(/^(.\d{2}):?(\d{2})?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)}`,
	);

/**
 * Milliseconds since 1970 of a `Date`, Luxon date or ISO text; undefined if it is not one. Text without a zone is in
 * `timeZone`, an IANA name.
 */
export function instantOf(value: unknown, timeZone: string): number | undefined {
	const date = toDate(value);
	if (date !== undefined) return finite(date.getTime());
	if (typeof value !== 'string') return undefined;
	const [, day = '', time = '00:00', zone] = isoDatePattern.exec(value.trim()) ?? [];
	if (!isRealDay(day)) return undefined;
	const instant = finite(parseInstant(day, time, zone ?? 'Z'));
	return instant === undefined || zone !== undefined ? instant : fromLocalTime(timeZone, instant);
}

/** The calendar day of an instant (milliseconds since 1970) in an IANA time zone. */
export function dayIn(instant: number, timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
		instant,
	);
}

const finite = (milliseconds: number): number | undefined => (Number.isNaN(milliseconds) ? undefined : milliseconds);

/** Converts a local time, given as if it were UTC, to an instant. */
function fromLocalTime(timeZone: string, shown: number): number {
	const guess = shown - aheadOfUtc(timeZone, shown);
	// The first guess is wrong close to a clock change; the second is not.
	return shown - aheadOfUtc(timeZone, guess);
}

function aheadOfUtc(timeZone: string, instant: number): number {
	// Swedish dates have the form of ISO 8601.
	const shown = new Date(instant).toLocaleString('sv-SE', { timeZone });
	return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.trunc(instant / 1000) * 1000;
}
