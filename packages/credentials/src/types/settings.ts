import { forms } from '../forms/index.ts';

/**
 * Authenticates the bank's requests to a trigger. The API description shows no method (part 6, point 4), so the user chooses what was
 * agreed with the bank or what a proxy in front of n8n can check.
 */
export abstract class InboundBase {
	properties = forms.bankInboundApi;
}

/** Signs packages of payments. A separate type, because the signing key is seldom the key of the connection. */
export abstract class SignatureBase {
	properties = forms.bankSignatureApi;
}
