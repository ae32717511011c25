import type { INodeProperties } from 'n8n-workflow';

import { environmentProperties, gatewayIdProperties, gatewayProperties, serviceDetailsProperty } from './connection.ts';
import { hiddenField, purposeNotice, testNotice, text } from './fields.ts';
import { certificateProperties, useCertificate } from './keyPair.ts';
import { operationRestrictions } from './restrictions.ts';

const lastFields: INodeProperties[] = [
	serviceDetailsProperty,
	text(
		'Test Path',
		'testPath',
		'Path that the credential test requests with GET. Ask your bank for a read-only one that requires the credential. ' +
			'With /, only base URL and certificate are tested, not client ID and secret.',
		{ default: '/', placeholder: 'e.g. /service/status' },
	),
	...operationRestrictions,
	testNotice,
	// n8n runs `preAuthentication` only for types with an expirable field. Because this one is not empty, it runs only after a 401.
	{ ...hiddenField('probed', 'inTests', 'Probed'), typeOptions: { expirable: true } },
];

export const partnerGatewayProperties: INodeProperties[] = [
	purposeNotice('For card issuance and other partner services that you access with a gateway client ID and secret.'),
	...environmentProperties,
	hiddenField('useGateway', true, 'Gateway'),
	...gatewayProperties,
	useCertificate,
	...certificateProperties,
	...lastFields,
];

export const mutualTlsProperties: INodeProperties[] = [
	purposeNotice('For unified checks and other partner services that you access with a client certificate.'),
	...environmentProperties,
	hiddenField('useCertificate', true, 'Client Certificate'),
	...certificateProperties,
	...gatewayIdProperties,
	...lastFields,
];
