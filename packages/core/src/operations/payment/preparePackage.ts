import { defineOperation } from '../../operation.ts';
import { unsignedBody } from './package.ts';
import { packageFaults } from './rules.ts';

/** The package that `sendPackage` sends, before somebody has signed it: to be looked at, approved or signed. The bank hears nothing. */
export const preparePackage = defineOperation({
	id: 'payment.preparePackage',
	spec: '4, P1',
	name: 'Prepare Package',
	action: 'Prepare package of payments',
	description:
		'Check and build a package and send nothing: look at it, have it approved or signed, then send exactly this',
	answers: 'One item per payment, outcome prepared, with the fingerprint of the package. Nobody is paid by it.',
	auth: 'clientCredentials',
	effect: 'none',
	method: 'POST',
	path: '/api/b2cpay/jp/v1/payments',
	body: unsignedBody,
	errors: [],
	rules: ({ body }) => packageFaults(body),
});
