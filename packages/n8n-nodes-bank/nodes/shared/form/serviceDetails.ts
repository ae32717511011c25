import {
	detailsSchema,
	InputError,
	isOutsideBody,
	missingDetails,
	type Operation,
	type OperationDetails,
	overrideServiceDetails,
} from '@bank/core';
import { firstIssues, isRestricted, ownHeadersOf, serviceDetailsGuide, serviceDetailsOf } from '@bank/credentials';
import type { IAllExecuteFunctions } from 'n8n-workflow';

import { errorFor, type FailureContext, failureOf, notSentError } from '../base/failures.ts';
import { chosenName, credentialOf } from '../http/credential.ts';
import type { Run } from './run.ts';

/** Whether the API description lacks a detail of an operation. */
export const needsDetails = (operation: Operation): boolean => Object.keys(detailsSchema(operation).entries).length > 0;

/**
 * The service details of an operation. The form reads them on every run, because n8n caches its fields.
 * @throws NodeOperationError if the credential cannot be opened, or its service details cannot be used
 */
export async function serviceOf(
	context: FailureContext & Pick<IAllExecuteFunctions, 'getCredentials'>,
	operation: Operation,
	credentialType: string,
): Promise<NonNullable<Run['service']>> {
	const credential = await credentialOf(context, credentialType);
	try {
		const details = serviceDetailsOf(credential)[operation.id] ?? {};
		return {
			credentialType,
			details,
			ownHeaders: ownHeadersOf(credential),
			isRestricted: isRestricted(credential),
		};
	} catch (error) {
		if (!(error instanceof InputError)) throw errorFor(context, failureOf(context, error));
		throw notSentError(
			context,
			`The Service Details of the credential "${chosenName(context, credentialType)}" cannot be used`,
			`${firstIssues(error)}. Templates: ${serviceDetailsGuide}.`,
		);
	}
}

/**
 * The run of one item with its service details: those of the credential, overridden by those of the node.
 * @throws InputError for an override that cannot be used, or with all details that are missing
 */
export function withDetails(run: Run, item: number): Run {
	if (run.service === undefined) return run;
	const { parameters, operation, service } = run;
	const override = parameters.value('options.serviceDetails', item, '');
	const { details: given, payload } = overrideServiceDetails(operation, service.details, override, service.ownHeaders);
	// With another method or path, an allowed operation could be turned into one that is not allowed.
	if (service.isRestricted && (given.method !== service.details.method || given.path !== service.details.path)) {
		const name = chosenName(run.context, service.credentialType);
		const message =
			`Method and Path cannot be overridden, because the credential "${name}" is restricted. ` +
			'Its owner can add them to its Service Details';
		throw new InputError([{ path: '', message }]);
	}
	const hasBody = !isBare(payload);
	const details = hasBody ? { ...given, fields: optionalFields(given.fields) } : given;
	// n8n throws for a hidden field without a fallback, and the field is hidden if the credential has its own token.
	const hasToken = parameters.value('accessToken', item, false) === false;
	const missing = missingDetails(operation, details, { body: hasBody, token: hasToken });
	if (missing.length > 0) {
		const name = chosenName(run.context, service.credentialType);
		const message =
			`${operation.action} needs ${missing.join(', ')} from your bank: add this to "${operation.id}" in Service Details ` +
			`of "${name}", or use "Override Service Details". Templates: ${serviceDetailsGuide}`;
		throw new InputError([{ path: '', message }]);
	}
	return { ...run, service: { ...service, details, payload } };
}

/** If the node has a whole body, fields that the service details name are optional additions. */
const optionalFields = (fields: OperationDetails['fields'] = {}) =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([place, field]) =>
			field.value === undefined
				? [[place, { ...field, required: false }]]
				: isOutsideBody(field)
					? [[place, field]]
					: [],
		),
	);

const isBare = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	/^(?:\{\s*\})?$/.test((typeof value === 'object' ? JSON.stringify(value) : String(value)).trim());
