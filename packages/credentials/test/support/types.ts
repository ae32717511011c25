/** Credential types without the literal properties of the published ones. */
import {
	AuthorizationCodeOAuth2Base,
	ClientCredentialsOAuth2Base,
	GatewayBase,
	HostToHostOAuth2Base,
	InboundBase,
	MutualTlsBase,
	SignatureBase,
} from '../../src/index.ts';

export class ClientCredentials extends ClientCredentialsOAuth2Base {}
export class AuthorizationCode extends AuthorizationCodeOAuth2Base {}
export class HostToHost extends HostToHostOAuth2Base {}
export class Gateway extends GatewayBase {}
export class MutualTls extends MutualTlsBase {}
export class Inbound extends InboundBase {}
export class Signature extends SignatureBase {}
