import { defineOperation } from '../../operation.ts';
import { unsignedBody } from './package.ts';
import { totalIssues } from './rules.ts';

/** Builds the unsigned package of `sendPackage`, for review, approval or signing. The bank is not called. */
export const preparePackage = defineOperation({
	id: 'payment.preparePackage',
	spec: '4, P1',
	name: 'Prepare Package',
	action: 'Check payments without paying',
	description:
		'Check and build a package and send nothing: look at it, have it approved or signed, then send exactly this',
	responseSummary: 'One item per payment, outcome prepared, with the fingerprint of the package. Nobody is paid by it.',
	auth: 'clientCredentials',
	effect: 'none',
	method: 'POST',
	path: '/api/b2cpay/jp/v1/payments',
	body: unsignedBody,
	errors: [],
	unique: { list: 'payments', field: 'sequence' },
	rules: ({ body }) => totalIssues(body),
});
