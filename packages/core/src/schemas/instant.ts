import { isRealDay } from './fields.ts';

/**
 * A moment in milliseconds since 1970, of what date pickers, Luxon, `Date` or ISO text give; undefined where it is none. Text without a
 * zone is a time on the clocks of `timeZone`, an IANA name.
 */
export function instantOf(value: unknown, timeZone: string): number | undefined {
	if (value instanceof Date) return finite(value.getTime());
	if (typeof value === 'object' && value !== null && 'toMillis' in value && typeof value.toMillis === 'function')
		return finite(Number(value.toMillis()));
	if (typeof value !== 'string') return undefined;
	const written =
		/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?(?:\[[^\]]*\])?$/.exec(
			value.trim(),
		);
	const [, day = '', time = '00:00', zone] = written ?? [];
	if (!isRealDay(day)) return undefined;
	const instant = finite(Date.parse(`${day}T${time}${zone ?? 'Z'}`));
	return instant === undefined || zone !== undefined ? instant : onTheClocksOf(timeZone, instant);
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
