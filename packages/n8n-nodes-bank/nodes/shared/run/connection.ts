import {
	baseUrlFault,
	baseUrlOf,
	connectedTokenEndsAt,
	credentialFault,
	credentialSecrets,
	mergeSecrets,
	type RequestParts,
	requestPartsOf,
	type SensitiveValues,
} from '@bank/credentials';
import { type Answer, textOf } from '@bank/core';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { choiceOf } from '../authentication.ts';
import { credentialOf } from '../credential.ts';
import { unsent } from '../failures.ts';

/** What a connection needs of n8n: the nodes' `execute()`, the lifecycle hooks of a trigger and `poll()` all have it. */
export type ConnectContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'>;

/** Whose business the token is. Only n8n's own goes without what the credential adds: n8n does not ask such types. */
type TokenOf = 'n8n' | 'credential' | 'nobody';

const tokenOf: Readonly<Record<string, TokenOf>> = {
	bankAuthorizationCodeOAuth2Api: 'n8n',
	bankGatewayApi: 'nobody',
	bankMutualTlsApi: 'nobody',
};

export const knownByOf = ({ credentialType }: Pick<Connection, 'credentialType'>): Pick<Answer, 'knownBy'> => {
	const known = choiceOf.get(credentialType);
	return known === undefined ? {} : { knownBy: known };
};

/** How a credential reaches the bank: its type, the address it selects, and what the node itself must add to each request. */
export interface Connection {
	credentialType: string;
	/** Production or sandbox, as the credential says. */
	environment: string;
	baseUrl: string;
	token: TokenOf;
	/** When a token that n8n keeps is no longer to be used; absent where that is not known. */
	tokenEndsAt?: number;
	parts: RequestParts;
	/** What the credential held when it was opened. */
	opened: { credential: ICredentialDataDecryptedObject; at: number };
	/** What the credential holds at this moment, which no error may repeat: a token may have been renewed meanwhile. */
	secrets: () => Promise<SensitiveValues>;
}

/** @throws NodeOperationError when the credential has no usable base URL, or what it holds cannot be used */
export async function connect(context: ConnectContext, credentialType: string): Promise<Connection> {
	const at = Date.now();
	const credential = await credentialOf(context, credentialType);
	const baseUrl = baseUrlOf(credential);
	const fault = baseUrlFault(credential) ?? credentialFault(credential);
	if (fault !== undefined) throw unsent(context, fault.what, `Open the credential. ${fault.next}`);
	const renewed = async (): Promise<SensitiveValues> => {
		// What the bank has carried out must not fail by this.
		const now = await context.getCredentials(credentialType).catch(() => credential);
		return mergeSecrets(credentialSecrets(credential), credentialSecrets(now));
	};
	const token = tokenOf[credentialType] ?? 'credential';
	const environment = textOf(credential.environment);
	const tokenEndsAt = token === 'n8n' ? connectedTokenEndsAt(credential.oauthTokenData) : undefined;
	return {
		credentialType,
		environment,
		baseUrl,
		token,
		...(tokenEndsAt === undefined ? {} : { tokenEndsAt }),
		opened: { credential, at },
		parts: token === 'n8n' ? requestPartsOf(credential) : { headers: {} },
		secrets: token === 'nobody' ? async () => credentialSecrets(credential) : renewed,
	};
}
