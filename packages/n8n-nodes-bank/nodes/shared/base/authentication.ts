import type { AuthenticatedBy, Operation } from '@bank/core';
import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

const types: readonly [choice: AuthenticatedBy, type: string][] = [
	['authorizationCode', 'bankAuthorizationCodeOAuth2Api'],
	['clientCredentials', 'bankClientCredentialsOAuth2Api'],
	['gateway', 'bankGatewayApi'],
	['hostToHost', 'bankHostToHostOAuth2Api'],
	['mutualTls', 'bankMutualTlsApi'],
];
const typeOf: ReadonlyMap<unknown, string> = new Map(types);

/** The choice in the form for each credential type. Errors name the field to correct by it. */
export const choiceByType: ReadonlyMap<string, AuthenticatedBy> = new Map(
	types.map(([choice, type]) => [type, choice]),
);

export const choicesExcept = (choice: AuthenticatedBy) => ({
	authenticateWith: types.map(([other]) => other).filter((other) => other !== choice),
});

/** Finds out which credential type an operation uses with these parameters. */
export type CredentialFor = (operation: Operation, parameter: (name: string) => unknown) => string;

/** The credentials of a node with the field, which starts with `first`. */
export const credentialsByAuthentication = (first: AuthenticatedBy): INodeCredentialDescription[] =>
	types.map(([choice, name]) => ({
		name,
		required: true,
		// `hide`, because n8n's editor would hide the field if `show` covered all of its values, and would then offer the
		// credential that was saved last, of any type.
		displayOptions: choice === first ? { hide: choicesExcept(first) } : { show: { authenticateWith: [choice] } },
	}));

const authorizationCode = {
	name: 'Authorization Code OAuth2',
	value: 'authorizationCode',
	description: 'Accounts, statements, card limits, webhooks: a person signs in at the bank once',
};
const hostToHost = {
	name: 'Host-to-Host OAuth2',
	value: 'hostToHost',
	description: 'As "Authorization Code OAuth2", if n8n cannot connect: starts with a code or token from the bank',
};

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authenticateWith',
	type: 'options',
	options: [
		authorizationCode,
		{
			name: 'Client Credentials OAuth2',
			value: 'clientCredentials',
			description: 'Payments, loan applications: acts for your company, without consent of a person',
		},
		{ name: 'Gateway', value: 'gateway', description: 'Card issuance, partner services: gateway client ID and secret' },
		hostToHost,
		{ name: 'Mutual TLS', value: 'mutualTls', description: 'Unified checks, partner services: a client certificate' },
	],
	default: 'gateway',
	description: 'How to authenticate. Ask your bank.',
};

/** The field that chooses between the two authorization code credentials. */
export const flowField: INodeProperties = {
	displayName: 'Authentication',
	name: 'flow',
	type: 'options',
	options: [authorizationCode, hostToHost],
	default: 'authorizationCode',
	description: 'How to authenticate',
};

/** Without this field, n8n's editor shows the credentials before the fields that they depend on. */
export const credentialsPosition: INodeProperties = {
	displayName: 'Credentials',
	name: 'credentials',
	type: 'credentials',
	default: '',
};

/** Fields of nodes whose services may use any credential type. `first` is the most likely type. */
export const authenticationFields = (first: AuthenticatedBy): INodeProperties[] => [
	{ ...authenticationField, default: first },
	credentialsPosition,
];

/**
 * For P1 to P11, which use OAuth 2.0.
 * @param flow value of the field Authentication, for the authorization code flow
 */
export function restCredential(auth: Operation['auth'], flow?: unknown): string {
	if (auth === 'clientCredentials') return 'bankClientCredentialsOAuth2Api';
	return flow === 'hostToHost' ? 'bankHostToHostOAuth2Api' : 'bankAuthorizationCodeOAuth2Api';
}

/** The credential type of nodes with the field Authenticate With. */
export function chosenCredential(_operation: Operation, parameter: (name: string) => unknown): string {
	return typeOf.get(parameter('authenticateWith')) ?? '';
}
