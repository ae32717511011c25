import type { Operation } from '@bank/core';
import { isOperationAllowed, type Restrictions } from '@bank/credentials';

import { type FailureContext, notSentError } from '../failures.ts';
import { type Connection, whoSet } from './connection.ts';

const allowedTexts: Readonly<Record<'all' | 'read' | 'prepare', string>> = {
	all: 'all operations',
	read: 'reading only',
	prepare: 'reading and preparing only',
};

const allowedText = ({ operations }: Restrictions): string =>
	typeof operations === 'string' ? allowedTexts[operations] : operations.join(', ');

/** @throws NodeOperationError if a restriction of the credential does not allow the operation */
export function requireAllowed(context: FailureContext, connection: Connection, operation: Operation): void {
	const refused = connection.restrictions.find((one) => !isOperationAllowed(one, operation));
	if (refused === undefined) return;
	const { credentialName } = connection;
	throw notSentError(
		context,
		`${operation.name} is not allowed with the credential "${credentialName}"`,
		`${whoSet(refused, connection)} allows ${allowedText(refused).slice(0, 150)}. Ask for it, or choose another credential.`,
	);
}
