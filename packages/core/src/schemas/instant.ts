import { isRealDay } from './fields.ts';

/** Of a `Date`, and of a Luxon date, of which core must know nothing but that it tells its milliseconds. */
export function dateOf(value: unknown): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value !== 'object' || value === null || !('toMillis' in value)) return undefined;
	const millis: unknown = typeof value.toMillis === 'function' ? Reflect.apply(value.toMillis, value, []) : undefined;
	return millis === undefined ? undefined : new Date(Number(millis));
}

/** A day, perhaps with a time and its zone: ISO 8601 as date pickers, Luxon, databases and other nodes write it. */
export const writtenDate =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?)?(?:\[[^\]]*\])?$/i;

/** The moment in milliseconds since 1970 of what `writtenDate` has found; `NaN` where there is none. */
export const momentOf = (day: string, time: string, zone: string): number =>
	Date.parse(
		`${day}T${time}${zone.toUpperCase().replace(/^(.\d{2}):?(\d{2})?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)}`,
	);

/**
 * A moment in milliseconds since 1970, of what date pickers, Luxon, `Date` or ISO text give; undefined where it is none. Text without a
 * zone is a time on the clocks of `timeZone`, an IANA name.
 */
export function instantOf(value: unknown, timeZone: string): number | undefined {
	const date = dateOf(value);
	if (date !== undefined) return finite(date.getTime());
	if (typeof value !== 'string') return undefined;
	const [, day = '', time = '00:00', zone] = writtenDate.exec(value.trim()) ?? [];
	if (!isRealDay(day)) return undefined;
	const instant = finite(momentOf(day, time, zone ?? 'Z'));
	return instant === undefined || zone !== undefined ? instant : onTheClocksOf(timeZone, instant);
}

/** The calendar day of an instant, in milliseconds since 1970, in an IANA time zone. */
export function dayIn(instant: number, timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
		instant,
	);
}

const finite = (milliseconds: number): number | undefined => (Number.isNaN(milliseconds) ? undefined : milliseconds);

/** What a clock in UTC shows -> the moment when those of the zone show it. */
function onTheClocksOf(timeZone: string, shown: number): number {
	const guess = shown - aheadOfUtc(timeZone, shown);
	// Right unless the clocks were changed in between: then the second look is.
	return shown - aheadOfUtc(timeZone, guess);
}

function aheadOfUtc(timeZone: string, instant: number): number {
	const format = new Intl.DateTimeFormat('en-CA', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	});
	const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
	const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
		parts.get(type as Intl.DateTimeFormatPartTypes),
	);
	const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
	return shown - Math.trunc(instant / 1000) * 1000;
}
