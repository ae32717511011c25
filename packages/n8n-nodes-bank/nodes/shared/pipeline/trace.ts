import { isBankFailure, textOrNumber } from '@bank/core';

import { outcomeIn } from './outcomeHints.ts';
import { type JobResult } from './present.ts';
import type { Run } from '../form/run.ts';

/** Most serious first, because n8n may cut off long values. */
const outcomes = ['unknown', 'conflict', 'rejected', 'notSent', 'accepted'];

/** n8n cuts off longer values. */
const maxLength = 255;

/**
 * Makes a payment searchable in n8n: sets attributes of the OpenTelemetry span, and custom data to filter the list of
 * executions. Contains no personal data and no secrets. Uses four of the ten custom values of an execution, none for
 * reads.
 */
export function writeTrace(run: Run, made: readonly (JobResult | undefined)[]): void {
	const { context, operation } = run;
	const found = made.flatMap((one) => (one === undefined ? [] : [foundBy(one)]));
	const serious = found.toSorted((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
	const valuesOf = (name: 'outcome' | 'package' | 'requestId') => serious.map((one) => one[name]);
	const changes = !['none', 'read'].includes(operation.effect);
	const attributes: Record<string, string[]> = {
		operation: [operation.id],
		...(changes ? { outcome: valuesOf('outcome'), package: valuesOf('package') } : {}),
		requestId: valuesOf('requestId'),
	};
	try {
		const tracing = Object.entries(attributes).map(([name, values]) => [`bank.${name}`, joined(values)]);
		context.setMetadata?.({ tracing: Object.fromEntries(tracing.filter(([, value]) => value !== '')) });
		if (!changes) return;
		const { customData } = context.getWorkflowDataProxy?.(0).$execution ?? {};
		for (const [name, values] of Object.entries(attributes)) {
			const key = `bank_${name}`;
			// Keeps the values of earlier nodes and loop iterations.
			const value = joined([...values, ...String(customData?.get(key) ?? '').split(', ')]);
			if (value !== '') customData?.set(key, value);
		}
	} catch {
		// The request was carried out, so the node must not fail because the filter value could not be stored.
	}
}

/** Joins distinct values, as many as fit. */
const joined = (values: readonly string[]): string =>
	[...new Set(values)]
		.filter((value) => value !== '')
		.reduce((text, value) => {
			const longer = text === '' ? value : `${text}, ${value}`;
			return longer.length > maxLength ? text : longer;
		}, '');

function foundBy(made: JobResult): { outcome: string; package: string; requestId: string } {
	if (made.items === undefined) {
		const { outcome = 'notSent', requestId = '' } = isBankFailure(made.failure) ? made.failure.details : {};
		return { outcome, package: '', requestId };
	}
	const { items, requestId = '' } = made;
	const payPackage = items.map(({ json }) => textOrNumber(json.payPackage)).find((value) => value !== '') ?? '';
	const found = new Set(items.map(({ json }) => outcomeIn(json)));
	const outcome = outcomes.find((one) => found.has(one)) ?? 'accepted';
	return { outcome, package: payPackage, requestId };
}
