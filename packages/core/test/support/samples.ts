import { caseOf, casesOf } from '../../../fixtures/src/samples.ts';
import { joinPath, type FormPart } from '../../src/index.ts';
import type { DetailedInput } from './bank.ts';

export interface SampleCase {
	name: string;
	input: DetailedInput & { path: Record<string, unknown>; query: Record<string, unknown> };
	request: {
		method: string;
		path: string;
		query: [string, string][];
		body?: unknown;
		parts?: FormPart[];
		headers?: Record<string, string>;
	};
	response: { status: number; body?: unknown };
	output?: unknown;
}

export const samplesOf = (id: string): SampleCase[] => casesOf<SampleCase>(id);

export const sampleOf = (...[id, name]: Parameters<typeof caseOf>): SampleCase => caseOf<SampleCase>(id, name);

/** All field names in a value: `payments`, `payments[].amount`. */
export function namesIn(value: unknown, parent = ''): Set<string> {
	if (Array.isArray(value)) return new Set(value.flatMap((element) => [...namesIn(element, `${parent}[]`)]));
	if (typeof value !== 'object' || value === null) return new Set();
	return new Set(
		Object.entries(value).flatMap(([key, field]) => {
			const name = parent === '' ? key : `${parent}.${key}`;
			return [name, ...namesIn(field, name)];
		}),
	);
}

type Step = string | number;

/** The paths of all leaves or objects in a value. */
export function valuePathsIn(value: unknown, which: 'leaves' | 'objects', at: Step[] = []): Step[][] {
	if (typeof value !== 'object' || value === null) return which === 'leaves' ? [at] : [];
	const entries: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
	const inside = entries.flatMap(([step, field]) => valuePathsIn(field, which, [...at, step]));
	return which === 'objects' && !Array.isArray(value) ? [at, ...inside] : inside;
}

export const pathText = (steps: readonly Step[]): string => steps.reduce<string>(joinPath, '');

/** A copy with another value at the path; `undefined` removes it. */
export function withValue(value: unknown, steps: readonly Step[], replacement: unknown): unknown {
	const [step, ...rest] = steps;
	if (step === undefined) return replacement;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<Step, unknown>;
	const next = withValue(copy[step], rest, replacement);
	if (next === undefined && !Array.isArray(copy)) delete copy[step];
	else copy[step] = next;
	return copy;
}
