import {
	type DesiredSubscription,
	InputError,
	splitList,
	type Subscription,
	textOf,
	type WebhookObject,
} from '@bank/core';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';

import { credentialOf } from '../shared/http/credential.ts';
import { requiredPathSecret } from '../shared/inbound/authenticate.ts';
import { Parameters } from '../shared/form/parameters.ts';
import { noAccountsIssue } from '../shared/base/messages.ts';
import { addressesOf } from './addresses.ts';

export function targetOf(context: IHookFunctions): Pick<DesiredSubscription, 'id' | 'object'> {
	const parameters = Parameters.ofTrigger(context);
	// Another value is refused where the request is prepared.
	return { id: parameters.text('id'), object: parameters.text('object') as WebhookObject };
}

export async function desiredSubscription(context: IHookFunctions): Promise<DesiredSubscription> {
	const organizationIdHash = textOf(Parameters.ofTrigger(context).options().organizationIdHash);
	return {
		...targetOf(context),
		callbackUri: await ownAddress(context),
		accounts: accountsOf(context),
		...(organizationIdHash === '' ? {} : { organizationIdHash }),
	};
}

export function accountsOf(context: IHookFunctions): DesiredSubscription['accounts'] {
	const mode = context.getNodeParameter('accountsMode', 'keep');
	if (mode === 'keep' || mode === 'all') return mode;
	const listed = splitList(context.getNodeParameter('accounts', []), 'account');
	if (listed.length === 0) throw new InputError([noAccountsIssue]);
	return listed;
}

/** The URL to register. Its secret comes from the credential, so neither the workflow nor n8n's tables contain it. */
export async function ownAddress(context: IHookFunctions): Promise<string> {
	const { open, withSecret } = addressesOf(context);
	if (context.getNodeParameter('verifySender', true) === false) return open;
	const secret = requiredPathSecret(context, await credentialOf(context, 'bankInboundApi'));
	if (secret === undefined) return open;
	const address = withSecret(secret);
	if (address !== undefined) return address;
	throw new NodeOperationError(
		context.getNode(),
		'n8n has given this node no webhook ID, so its address cannot end in a secret: delete the node and add it again',
	);
}

/** The registered URL that the user entered for incoming payments, whose host is compared before any change. */
export function registeredAddress(context: IHookFunctions): Subscription | undefined {
	const registeredCallbackUri = textOf(Parameters.ofTrigger(context).options().registeredCallbackUri);
	return registeredCallbackUri === '' ? undefined : { callbackUri: registeredCallbackUri };
}
