/** The forms of the action nodes, as users see them. */
import { type NodeName, operationById, operationName, type Operation, resourceOf, resources } from '@bank/core';
import {
	type INode,
	type INodeCredentialDescription,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import { offeredFor } from '../../scripts/forms/fieldsFor.ts';
import { Bank } from '../../nodes/Bank/Bank.node.ts';
import { BankCardIssuance } from '../../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankChecks } from '../../nodes/BankChecks/BankChecks.node.ts';
import { BankCourier } from '../../nodes/BankCourier/BankCourier.node.ts';
import { BankPartnerServices } from '../../nodes/BankPartnerServices/BankPartnerServices.node.ts';

const nodeClasses = {
	bank: Bank,
	bankChecks: BankChecks,
	bankCardIssuance: BankCardIssuance,
	bankCourier: BankCourier,
	bankPartnerServices: BankPartnerServices,
};

export const descriptions: Readonly<Record<NodeName, INodeTypeDescription>> = {
	bank: new Bank().description,
	bankChecks: new BankChecks().description,
	bankCardIssuance: new BankCardIssuance().description,
	bankCourier: new BankCourier().description,
	bankPartnerServices: new BankPartnerServices().description,
};

/** Credential types by the choice in *Authenticate With*. */
export const credentialTypes = {
	authorizationCode: 'bankAuthorizationCodeOAuth2Api',
	clientCredentials: 'bankClientCredentialsOAuth2Api',
	gateway: 'bankGatewayApi',
	hostToHost: 'bankHostToHostOAuth2Api',
	mutualTls: 'bankMutualTlsApi',
};

export type Values = Record<string, string | boolean | string[]>;

export function nodeOf(operation: Operation): NodeName {
	const resource = resources.find((each) => each.operations.includes(operation));
	if (resource === undefined) throw new Error(`No node has ${operation.id}`);
	return resource.node;
}

/** The node that has the operation. */
export const classOf = (operation: Operation) => nodeClasses[nodeOf(operation)];

/** Fields or credentials that are displayed with these choices, and with the defaults of all other fields. */
export function shownOf<T extends INodeProperties | INodeCredentialDescription>(
	name: NodeName,
	list: readonly T[],
	values: Values,
	typeVersion = 1,
): T[] {
	const description = descriptions[name];
	const node = { typeVersion } as INode;
	const filledIn =
		NodeHelpers.getNodeParameters(description.properties, values as INodeParameters, true, false, node, description) ??
		{};
	return list.filter((one) => NodeHelpers.displayParameter(filledIn, one, node, description));
}

export const shown = (name: NodeName, values: Values, typeVersion?: number) =>
	shownOf(name, descriptions[name].properties, values, typeVersion);

export const formOf = (operation: Operation | string, more: Values = {}): INodeProperties[] => {
	const known = typeof operation === 'string' ? operationById(operation) : operation;
	return shownFor(known, more).map((field) => offeredFor(known, field));
};

/**
 * The fields that are shown for an operation, as in the description of the node, including options of other operations
 * in shared collections.
 */
export const shownFor = (operation: Operation, more: Values = {}): INodeProperties[] =>
	shown(nodeOf(operation), { resource: resourceOf(operation), operation: operationName(operation), ...more });

/** Names of the credential types of the node. */
export const askedCredentials = (name: NodeName, values: Values) =>
	shownOf(name, descriptions[name].credentials ?? [], values).map((credential) => credential.name);

const optionsOf = (property?: INodeProperties) => (property?.options ?? []) as INodePropertyOptions[];
export const optionValues = (property?: INodeProperties) => optionsOf(property).map(({ value }) => value);
export const selectorOf = (name: NodeName, resource: string) =>
	shown(name, { resource }).find((property) => property.name === 'operation');

/** Every field of a form, at any depth. */
export const fieldsIn = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => {
		if (field.type === 'collection') return [field, ...fieldsIn(field.options as INodeProperties[])];
		if (field.type === 'fixedCollection')
			return [field, ...(field.options as INodePropertyCollection[]).flatMap(({ values }) => fieldsIn(values))];
		return [field];
	});

/** A field of the form, at any depth. */
export function fieldOf(operation: Operation | string, name: string, more: Values = {}): INodeProperties {
	const field = fieldsIn(formOf(operation, more)).find((candidate) => candidate.name === name);
	if (field === undefined) throw new Error(`The form has no field ${name}`);
	return field;
}

export const allFields = fieldsIn(Object.values(descriptions).flatMap(({ properties }) => properties));
