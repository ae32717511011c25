import { demoCredentials, demoReferences } from '../../src/demoCredentials.ts';
import { afterAClick } from '../../src/workflows.ts';
import { type Bed, openBed } from '../support/bed.ts';

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
	await bed.sandbox.reset();
});

test("the demo's credentials pass their own test", async () => {
	const credentials = await demoCredentials(bed.sandbox);
	expect(new Set(credentials.map(({ type }) => type)).size).toBe(6);
	for (const { id, name, type, data } of credentials) {
		expect({ name, ...(await bed.rest.testCredential({ id, name, type, data })) }).toMatchObject({
			name,
			status: 'OK',
		});
	}
});

describe('what a form asks of n8n while it is filled in', () => {
	/** The editor's request for a field, with the current parameters of the form. */
	const ask = async <T>(
		what: string,
		[node, name, methodName]: readonly [node: string, name: string, methodName: string],
		currentNodeParameters: object,
		credentials?: object,
	) =>
		await bed.rest.request<T>('POST', `/rest/dynamic-node-parameters/${what}`, {
			path: `parameters.${name}`,
			methodName,
			nodeTypeAndVersion: { name: `n8n-nodes-bank.${node}`, version: 1 },
			currentNodeParameters,
			credentials,
		});

	interface Mapped {
		fields: Array<{ id: string; required: boolean; type: string }>;
	}

	test('the fields of a body, as the service details of the credential name them', async () => {
		const parameters = { resource: 'trip', operation: 'send', authenticateWith: 'gateway' };
		const field = ['bankPartnerServices', 'bodyFields', 'bodyFields'] as const;
		const { fields } = await ask<Mapped>('resource-mapper-fields', field, parameters, demoReferences.gateway);
		expect(fields.map(({ id, required, type }) => [id, required, type])).toEqual([
			['trip.from', true, 'string'],
			['trip.to', true, 'string'],
			['trip.date', false, 'dateTime'],
			['trip.distanceKm', false, 'number'],
			['trip.isBusiness', false, 'boolean'],
		]);
	});

	const ofCard = (cardId: string) => ({
		resource: 'cardLimit',
		operation: 'delete',
		flow: 'authorizationCode',
		cardId,
		limitId: { __rl: true, mode: 'list', value: '' },
	});
	const limitsOf = async (cardId: string) =>
		await ask<{ results: Array<{ name: string; value: string }> }>(
			'resource-locator-results',
			['bank', 'limitId', 'limitId'],
			ofCard(cardId),
			demoReferences.authorizationCode,
		);

	test('the limits of a card, from the bank', async () => {
		await bed.sandbox.reset();
		const { results } = await limitsOf('card-0001');
		expect((await bed.sandbox.calls()).map(({ operation }) => operation)).toEqual(['cardLimit.getMany']);
		expect(await bed.sandbox.validationErrors()).toEqual([]);
		const node = {
			name: 'Bank',
			type: 'n8n-nodes-bank.bank',
			typeVersion: 1,
			parameters: { ...ofCard('card-0001'), limitId: { __rl: true, mode: 'list', ...results[0] } },
			credentials: demoReferences.authorizationCode,
		};
		const { id } = await bed.rest.createWorkflow(afterAClick('A limit from the list', [node]));
		expect((await bed.rest.runToEnd(id)).status).toBe('success');
		const { results: left } = await limitsOf('card-0001');
		expect(left).toEqual(results.slice(1));
	});

	test.each([
		["another's card", 'card-of-nobody', 'Check that the account, card or client belongs'],
		['no card yet', '', 'Card ID is required'],
		['a card that only a run knows', '={{ $json.cardId }}', 'Card ID depends on data that is not available yet'],
	])('a list that fails says why: %s', async (_, cardId, words) => {
		await expect(limitsOf(cardId)).rejects.toThrow(words);
	});
});
