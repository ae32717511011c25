import { isBankFailure, textOrNumber } from '@bank/core';

import { type JobResult, outcomeIn } from './present.ts';
import type { Run } from './run.ts';

/** The most serious first: there is not room for all of a thousand packages. */
const outcomes = ['unknown', 'conflict', 'rejected', 'notSent', 'accepted'];

/** As long as n8n keeps a value without complaining. */
const longest = 255;

/**
 * By what a payment is found again in n8n: attributes of the node's span in its OpenTelemetry, and data of the execution, by which the
 * list of executions can be filtered. Only words of the bank and of ours, nothing of persons and nothing secret. Of ten values that an
 * execution may have it takes four, and none for what only reads.
 */
export function leaveTrace(run: Run, made: readonly (JobResult | undefined)[]): void {
	const { context, operation } = run;
	const found = made.flatMap((one) => (one === undefined ? [] : [foundBy(one)]));
	const serious = found.toSorted((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
	const valuesOf = (name: 'outcome' | 'package' | 'requestId') => serious.map((one) => one[name]);
	const changes = !['none', 'read'].includes(operation.effect);
	const told: Record<string, string[]> = {
		operation: [operation.id],
		...(changes ? { outcome: valuesOf('outcome'), package: valuesOf('package') } : {}),
		requestId: valuesOf('requestId'),
	};
	try {
		const tracing = Object.entries(told).map(([name, values]) => [`bank.${name}`, joined(values)]);
		context.setMetadata?.({ tracing: Object.fromEntries(tracing.filter(([, value]) => value !== '')) });
		if (!changes) return;
		const { customData } = context.getWorkflowDataProxy?.(0).$execution ?? {};
		for (const [name, values] of Object.entries(told)) {
			const key = `bank_${name}`;
			// An earlier node of the execution, or this one before in a loop, may have left some.
			const value = joined([...values, ...String(customData?.get(key) ?? '').split(', ')]);
			if (value !== '') customData?.set(key, value);
		}
	} catch {
		// Whatever was asked for has been done: that it cannot be found by a filter must not look like a failure of it.
	}
}

/** Each once, as many as fit. */
const joined = (values: readonly string[]): string =>
	[...new Set(values)]
		.filter((value) => value !== '')
		.reduce((text, value) => {
			const longer = text === '' ? value : `${text}, ${value}`;
			return longer.length > longest ? text : longer;
		}, '');

function foundBy(made: JobResult): { outcome: string; package: string; requestId: string } {
	if (!('items' in made)) {
		const { outcome = 'notSent', requestId = '' } = isBankFailure(made.failure) ? made.failure.details : {};
		return { outcome, package: '', requestId };
	}
	const { items, requestId = '' } = made;
	const payPackage = items.map(({ json }) => textOrNumber(json.payPackage)).find((value) => value !== '') ?? '';
	const found = new Set(items.map(({ json }) => outcomeIn(json)));
	const outcome = outcomes.find((one) => found.has(one)) ?? 'accepted';
	return { outcome, package: payPackage, requestId };
}
