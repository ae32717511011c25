/** If the execution is stopped, waiting ends and the bank gets no further request. */
import { waitUnlessCancelled } from '../nodes/shared/base/wait.ts';

// These tests wait, on fake timers.
jest.mock('n8n-workflow', () => jest.requireActual<object>('n8n-workflow'));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it.each([
	['at the very end of the wait', 150],
	['long before its end', 60_000],
])('a stop %s ends the wait', async (_when, milliseconds) => {
	const stop = new AbortController();
	const waiting = waitUnlessCancelled(stop.signal)(milliseconds);
	setTimeout(() => stop.abort(), 100);
	await jest.advanceTimersByTimeAsync(500);
	expect(await waiting).toBe(false);
});

it('a wait that is not stopped takes its whole time', async () => {
	const told: boolean[] = [];
	void waitUnlessCancelled(undefined)(1050).then((goesOn) => told.push(goesOn));
	await jest.advanceTimersByTimeAsync(1049);
	expect(told).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	expect(told).toEqual([true]);
});
