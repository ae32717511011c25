/**
 * Detects values that an earlier node computed from the time or the execution. Only the value is known here, so only
 * clear cases are rejected; expressions of the node itself are checked in nondeterministic.ts.
 */

/** Time, time zone and execution of a check. */
export interface RunMoment {
	now: number;
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	executionId: string;
	/** Whether an earlier node uses the execution ID. If not, a short number can be anything. */
	usesExecutionId: boolean;
}

/** A time this close to now was most likely read from a clock in this run. */
const closeMs = 15 * 60_000;

const minutesOfDay = 24 * 60;

const resumeUrl = /\/(?:webhook|form)-waiting(?:-test)?\//;

/** ISO 8601 and the like: `2026-11-23T18:55:00.000+03:00`, `2026-11-23 18:55`, `20261123185500`. */
const instants =
	/(\d{4})-?(\d{2})-?(\d{2})[T _-]?(\d{2})[:.-]?(\d{2})(?:[:.-]?(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?/gi;

/** `18:55`, `6:55:00 pm`. */
const timesOfDay = /(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?:\.\d+)?\s*([ap]m)?/gi;

/** Seconds or milliseconds since 1970, in this century. */
const epochs = /(?<!\d)(\d{10}|\d{13})(?!\d)/g;

/** @returns the unstable part of a value that identifies a payment or a payout; undefined if it may be stable */
export function unstablePart(value: string, moment: RunMoment): 'time' | 'execution' | 'resumeUrl' | undefined {
	if (resumeUrl.test(value)) return 'resumeUrl';
	const { executionId, usesExecutionId } = moment;
	const isOfExecution = executionId !== '' && value.split(/[^\p{L}\p{N}]+/u).includes(executionId);
	if (isOfExecution && usesExecutionId) return 'execution';
	return hasTimeCloseToNow(value, moment) ? 'time' : undefined;
}

function hasTimeCloseToNow(value: string, { now, timeZone }: RunMoment): boolean {
	const isClose = (time: number) => Math.abs(time - now) <= closeMs;
	for (const [, digits = ''] of value.matchAll(epochs))
		if (isClose(Number(digits) * (digits.length === 10 ? 1000 : 1))) return true;
	const clocks = [minuteOfDay(now, timeZone), minuteOfDay(now, 'UTC')];
	for (const [, year, month, day, hour, minute, second = '00', zone] of value.matchAll(instants)) {
		const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
		// Without a zone it may be UTC or local time, which differ by whole or half hours.
		if (zone === undefined ? isOnAClock(text, clocks, now) : isClose(Date.parse(text + zone.toUpperCase())))
			return true;
	}
	for (const [, hour, minute, half] of value.replace(instants, ' ').matchAll(timesOfDay)) {
		const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
		if (isNear(hours * 60 + Number(minute), clocks)) return true;
	}
	return false;
}

/** A date and time that is the current time in some time zone. */
function isOnAClock(text: string, clocks: readonly number[], now: number): boolean {
	const time = Date.parse(`${text}Z`);
	const minute = Math.floor(time / 60_000) % minutesOfDay;
	return Math.abs(time - now) <= minutesOfDay * 60_000 && isNear(minute, clocks);
}

const isNear = (minute: number, clocks: readonly number[]): boolean =>
	clocks.some((clock) => {
		const apart = Math.abs(clock - minute) % minutesOfDay;
		return Math.min(apart, minutesOfDay - apart) * 60_000 <= closeMs;
	});

function minuteOfDay(now: number, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
	}).format(now);
	const [hour = '0', minute = '0'] = parts.split(':');
	return Number(hour) * 60 + Number(minute);
}

/** Whether a value contains today's date, so that it will differ tomorrow. */
export function hasToday(value: string, { now, timeZone }: Pick<RunMoment, 'now' | 'timeZone'>): boolean {
	const days = [timeZone, 'UTC'].map((zone) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now));
	return days.some((iso) => {
		const [year = '', month = '', day = ''] = iso.split('-');
		const spellings = [
			iso,
			`${year}${month}${day}`,
			`${day}.${month}.${year}`,
			`${day}/${month}/${year}`,
			`${month}/${day}/${year}`,
			`${day}-${month}-${year}`,
		];
		return spellings.some((spelling) => value.includes(spelling));
	});
}
