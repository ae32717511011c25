import {
	baseUrlOf,
	credentialErrorOf,
	isOperationAllowed,
	validateCredential,
	credentialSecrets,
	type RequestParts,
	requestPartsOf,
	type Restrictions,
	restrictionsOf,
	type SensitiveValues,
} from '@bank/credentials';
import { type Operation, textOf } from '@bank/core';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { chosenName, credentialOf } from './credential.ts';
import { type FailureContext, notSentError } from '../base/failures.ts';
import { tokenOwnerOf } from './tokenRefresh.ts';

/** Available in `execute()`, `poll()` and the lifecycle hooks of a trigger. */
export type ConnectContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'>;

export interface Connection {
	credentialType: string;
	environment: string;
	baseUrl: string;
	/** What the node must add to each request. */
	parts: RequestParts;
	restrictions: readonly Restrictions[];
	credentialId: string;
	credentialName: string;
	/** The credential as it was first read. */
	opened: { credential: ICredentialDataDecryptedObject; at: number };
	/** Current secrets of the credential, to be redacted: a token may have been refreshed meanwhile. */
	secrets: () => Promise<SensitiveValues[]>;
}

/** @throws NodeOperationError if the credential has no usable base URL, or its values cannot be used */
export async function resolveConnection(context: ConnectContext, credentialType: string): Promise<Connection> {
	const at = Date.now();
	const credential = await credentialOf(context, credentialType);
	const baseUrl = baseUrlOf(credential);
	const error = credentialErrorOf(() => validateCredential(credential));
	if (error !== undefined) throw notSentError(context, error.what, `Open the credential. ${error.next}`);
	const currentSecrets = async (): Promise<SensitiveValues[]> => {
		// This must not throw: the bank may have processed the request already.
		const now = await context.getCredentials(credentialType).catch(() => credential);
		return [credentialSecrets(credential), credentialSecrets(now)];
	};
	const tokenOwner = tokenOwnerOf(credentialType);
	return {
		credentialType,
		credentialId: context.getNode().credentials?.[credentialType]?.id ?? '',
		credentialName: chosenName(context, credentialType),
		restrictions: restrictionsOf(credential),
		environment: textOf(credential.environment),
		baseUrl,
		opened: { credential, at },
		parts: tokenOwner === 'n8n' ? requestPartsOf(credential) : { headers: {} },
		secrets: tokenOwner === 'nobody' ? async () => [credentialSecrets(credential)] : currentSecrets,
	};
}

/** Who set a restriction, as the beginning of a sentence. */
export const restrictionSetter = (
	{ setBy }: Restrictions,
	{ credentialName }: Pick<Connection, 'credentialName'>,
): string => (setBy === 'owner' ? `The owner of the credential "${credentialName}"` : 'Your n8n administrator');

/** @throws NodeOperationError if a restriction of the credential does not allow the operation */
export function requireAllowed(context: FailureContext, connection: Connection, operation: Operation): void {
	const refused = connection.restrictions.find((one) => !isOperationAllowed(one, operation));
	if (refused === undefined) return;
	const { operations } = refused;
	const allows =
		typeof operations !== 'string'
			? `allows ${operations.join(', ').slice(0, 150)}`
			: operations === 'prepare'
				? 'allows reading and preparing only'
				: 'allows reading only';
	throw notSentError(
		context,
		`${operation.name} is not allowed with the credential "${connection.credentialName}"`,
		`${restrictionSetter(refused, connection)} ${allows} ("Allowed Operations"). Ask them to allow it, or choose another credential.`,
	);
}
