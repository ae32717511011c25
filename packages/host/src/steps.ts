// Runs the steps of a command, prints one line per step, and stops at the first failure.
import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';

/** Functions that close opened resources, called in reverse order at the end. */
export const cleanups: Array<() => Promise<unknown>> = [];
let step = '';
let interrupted = false;

/** Runs the steps and closes what they opened, even after Ctrl-C. Prints what they return. */
export async function runSteps(steps: () => Promise<string>): Promise<void> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
	try {
		console.log(await steps());
	} catch (error) {
		const text = error instanceof AssertionError ? error.message : inspect(error);
		if (!interrupted) console.error(step === '' ? text : `FAILED  ${step}\n        ${text}`);
		process.exitCode = 1;
	} finally {
		await closeAll();
	}
}

/** Runs a step and prints a line with its title, followed by the text that the step returns, if any. */
export async function reportStep<T>(title: string, work: () => Promise<T>): Promise<T> {
	step = title;
	const result = await work();
	console.log(`passed  ${title}${typeof result === 'string' ? `: ${result}` : ''}`);
	return result;
}

function stop() {
	interrupted = true;
	void closeAll().finally(() => process.exit(130));
}

async function closeAll() {
	for (const close of cleanups.splice(0).reverse()) await close().catch((error: unknown) => console.error(error));
}
