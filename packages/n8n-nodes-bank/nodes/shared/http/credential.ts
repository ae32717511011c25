import { redact, textOf } from '@bank/core';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { type FailureContext, notSentError } from '../base/failures.ts';
import { joinNames } from '../base/messages.ts';

/** Triggers have no items. */
type CredentialContext = FailureContext &
	Pick<IAllExecuteFunctions, 'getCredentials'> &
	Partial<Pick<IExecuteFunctions, 'getInputData'>>;

/** Display names of the credential types. The classes repeat them because n8n's scan reads literals. */
const credentialNames = {
	bankAuthorizationCodeOAuth2Api: 'Bank OAuth2 API',
	bankClientCredentialsOAuth2Api: 'Bank Payments OAuth2 API',
	bankGatewayApi: 'Bank Partner Services (Gateway) API',
	bankHostToHostOAuth2Api: 'Bank Host-to-Host OAuth2 API',
	bankInboundApi: 'Bank Triggers (Inbound) API',
	bankMutualTlsApi: 'Bank Partner Services (Mutual TLS) API',
} as const satisfies Record<string, string>;

/** Name of the credential that the user chose, or the type if none is chosen. */
export const chosenName = (context: FailureContext, type: string): string =>
	context.getNode().credentials?.[type]?.name ?? type;

/**
 * Reads a credential of the node.
 * @throws NodeOperationError if none is chosen, if n8n cannot open it (deleted, another encryption key), or if its expressions give
 * items different values: n8n signs requests with those of the first item
 */
export async function credentialOf(context: CredentialContext, type: string): Promise<ICredentialDataDecryptedObject> {
	const credential = await open(context, type);
	for (const item of context.getInputData?.().keys() ?? []) {
		if (item === 0 || isEqual(await open(context, type, item), credential)) continue;
		// The token may have been refreshed meanwhile.
		const [first, own] = [await open(context, type), await open(context, type, item)];
		const names = Object.keys({ ...first, ...own }).filter((name) => !isEqual(first[name], own[name]));
		if (names.length > 0)
			throw notSentError(
				context,
				`The credential "${chosenName(context, type)}" is not the same for all items: ` +
					`${joinNames(names, 5)} of item ${item} differs from item 0`,
				'n8n uses the values of the first item for all. Send the items one by one with Loop Over Items, or use a credential without ' +
					'expressions.',
			);
	}
	return credential;
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function open(context: CredentialContext, type: string, item = 0): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(type, item);
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
