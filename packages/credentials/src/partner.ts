import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { optionalCertificateProperties, requiredCertificateProperties } from './certificate.ts';
import { environmentProperties, tlsEnvironmentProperties } from './environment.ts';
import { gatewayIdProperties, requiredGatewayProperties } from './gateway.ts';
import { authenticateDirectly, probe, probed, testPath } from './probe.ts';

/** The two ways to be known without a token. */
abstract class PartnerBase {
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authenticateDirectly(credentials, requestOptions);
	}

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		return await probe(this.helpers.httpRequest, credentials);
	}
}

/** Client ID and secret of the gateway, and the partner name (5.7, 5.8). */
export abstract class GatewayBase extends PartnerBase {
	properties: INodeProperties[] = [
		...environmentProperties,
		...requiredGatewayProperties,
		...optionalCertificateProperties,
		testPath,
		probed,
	];
}

/** A client certificate and the client ID that it is registered for (5.6). */
export abstract class MutualTlsBase extends PartnerBase {
	properties: INodeProperties[] = [
		...tlsEnvironmentProperties,
		...requiredCertificateProperties,
		...gatewayIdProperties,
		testPath,
		probed,
	];
}
