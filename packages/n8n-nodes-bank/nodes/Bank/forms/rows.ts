import { hash } from 'node:crypto';

import { canonicalJson, omitUndefined } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { restCredential } from '../../shared/base/authentication.ts';
import { itemJson } from '../../shared/form/itemJson.ts';
import { resolveConnection } from '../../shared/http/connection.ts';
import { oncePerRun } from '../../shared/form/run.ts';
import type { PackageGroup, PackageBody } from './package.ts';
import { signableText } from './signature.ts';

/** The destination of a package, in words that users recognize. */
export interface PackageDestination {
	environment: string;
	host: string;
}

/** @throws NodeOperationError if the credential has no usable base URL */
export const destinationOf = oncePerRun(async ({ context }): Promise<PackageDestination> => {
	const { environment, baseUrl } = await resolveConnection(context, restCredential('clientCredentials'));
	return { environment, host: new URL(baseUrl).host };
});

/**
 * One row for each recipient of a package. Prepared and sent rows have the same columns; the bank's values are null until it responds.
 * The rows contain everything that is needed to send the package unchanged.
 */
export function rowsOf(group: PackageGroup, body: PackageBody, destination: PackageDestination): IDataObject[] {
	const { client, inn, account, total, nameCheck, payments } = body;
	const { fingerprint } = signableText(body);
	const check = checkDigestOf(fingerprint, group, destination);
	return payments.map(({ sequence, amount, phone, nspkBankId, paymentDescription, ric, name }, index) =>
		itemJson(
			omitUndefined({
				outcome: 'prepared',
				recipient: group.rows[index]?.name,
				amount,
				phone,
				sequence,
				paymentRun: group.header.paymentRun,
				total,
				count: payments.length,
				nspkBankId,
				name,
				paymentDescription,
				ric,
				transactionId: null,
				feeAmount: null,
				createDate: null,
				payPackage: null,
				position: index + 1,
				...destination,
				account,
				inn,
				client,
				nameCheck,
				sequenceGiven: group.rows[index]?.isOwnSequence === true,
				fingerprint,
				check,
			}),
		),
	);
}

/** SHA-256 of the destination, the payment run, the names that a reviewer sees and which sequences the user entered. */
export function checkDigestOf(
	fingerprint: string,
	group: PackageGroup,
	{ environment, host }: PackageDestination,
): string {
	const given = group.rows.map(({ isOwnSequence, name }) => [isOwnSequence, name ?? '']);
	return hash('sha256', canonicalJson([fingerprint, environment, host, group.header.paymentRun, given]));
}

/** Columns of a row that describe the package or how it was prepared. */
const packageFields = /^(?:fingerprint|check|position|count|total|toSign|leftToday|recipientStatus)$/;

/** A row of a payment that is not part of the package. */
export function withoutPackage(row: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(row).filter(([name]) => !packageFields.test(name)));
}
