/** Payment runs and sequences that an earlier node computed and that would differ on the next run are rejected. */
import { hasToday, type RunMoment, unstablePart } from '../../nodes/shared/form/unstablePart.ts';

const moment: RunMoment = {
	now: Date.parse('2026-11-23T15:55:10.123Z'),
	timeZone: 'Europe/Moscow',
	executionId: '4711',
	usesExecutionId: false,
};
const partOf = (value: string, change: Partial<RunMoment> = {}) => unstablePart(value, { ...moment, ...change });

it.each([
	'2026-11-23T15:55:10.123Z',
	'2026-11-23T18:55:10.123+03:00',
	'2026-11-23T18:55:10+0300',
	'2026-11-23 18:55',
	'20261123185510',
	'2026-11-23T15:44',
	'salary 2026-11-23T16:08:00.000Z',
	'18:55',
	'6:55 pm',
	'23.11.2026 18:55',
	'11/23/2026, 6:55:10 PM',
	'Mon Nov 23 2026 18:55:10 GMT+0300',
	'1795449310',
	'1795449310123',
	'I-1795449310123-7',
])('the current time is refused: %s', (value) => {
	expect(partOf(value)).toBe('time');
});

it.each([
	'salary-2026-11',
	'2026-11-23',
	'23.11.2026',
	'20261123',
	'2026-W48',
	'INV-2026-00042',
	'Д-18',
	'1855',
	'4711',
	'2026-11-23T09:00:00.000Z',
	'2025-11-23T15:55:10Z',
	'2026-12-24T15:55:10Z',
	'08:00',
	'100000000111',
	'1695449310123',
	'40702810000000000001',
	'',
])('a month, day, number or another time is accepted: %s', (value) => {
	expect(partOf(value)).toBeUndefined();
});

it.each(['4711', 'payout-4711', 'run 4711/2'])(
	'the execution ID is refused if an earlier node uses it: %s',
	(value) => {
		expect(partOf(value, { usesExecutionId: true })).toBe('execution');
		expect(partOf(value)).toBeUndefined();
	},
);

it.each(['47110', '14711', 'INV-2026'])(
	'a value that only contains the digits of the execution ID is accepted: %s',
	(value) => {
		expect(partOf(value, { usesExecutionId: true })).toBeUndefined();
	},
);

it('a resume URL is refused', () => {
	for (const path of ['webhook-waiting', 'form-waiting', 'webhook-waiting-test'])
		expect(partOf(`https://n8n.test/${path}/4711?signature=x`)).toBe('resumeUrl');
	expect(partOf('https://n8n.test/webhook/4711')).toBeUndefined();
});

it("today's date is recognized in several formats, in the time zone of the workflow and in UTC", () => {
	const late = { now: Date.parse('2026-11-23T22:30:00Z'), timeZone: 'Europe/Moscow' };
	for (const value of ['2026-11-24', 'pay 24.11.2026', '20261124', '11/24/2026', '24/11/2026', '2026-11-23'])
		expect([value, hasToday(value, late)]).toEqual([value, true]);
	for (const value of ['2026-11', '2026-11-25', 'salary', ''])
		expect([value, hasToday(value, late)]).toEqual([value, false]);
});
