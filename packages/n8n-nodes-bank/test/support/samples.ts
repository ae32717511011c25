import type { Operation } from '@bank/core';

import { caseOf } from '../../../fixtures/src/samples.ts';
import { binaryFile } from './bank.ts';

interface Sample {
	name: string;
	input: {
		path: Record<string, string>;
		query: Record<string, unknown>;
		body?: unknown;
		unnamedFields?: Record<string, unknown>;
		payload?: unknown;
		details?: { names?: Record<string, string> };
	};
	response: { status: number; body?: unknown };
}

/** Fields of the body that have one form field each. Lists and objects have their own forms. */
function plainFields({ body }: Sample['input']): Record<string, unknown> {
	return Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => typeof value !== 'object'));
}

export const smallestSample = (id: string): Sample => caseOf<Sample>(id, 'only the required fields');

/** Values for fields of hand-written forms. */
export const filledIn: Readonly<Record<string, unknown>> = {
	appId: '1',
	method: 'POST',
	path: '/somewhere',
	payload: '{"a": "1"}',
	transactionId: 'T-1',
	names: { purpose: 'purpose' },
	accessToken: 'token',
	borrowerType: 'individual',
	inn: '770000000000',
	partner: '{}',
	accountIds: ['1'],
};

/** Files for operations, by their default names. */
export const files = Object.fromEntries(
	['data', 'passportMain', 'passportRegistration', 'personalDataConsent', 'clientPhoto'].map((name) => [
		name,
		binaryFile(name),
	]),
);

/** Parameters of a valid request: the smallest sample, completed with `filledIn`. */
export function parametersOf({ id }: Operation): Record<string, unknown> {
	const { input } = smallestSample(id);
	const { path, query, unnamedFields, details: { names = {} } = {} } = input;
	// The user decides which fields say who is checked, so all of them are optional.
	const additional = id === 'unifiedCheck.run' ? { additionalFields: plainFields(input) } : {};
	return { ...filledIn, ...path, ...query, ...plainFields(input), ...additional, ...unnamedFields, names };
}
