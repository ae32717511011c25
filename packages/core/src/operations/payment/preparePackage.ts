import { defineOperation } from '../../operation.ts';
import { unsignedBody, totalIssues } from './package.ts';

/** Builds the unsigned package of `sendPackage`, for review, approval or signing. The bank is not called. */
export const preparePackage = defineOperation({
	id: 'payment.preparePackage',
	local: true,
	spec: '4, P1',
	action: 'Check payments without paying',
	description: 'Build and validate a package without sending it, for review, approval or signing',
	responseSummary:
		'One item per payment: outcome prepared, with the fingerprint of the package, or alreadyAccepted, unknown or conflict if ' +
		'it was already sent and is not in the package. Nothing is sent.',
	auth: 'clientCredentials',
	effect: 'none',
	method: 'POST',
	path: '/api/b2cpay/jp/v1/payments',
	body: unsignedBody,
	unique: { list: 'payments', field: 'sequence' },
	rules: ({ body }) => totalIssues(body),
});
