/** Messages for a node without a credential, or with one that n8n cannot open. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType } from 'n8n-workflow';

import { credentialNames, credentialOf } from '../nodes/shared/http/credential.ts';
import { contextOf, thrownBy } from './pipeline/support.ts';

async function credentialTypes(): Promise<ICredentialType[]> {
	const modules = readdirSync(join(__dirname, '../credentials')).map(
		async (file) => (await import(`../credentials/${file}`)) as Record<string, new () => ICredentialType>,
	);
	return (await Promise.all(modules)).flatMap(Object.values).map((Type: new () => ICredentialType) => new Type());
}

it('the names of all types are those of the editor', async () => {
	const shown = (await credentialTypes()).map(({ name, displayName }) => [name, displayName]);
	expect(credentialNames).toEqual(Object.fromEntries(shown));
});

it("only the authorization code is n8n's own OAuth2, with its Connect button", async () => {
	const extending = (await credentialTypes()).filter(({ extends: parents }) => parents !== undefined);
	expect(extending).toMatchObject([{ name: 'bankAuthorizationCodeOAuth2Api', extends: ['oAuth2Api'] }]);
});

describe.each(Object.entries(credentialNames))('%s', (type, name) => {
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
