import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties, requiredCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { gatewayIdProperties, requiredGatewayProperties } from '../gateway.ts';
import { probed, testPath } from '../probe.ts';
import { serviceDetailsProperty } from '../serviceDetails.ts';
import { purposeNotice } from './purpose.ts';
import { operationRestrictions } from './restrictions.ts';

export const gatewayProperties: INodeProperties[] = [
	purposeNotice('For card issuance and other partner services that you access with a gateway client ID and secret.'),
	...environmentProperties,
	...requiredGatewayProperties,
	...optionalCertificateProperties,
	serviceDetailsProperty,
	testPath,
	...operationRestrictions,
	probed,
];

export const mutualTlsProperties: INodeProperties[] = [
	purposeNotice('For unified checks and other partner services that you access with a client certificate.'),
	...environmentProperties,
	...requiredCertificateProperties,
	...gatewayIdProperties,
	serviceDetailsProperty,
	testPath,
	...operationRestrictions,
	probed,
];
