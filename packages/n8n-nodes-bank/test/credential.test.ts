/** Messages for a node without a credential, or with one that n8n cannot open. */
import { operations } from '@bank/core';
import type { INodeType } from 'n8n-workflow';

import { BankCourierOrderTrigger } from '../nodes/BankCourierOrderTrigger/BankCourierOrderTrigger.node.ts';
import { BankOperationsTrigger } from '../nodes/BankOperationsTrigger/BankOperationsTrigger.node.ts';
import { BankTrigger } from '../nodes/BankTrigger/BankTrigger.node.ts';
import { credentialOf } from '../nodes/shared/http/credential.ts';
import { contextOf, thrownBy } from './pipeline/support.ts';
import { credentials, mapped, origin, refusalOf, run, runOf, useBank } from './support/bank.ts';
import { credentialClasses } from './support/credentials.ts';
import { classOf } from './support/forms.ts';
import { recipient, sender } from './support/payout.ts';
import { files, parametersOf } from './support/samples.ts';
import { FakeWorkflow, withDefaults } from './support/trigger.ts';

it("only the authorization code is n8n's own OAuth2, with its Connect button", () => {
	const extending = credentialClasses.filter(({ extends: parents }) => parents !== undefined);
	expect(extending).toMatchObject([{ name: 'bankAuthorizationCodeOAuth2Api', extends: ['oAuth2Api'] }]);
});

describe.each(credentialClasses.map(({ name, displayName }) => [name, displayName]))('%s', (type, name) => {
	it('is returned decrypted', async () => {
		expect(await credentialOf(contextOf({ credentials: { [type]: { held: 1 } } }), type)).toEqual({ held: 1 });
	});

	it('is required by name if none is chosen', async () => {
		expect(await thrownBy(() => credentialOf(contextOf({ credentials: {} }), type))).toMatchObject({
			message: `No credential of the type ${name} is chosen`,
			description: 'Choose one in the node, or create it there. Nothing was sent.',
		});
	});

	it.each(['Credentials could not be decrypted.', 'Credentials could not be decrypted'])(
		'that n8n cannot open is reported with its name and the message of n8n: %s',
		async (words) => {
			const node = { credentials: { [type]: { id: '7', name: 'Ours' } } };
			const account = '40702810000000000001';
			const context = contextOf({ node, parameters: { account } });
			jest.spyOn(context, 'getCredentials').mockRejectedValue(new Error(words));
			const refusal = await thrownBy(() => credentialOf(context, type));
			expect(refusal).toMatchObject({
				message: 'The credential "Ours" cannot be opened',
				description:
					'n8n says: Credentials could not be decrypted. Open it in n8n, or choose another one in the node. Nothing was sent.',
			});
			expect(JSON.stringify(refusal)).not.toContain(account);
		},
	);
});

describe('a trigger without a credential', () => {
	const triggers: INodeType[] = [new BankTrigger(), new BankCourierOrderTrigger(), new BankOperationsTrigger()];
	const named = triggers.map((node) => [node.description.displayName, node] as const);

	it.each(named)('is opened with its help, which n8n hides while something required is missing: %s', (_name, node) => {
		const { properties, credentials: types = [] } = node.description;
		expect(types.length).toBeGreaterThan(0);
		const always = properties.filter(({ displayOptions }) => displayOptions === undefined);
		expect([...always, ...types].filter(({ required }) => required === true).map(({ name }) => name)).toEqual([]);
	});

	it.each(named.flatMap(([name, node]) => ['manual', 'activate'].map((mode) => [name, mode, node] as const)))(
		'does not start, and names the type: %s, %s',
		async (_name, mode, node) => {
			const parameters = withDefaults(node, { id: '123e4567-e89b-42d3-a456-426614174000', identifierField: 'id' });
			const flow = new FakeWorkflow(parameters, {});
			const start = async () => {
				if (node.poll) return await node.poll.call(flow.context(mode === 'manual' ? mode : 'trigger') as never);
				const { setup, default: own } = node.webhookMethods ?? {};
				await setup?.checkExists.call(flow.hook(mode));
				return (await own?.checkExists.call(flow.hook(mode))) || (await own?.create.call(flow.hook(mode)));
			};
			expect((await refusalOf(start())).message).toMatch(/^No credential of the type Bank .* API is chosen/);
		},
	);
});

