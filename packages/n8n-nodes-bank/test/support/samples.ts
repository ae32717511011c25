import { casesOf } from '../../../fixtures/src/samples.ts';

interface Sample {
	name: string;
	input: {
		path: Record<string, string>;
		query: Record<string, unknown>;
		body?: unknown;
		nameless?: Record<string, { value: unknown; field: string }>;
		payload?: unknown;
	};
	response: { status: number; body?: unknown };
}

/** The sample of an operation that has only what is required. */
export function smallestSample(id: string): Sample {
	const found = casesOf<Sample>(id).find(({ name }) => name === 'only the required fields');
	if (found === undefined) throw new Error(`${id} has no sample with only the required fields`);
	return found;
}
