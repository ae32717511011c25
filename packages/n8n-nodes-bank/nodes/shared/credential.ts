import { redact, textOf } from '@bank/core';
import { type IAllExecuteFunctions, type ICredentialDataDecryptedObject, NodeOperationError } from 'n8n-workflow';

import { nodeForErrors } from './failures.ts';

/** The credential types by the names that n8n's editor shows. The classes spell theirs out, for n8n's scan to read. */
export const credentialNames = {
	bankAuthorizationCodeOAuth2Api: 'Bank Authorization Code OAuth2 API',
	bankClientCredentialsOAuth2Api: 'Bank Client Credentials OAuth2 API',
	bankGatewayApi: 'Bank Gateway API',
	bankHostToHostOAuth2Api: 'Bank Host-to-Host OAuth2 API',
	bankInboundApi: 'Bank Inbound API',
	bankMutualTlsApi: 'Bank Mutual TLS API',
	bankSignatureApi: 'Bank Signature API',
} as const satisfies Record<string, string>;

/**
 * What a credential of the node holds, read before anything is sent.
 * @throws NodeOperationError where none is chosen, or n8n cannot open it (deleted, another encryption key): in n8n's words, with what to do
 */
export async function credentialOf<Held extends object = ICredentialDataDecryptedObject>(
	context: Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'>,
	type: string,
): Promise<Held> {
	try {
		return await context.getCredentials<Held>(type);
	} catch (error) {
		const name = Object.hasOwn(credentialNames, type) ? credentialNames[type as keyof typeof credentialNames] : type;
		const chosen = context.getNode().credentials?.[type];
		const refused = (what: string, next: string) =>
			new NodeOperationError(nodeForErrors(context), what, { description: `${next} Nothing was sent.` });
		if (chosen === undefined)
			throw refused(`No credential of the type ${name} is chosen`, 'Open the node and choose one, or create it there.');
		throw refused(
			`The credential "${chosen.name}" cannot be opened`,
			`n8n says: ${redact(textOf((error as Error).message)).replace(/\.?$/, '.')} Open it in n8n, or choose another one in the node.`,
		);
	}
}
