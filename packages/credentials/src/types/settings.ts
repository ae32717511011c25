import { forms } from '../forms/index.ts';

/** The two types that no request is made with. */

/**
 * How a trigger tells the bank from anybody else. The API description shows nothing of it (part 6, point 4), so the user
 * switches on what was agreed with the bank or what a proxy in front of n8n can do.
 */
export abstract class InboundBase {
	properties = forms.bankInboundApi;
}

/**
 * With what a package of payments is signed. A credential of its own: the key of a signature is seldom that of the connection, and
 * often belongs to somebody else. Certificates are masked as well: their names look like secrets to n8n's lint.
 */
export abstract class SignatureBase {
	properties = forms.bankSignatureApi;
}
