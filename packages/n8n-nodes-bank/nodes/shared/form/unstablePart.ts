import { dayIn, instantOf } from '@bank/core';

/** Parts of a text that another run would not repeat. */

export interface RunMoment {
	now: number;
	timeZone: string;
	executionId: string;
	/** Whether an earlier node uses the execution ID. If not, a short number can be anything. */
	usesExecutionId: boolean;
}

/** A time this close to now was most likely read from a clock in this run. */
const closeMs = 15 * 60_000;

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
	const isClose = (time = NaN) => Math.abs(time - now) <= closeMs;
	// Without a zone, it may be local time or UTC.
	const isNow = (day: string, time: string) =>
		[timeZone, 'UTC'].some((zone) => isClose(instantOf(`${day}T${time}`, zone)));
	for (const [, digits = ''] of value.matchAll(epochs))
		if (isClose(Number(digits) * (digits.length === 10 ? 1000 : 1))) return true;
	for (const [, year, month, date, hour, minute, second = '00', zone] of value.matchAll(instants)) {
		const [day, time] = [`${year}-${month}-${date}`, `${hour}:${minute}:${second}`];
		if (zone === undefined ? isNow(day, time) : isClose(Date.parse(`${day}T${time}${zone.toUpperCase()}`))) return true;
	}
	// Just after midnight, it may be a time of the day before.
	const days = () => [now, now - closeMs].flatMap((instant) => [dayIn(instant, timeZone), dayIn(instant, 'UTC')]);
	for (const [, hour, minute, half] of value.replace(instants, ' ').matchAll(timesOfDay)) {
		const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
		const time = `${String(hours).padStart(2, '0')}:${minute}`;
		if (days().some((day) => isNow(day, time))) return true;
	}
	return false;
}

/** Whether a value contains today's date, so that it will differ tomorrow. */
export function hasToday(value: string, { now, timeZone }: Pick<RunMoment, 'now' | 'timeZone'>): boolean {
	return [timeZone, 'UTC'].some((zone) => {
		const iso = dayIn(now, zone);
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
