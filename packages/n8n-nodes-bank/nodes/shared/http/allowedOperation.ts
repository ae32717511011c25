import type { Operation } from '@bank/core';
import { isOperationAllowed } from '@bank/credentials';

import { type FailureContext, notSentError } from '../failures.ts';
import { type Connection, whoSet } from './connection.ts';

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
		`${whoSet(refused, connection)} ${allows} (Allowed Operations). Ask for it, or choose another credential.`,
	);
}
