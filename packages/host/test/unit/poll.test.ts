import { pollUntil } from '../../src/poll.ts';

test('asks until there is an answer', async () => {
	const answers = [undefined, undefined, 'yes'];
	expect(await pollUntil(async () => answers.shift(), { what: 'An answer', timeoutMs: 20_000, intervalMs: 1 })).toBe(
		'yes',
	);
});

test('says what did not happen, and the detail', async () => {
	const never = pollUntil(async () => undefined, {
		what: 'An answer',
		timeoutMs: 5,
		intervalMs: 1,
		detail: () => 'the log',
	});
	await expect(never).rejects.toThrow('An answer did not happen within 0.005 s\nthe log');
});

test('a fault of the question ends the wait', async () => {
	const failing = pollUntil(async () => Promise.reject(new Error('gone')), { what: 'An answer', timeoutMs: 20_000 });
	await expect(failing).rejects.toThrow('gone');
});
