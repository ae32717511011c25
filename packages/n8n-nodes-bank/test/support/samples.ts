import { readFileSync } from 'node:fs';
import path from 'node:path';

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
	const file = path.resolve(__dirname, `../../../fixtures/samples/${id.replace('.', '/')}.json`);
	const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Sample[] };
	const found = cases.find(({ name }) => name === 'only the required fields');
	if (found === undefined) throw new Error(`${id} has no sample with only the required fields`);
	return found;
}
