/** Output fields with tokens, which n8n redacts in stored executions. */
import { operations } from '@bank/core';

import { oracle, type OperationOracle } from '../../fixtures/src/oracle.ts';
import { nodeNames } from '../scripts/names.ts';
import { descriptions } from './support/forms.ts';

const secret = /token|secret|password/i;

/** Matches `access_token` and "a refresh token" in both spellings that APIs use. */
const spelled = (words: string) =>
	[...words.matchAll(/(\w+?)[ _]token\b/g)].flatMap(([, kind = '']) => [`${kind}_token`, `${kind}Token`]);

/** Names of secrets in the response: documented fields, or else words of the purpose. */
function secretsGiven({ response, purpose, notShown }: OperationOracle): string[] {
	const fields = Object.keys(response ?? {}).map((path) => path.replaceAll('[]', ''));
	const [, exchangedFor = ''] = notShown.includes('response') ? (/\bexchanges? .* for (.*)/i.exec(purpose) ?? []) : [];
	return [...fields.filter((path) => secret.test(path.split('.').at(-1) ?? '')), ...spelled(exchangedFor)];
}

const giving = oracle.filter((operation) => secretsGiven(operation).length > 0);

test('exactly the operations whose response has tokens are marked', () => {
	const marked = operations.filter(({ returnsSecrets }) => returnsSecrets === true).map(({ id }) => id);
	expect(giving.length).toBeGreaterThan(0);
	expect(marked.toSorted()).toEqual(giving.map(({ id }) => id).toSorted());
});

test.each(giving.map((operation) => [operation.id, operation] as const))(
	'%s: n8n redacts all of them',
	(_, operation) => {
		const hidden = descriptions[operation.node].sensitiveOutputFields ?? [];
		expect(secretsGiven(operation).filter((field) => !hidden.includes(field))).toEqual([]);
	},
);

test.each(nodeNames)('%s redacts nothing if none of its operations returns tokens', (name) => {
	const gives = giving.some(({ node }) => node === name);
	expect(descriptions[name].sensitiveOutputFields !== undefined).toBe(gives);
});
