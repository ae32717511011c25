import {
	type FieldDetails,
	findOperation,
	InputError,
	isBlank,
	isRecord,
	type Operation,
	overrideServiceDetails,
	placeholdersIn,
} from '@bank/core';
import {
	type FieldType,
	type IDataObject,
	type ILoadOptionsFunctions,
	isExpression,
	NodeOperationError,
	type ResourceMapperFields,
} from 'n8n-workflow';

import type { CredentialFor } from '../base/authentication.ts';
import { errorFor, failureOf } from '../base/failures.ts';
import { waitUnlessCancelled } from '../base/wait.ts';
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
	const mapper = parameters.group('bodyFields');
	if (context.getNode().credentials?.[credentialType] === undefined) return await withoutCredential(mapper);
	try {
		const { details, ownHeaders } = await serviceOf(context, operation, credentialType);
		const override = parameters.value('options.serviceDetails', 0, '');
		// An expression whose data n8n does not have yet is ignored.
		const { fields = {}, path } = isExpression(override)
			? details
			: overrideServiceDetails(operation, details, override, ownHeaders).details;
		const inPath = placeholdersIn(path);
		const asked = Object.entries(fields).filter(([, { value }]) => value === undefined);
		const isNoticed = asked.length === 0 && operation.payload?.required === true;
		return {
			fields: asked.map(([place, field]) => mapperField(place, field, inPath.includes(place))),
			...(isNoticed ? { emptyFieldsNotice: noFieldsNotice(operation) } : {}),
		};
	} catch (error) {
		// The editor removes the values of fields that are not returned, so they are kept by an error.
		if (isMapped(mapper)) throw errorFor(context, failureOf(context, error));
		// If loading fails, n8n's editor shows only this notice and no reason.
		if (error instanceof InputError) return { fields: [], emptyFieldsNotice: `${error.message}.` };
		if (!(error instanceof NodeOperationError)) throw errorFor(context, failureOf(context, error));
		return { fields: [], emptyFieldsNotice: `${error.message}. ${error.description ?? ''}` };
	}
}

/** Values of the field that makes the editor ask again, and how long to wait before each response. */
const pauses = [
	['loading1', 250],
	['loading2', 500],
	['loading3', 1000],
	['loading4', 2000],
] as const;

/**
 * n8n's editor asks for the fields when the form opens, even if it selects the credential only later. The editor asks
 * again when the second column to match changes (`loadOptionsDependsOn`). Nothing else in this form sets that column,
 * so each response names another one. @throws Error if fields have values, which the editor would remove
 */
async function withoutCredential(mapper: IDataObject): Promise<ResourceMapperFields> {
	if (isMapped(mapper)) throw new Error('No credential is selected');
	const previous = Array.isArray(mapper.matchingColumns) ? mapper.matchingColumns[1] : undefined;
	const next = pauses[pauses.findIndex(([id]) => id === previous) + 1];
	if (next === undefined) return { fields: [helpField('loading'), helpField(String(previous), selectCredential)] };
	const [id, pause] = next;
	await waitUnlessCancelled(undefined)(pause);
	return { fields: [helpField('loading'), helpField(id)] };
}

const selectCredential = 'Select a credential above, then choose Refresh Field List in the menu of this list';

/** A field without an input. It shows its label, or nothing. */
const helpField = (id: string, label?: string) => ({
	id,
	displayName: label ?? id,
	required: false,
	defaultMatch: true,
	display: label !== undefined,
	readOnly: true,
	type: 'string' as const,
});

const isMapped = ({ value }: IDataObject): boolean =>
	isRecord(value) && Object.values(value).some((one) => !isBlank(one));

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
