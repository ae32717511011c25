import {
	type FieldDetails,
	findOperation,
	InputError,
	type Operation,
	overrideServiceDetails,
	placeholdersIn,
} from '@bank/core';
import {
	type FieldType,
	type ILoadOptionsFunctions,
	isExpression,
	NodeOperationError,
	type ResourceMapperFields,
} from 'n8n-workflow';

import type { CredentialFor } from '../base/authentication.ts';
import { errorFor, failureOf } from '../base/failures.ts';
import { Parameters } from './parameters.ts';
import { serviceOf } from './serviceDetails.ts';

/** Loads the fields that the service details name. */
export async function loadBodyFields(
	context: ILoadOptionsFunctions,
	credentialFor: CredentialFor,
): Promise<ResourceMapperFields> {
	const parameters = Parameters.ofTrigger(context);
	const operation = findOperation(`${parameters.text('resource')}.${parameters.text('operation')}`);
	if (operation === undefined) return { fields: [] };
	const credentialType = credentialFor(operation, (name) => parameters.value(name, 0, null));
	// n8n's editor may ask before it has selected a credential. With an error, it shows a link to try again where it can.
	if (context.getNode().credentials?.[credentialType] === undefined) {
		if (operation.payload?.required === true) throw new Error('There is no credential yet');
		return { fields: [], emptyFieldsNotice: 'The fields are those in the Service Details of the credential.' };
	}
	try {
		const { details, ownHeaders } = await serviceOf(context, operation, credentialType);
		const override = parameters.value('options.serviceDetails', 0, '');
		// An expression whose data n8n does not have yet is ignored.
		const { fields = {}, path } = isExpression(override)
			? details
			: overrideServiceDetails(operation, details, override, ownHeaders).details;
		const inPath = placeholdersIn(path);
		const asked = Object.entries(fields).filter(([, { value }]) => value === undefined);
		return {
			fields: asked.map(([place, field]) => mapperField(place, field, inPath.includes(place))),
			...(operation.payload?.required === true ? { emptyFieldsNotice: noFieldsNotice(operation) } : {}),
		};
	} catch (error) {
		// If loading fails, n8n's editor shows only this notice and no reason.
		if (error instanceof InputError) return { fields: [], emptyFieldsNotice: `${error.message}.` };
		if (!(error instanceof NodeOperationError)) throw errorFor(context, failureOf(context, error));
		return { fields: [], emptyFieldsNotice: `${error.message}. ${error.description ?? ''}` };
	}
}

const noFieldsNotice = ({ id, payload }: Operation): string => {
	const about =
		payload?.about === undefined ? '' : ` (${payload.about.charAt(0).toLowerCase()}${payload.about.slice(1)})`;
	return `Add the fields of "${id}"${about} to the Service Details of the credential.`;
};

const types: Readonly<Record<FieldDetails['type'], FieldType>> = {
	string: 'string',
	number: 'number',
	integer: 'number',
	boolean: 'boolean',
	date: 'dateTime',
	object: 'object',
	array: 'array',
};

const mapperField = (id: string, { type, label, required, options }: FieldDetails, isInPath: boolean) => ({
	id,
	displayName: label ?? id,
	required: required === true || isInPath,
	defaultMatch: false,
	display: true,
	type: options === undefined ? types[type] : ('options' as const),
	...(options === undefined
		? {}
		: { options: options.map((value) => ({ name: String(value), value: String(value) })) }),
});
