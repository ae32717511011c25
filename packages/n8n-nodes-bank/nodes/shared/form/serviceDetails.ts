import {
	applyServiceDetails,
	detailsSchema,
	InputError,
	isOutsideBody,
	missingDetails,
	type Operation,
	type OperationDetails,
	overrideDetails,
	splitList,
	textOrNumber,
	type ValidationIssue,
	wholeNumber,
} from '@bank/core';
import { firstIssues, isRestricted, serviceDetailsGuide, serviceDetailsOf } from '@bank/credentials';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { errorFor, type FailureContext, failureOf, notSentError } from '../failures.ts';
import { chosenName, credentialOf } from '../http/credential.ts';
import type { Run } from '../pipeline/run.ts';

/** Whether the API description lacks a detail of an operation. */
export const needsDetails = (operation: Operation): boolean => Object.keys(detailsSchema(operation).entries).length > 0;

/**
 * The service details of an operation. Read on every run, because n8n caches the fields of a form.
 * @throws NodeOperationError if the credential cannot be opened, or its service details cannot be used
 */
export async function detailsOf(
	context: FailureContext & Pick<IAllExecuteFunctions, 'getCredentials'>,
	credentialType: string,
	operation: Operation,
): Promise<OperationDetails> {
	return detailsIn(await credentialOf(context, credentialType), context, credentialType, operation);
}

function detailsIn(
	credential: ICredentialDataDecryptedObject,
	context: FailureContext,
	credentialType: string,
	operation: Operation,
): OperationDetails {
	try {
		return serviceDetailsOf(credential)[operation.id] ?? {};
	} catch (error) {
		if (!(error instanceof InputError)) throw errorFor(context, failureOf(context, error));
		throw notSentError(
			context,
			`The Service Details of the credential "${chosenName(context, credentialType)}" cannot be used`,
			`${firstIssues(error)}. Templates: ${serviceDetailsGuide}.`,
		);
	}
}

/** The service details of the operation of a run. */
export async function serviceOf(
	{ context, operation }: Run,
	credentialType: string,
): Promise<NonNullable<Run['service']>> {
	const credential = await credentialOf(context, credentialType);
	const details = detailsIn(credential, context, credentialType, operation);
	return {
		credentialType,
		details,
		isRestricted: isRestricted(credential),
		operation: applyServiceDetails(operation, details),
	};
}

/**
 * The run of one item with its service details: those of the credential, overridden by those of the node.
 * @throws InputError with all details that are missing
 */
export function withDetails(run: Run, item: number): Run {
	if (run.service === undefined) return run;
	const { parameters, operation, service } = run;
	const override = parameters.group('serviceDetails', item);
	// With another method or path, an allowed operation could be turned into one that is not allowed.
	if (service.isRestricted && (textOrNumber(override.method) !== '' || textOrNumber(override.path) !== ''))
		throw new InputError([{ path: '', message: restrictedText(run) }]);
	const hasBody = !isBare(override.payload);
	const given = overrideDetails(service.details, overrideIn(operation, override));
	const details = hasBody ? { ...given, fields: optionalFields(given.fields) } : given;
	// n8n throws for a hidden field without a fallback, and the field is hidden if the credential has its own token.
	const hasToken = parameters.value('accessToken', item, false) === false;
	const missing = missingDetails(operation, details, { body: hasBody, token: hasToken });
	if (missing.length > 0) throw new InputError([{ path: '', message: missingText(run, missing) }]);
	return { ...run, service: { ...service, details, operation: applyServiceDetails(operation, details) } };
}

/** If the node has a body, the fields of the service details are optional additions to it. */
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
	/^\s*(?:\{\s*\})?\s*$/.test(typeof value === 'object' ? JSON.stringify(value) : String(value));

const restrictedText = ({ context, service }: Run): string =>
	`Method and Path cannot be overridden, because the credential "${chosenName(context, service?.credentialType ?? '')}" is ` +
	'restricted. Its owner can add them to its Service Details';

function missingText({ context, operation, service }: Run, missing: readonly string[]): string {
	const name = chosenName(context, service?.credentialType ?? '');
	return (
		`${operation.action} needs ${missing.join(', ')} from your bank: add this to "${operation.id}" in Service Details ` +
		`of "${name}", or use Override Service Details. Templates: ${serviceDetailsGuide}`
	);
}

/**
 * The values of *Override Service Details*, in the format of the service details.
 * @throws InputError if the condition of a wait is incomplete
 */
function overrideIn({ unnamedFields, path }: Operation, given: IDataObject): OperationDetails {
	const text = (name: string) => textOrNumber(given[name]);
	const filled = <Value>(value: Value, details: OperationDetails): OperationDetails => (value === '' ? {} : details);
	const names = Object.keys(unnamedFields?.entries ?? {}).flatMap((name) =>
		text(`${name}Field`) === '' ? [] : [[name, text(`${name}Field`)] as const],
	);
	const responses = responsesIn(given);
	const sendTokenAs = ['header', 'query'] as const;
	return {
		// Both are checked with the request.
		...filled(text('method'), { method: text('method') as NonNullable<OperationDetails['method']> }),
		...(path === undefined ? filled(text('path'), { path: text('path') }) : {}),
		names: Object.fromEntries(names),
		files: {
			...(text('filesAs') === '' ? {} : { sendAs: text('filesAs') === 'multipart' ? 'multipart' : 'base64' }),
			...(text('fileField') === '' ? {} : { field: text('fileField') }),
		},
		...filled(text('accessTokenAs'), {
			token: { sendAs: sendTokenAs.find((as) => as === text('accessTokenAs')) ?? 'bearer', name: text('carriedBy') },
		}),
		responses,
	};
}

/** The condition of *Wait for Result*. */
function responsesIn(given: IDataObject): OperationDetails['responses'] {
	const when = textOrNumber(given.waitUntil);
	const field = textOrNumber(given.waitField);
	const values = splitList(given.waitValues, 'name').map(String);
	const statuses = splitList(given.waitStatuses, 'identifier').map((status) => wholeNumber(status, 300) ?? 0);
	const issues: ValidationIssue[] = [];
	const isConditional = when === 'is' || when === 'isNot' || when === 'present';
	if (isConditional && field === '')
		issues.push({
			path: 'waitField',
			message: 'is required: the response field that shows whether the result is ready',
		});
	if (isConditional && when !== 'present' && values.length === 0)
		issues.push({ path: 'waitValues', message: 'is required: at least one value' });
	if (!statuses.every((status) => status >= 300 && status < 600))
		issues.push({ path: 'waitStatuses', message: 'must be HTTP statuses such as 404, 409' });
	if (issues.length > 0) throw new InputError(issues);
	if (when === '' && statuses.length === 0) return undefined;
	return {
		...(when === 'is' ? { ready: { field, values } } : {}),
		...(when === 'present' ? { ready: { field } } : {}),
		...(when === 'isNot' ? { notReady: { field, values } } : {}),
		...(statuses.length === 0 ? {} : { notReadyStatuses: statuses }),
	};
}
