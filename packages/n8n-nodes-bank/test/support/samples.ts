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

/** Fields of a body, as the form asks for them one by one; lists and objects have a form of their own. */
export function plainFields({ body }: Sample['input']): Record<string, unknown> {
	return Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => typeof value !== 'object'));
}

/** The sample of an operation that has only what is required. */
export function smallestSample(id: string): Sample {
	const found = casesOf<Sample>(id).find(({ name }) => name === 'only the required fields');
	if (found === undefined) throw new Error(`${id} has no sample with only the required fields`);
	return found;
}
