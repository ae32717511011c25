import type { INodeProperties } from 'n8n-workflow';

import { optionalCertificateProperties, requiredCertificateProperties } from '../certificate.ts';
import { environmentProperties } from '../environment.ts';
import { gatewayIdProperties, requiredGatewayProperties } from '../gateway.ts';
import { probed, testPath } from '../probe.ts';

export const gatewayProperties: INodeProperties[] = [
	...environmentProperties,
	...requiredGatewayProperties,
	...optionalCertificateProperties,
	testPath,
	probed,
];

export const mutualTlsProperties: INodeProperties[] = [
	...environmentProperties,
	...requiredCertificateProperties,
	...gatewayIdProperties,
	testPath,
	probed,
];
