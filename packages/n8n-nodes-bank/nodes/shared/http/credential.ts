import { redact, textOf } from '@bank/core';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type FailureContext, notSentError } from '../failures.ts';

/** Display names of the credential types. The classes repeat them because n8n's scan reads literals. */
export const credentialNames = {
	bankAuthorizationCodeOAuth2Api: 'Bank OAuth2 API',
	bankClientCredentialsOAuth2Api: 'Bank Payments OAuth2 API',
	bankGatewayApi: 'Bank Partner Services (Gateway) API',
	bankHostToHostOAuth2Api: 'Bank Host-to-Host OAuth2 API',
	bankInboundApi: 'Bank Triggers (Inbound) API',
	bankMutualTlsApi: 'Bank Partner Services (Mutual TLS) API',
} as const satisfies Record<string, string>;

/** Name of the chosen credential, or its type if none is chosen. */
export const chosenName = (context: FailureContext, type: string): string =>
	context.getNode().credentials?.[type]?.name ?? type;

/**
 * Reads a credential of the node.
 * @throws NodeOperationError if none is chosen, or n8n cannot open it (deleted, another encryption key)
 */
export async function credentialOf(
	context: FailureContext & Pick<IAllExecuteFunctions, 'getCredentials'>,
	type: string,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(type);
	} catch (error) {
		const name = (credentialNames as Readonly<Record<string, string>>)[type] ?? type;
		if (context.getNode().credentials?.[type] === undefined)
			throw notSentError(
				context,
				`No credential of the type ${name} is chosen`,
				'Choose one in the node, or create it there.',
			);
		throw notSentError(
			context,
			`The credential "${chosenName(context, type)}" cannot be opened`,
			`n8n says: ${redact(textOf((error as Error).message)).replace(/\.?$/, '.')} Open it in n8n, or choose another one in the node.`,
		);
	}
}