describe('a credential whose expressions give items different values', () => {
	const words = /is not the same for all items: \w+ of item 1 differs from item 0/;
	const bank = useBank();
	const kept = { partnerId: '1001', inn: '7700000000', account: '40702810000000000001' };

	it.each(credentialClasses.map(({ name }) => name))('is refused: %s, for each of its fields', async (type) => {
		const names = credentialClasses.find(({ name }) => name === type)?.properties.map(({ name }) => name) ?? [];
		expect(names.length).toBeGreaterThan(0);
		for (const name of names) {
			const credential = { held: 1, [name]: (json: { own?: string }) => json.own };
			const open = (...items: Record<string, unknown>[]) =>
				credentialOf(contextOf({ credentials: { [type]: credential }, items }), type);
			expect(await open({ own: 'a' }, { own: 'a' })).toEqual({ held: 1, [name]: 'a' });
			expect(await thrownBy(() => open({ own: 'a' }, { own: 'b' }))).toMatchObject({
				message: expect.stringMatching(new RegExp(`: ${name} of item 1 differs`)),
				description: expect.stringContaining('Nothing was sent.'),
			});
		}
	});

	it('is not one whose token was refreshed meanwhile', async () => {
		let reads = 0;
		const context = contextOf({ items: [{}, {}] });
		jest.spyOn(context, 'getCredentials').mockImplementation(async () => ({ token: ++reads > 1 ? 'new' : 'old' }));
		expect(await credentialOf(context, 'bankGatewayApi')).toEqual({ token: 'old' });
	});

	const perItem = Object.fromEntries(
		Object.entries(credentials).map(([type, credential]) => [
			type,
			{ ...credential, sandboxBaseUrl: (json: { url?: string }) => json.url ?? origin },
		]),
	);
	const sent = operations.filter(({ effect, id }) => effect !== 'none' && id !== 'payment.sendPackage');

	it.each(sent.map((operation) => [operation.id, operation] as const))('sends nothing: %s', async (id, operation) => {
		const runItems = async (...items: object[]) =>
			await runOf(classOf(operation))(id, parametersOf(operation), {
				items: items.map((item) => ({ ...item })),
				binary: items.map(() => files),
				credentials: perItem,
			});
		await runItems({}).catch(() => undefined);
		expect(bank().seen).not.toEqual([]);
		bank().seen.length = 0;
		expect((await refusalOf(runItems({}, { url: 'https://other.test' }))).message).toMatch(words);
		expect(bank().seen).toEqual([]);
	});

	const choosing = sent.filter(
		(operation) => operation.auth !== 'clientCredentials' && classOf(operation).name !== 'BankCardIssuance',
	);

	it.each(choosing.map((operation) => [operation.id, operation] as const))(
		'or choose different types, sends nothing: %s',
		async (id, operation) => {
			const choice = ({ choice: chosen }: Record<string, unknown>) => chosen;
			const kinds =
				operation.auth === 'authorizationCode' ? ['authorizationCode', 'hostToHost'] : ['gateway', 'mutualTls'];
			const items = kinds.map((kind) => ({ choice: kind }));
			const form = { ...parametersOf(operation), authenticateWith: choice, flow: choice };
			const running = runOf(classOf(operation))(id, form, { items, binary: items.map(() => files) });
			expect((await refusalOf(running)).message).toContain('Authentication of item 1 differs from item 0');
			expect(bank().seen).toEqual([]);
		},
	);

	it.each([
		['payment.sendPackage', 'account', {}],
		['payment.sendPackage', 'account', { packagePerItem: true }],
		['payment.sendPackage', 'inn', {}],
		['payment.sendPackage', 'partnerId', { packagePerItem: true }],
		['payment.preparePackage', 'account', { packagePerItem: true }],
	])('pays nobody: %s, %s, %j', async (id, name, options) => {
		const type = 'bankClientCredentialsOAuth2Api';
		const credential = { ...credentials[type], ...kept, [name]: (json: Record<string, string>) => json[`own ${name}`] };
		const { paymentRun } = sender;
		const items = [kept, { ...kept, [name]: '40702810000000000002' }].map((own, index) => ({
			...recipient(index),
			[`own ${name}`]: own[name as 'inn'],
		}));
		const running = run(
			id,
			{ paymentRun, recipientsFrom: 'items', signedBody: 'c2ln', ...mapped, options },
			{ items, credentials: { ...credentials, [type]: credential } },
		);
		expect((await refusalOf(running)).message).toMatch(words);
		expect(bank().seen).toEqual([]);
	});
});
