import * as v from 'valibot';

import type { ObjectSchema, Operation, Payload } from '../operation.ts';
import {
	bodyDetails,
	checksDetails,
	documentDetails,
	fieldDetails,
	fileEntries,
	headersEntry,
	knownKeys,
	optionalKey,
	pendingEntries,
	place,
	longestPlace,
	shortText,
	shownEntries,
	verdictEntries,
} from './details.ts';
import { verdictsOf } from '../client/verdict.ts';

const onlyIf = (condition: boolean, entries: Record<string, v.GenericSchema>): Record<string, v.GenericSchema> =>
	condition ? entries : {};

const documentName = place("Body field for the bank's name of the document, such as `documents[].type`");

function filesSchema({ documents = {}, named }: Partial<NonNullable<Payload['files']>> = {}): ObjectSchema {
	const entries = Object.keys(documents).map((name) => [name, v.optional(documentDetails)] as const);
	const hasDocuments = entries.length > 0;
	return knownKeys({
		...fileEntries,
		...onlyIf(hasDocuments || named === true, { documentName }),
		...onlyIf(hasDocuments, {
			documents: optionalKey(knownKeys(Object.fromEntries(entries)), 'The required documents'),
		}),
	});
}

/**
 * The details that the API description lacks about an operation, derived from the properties missing in its definition.
 * The JSON schema, the templates, the validation and the docs are generated from it.
 */
export function detailsSchema(operation: Operation): ObjectSchema {
	const { payload, unnamedFields, response, asynchronous, effect, hasChecks } = operation;
	const { method, path, token } = shownEntries;
	const names = Object.entries(unnamedFields?.entries ?? {}).map(
		([name, schema]) => [name, place(`Body field for ${v.getTitle(schema as never) ?? name}`)] as const,
	);
	const fieldsAbout =
		payload === undefined
			? 'Query parameters and headers that are always the same'
			: 'Fields by name, or by a path in the body such as `client.phones[0].number` or, if the body is a list, `[0].phone`';
	const namesAbout = 'Names of the body fields for values that the description requires without naming their fields';
	const responses = knownKeys({
		...verdictEntries(verdictsOf(operation).names),
		...onlyIf(asynchronous === true, pendingEntries),
		...headersEntry,
	});
	return knownKeys({
		...onlyIf(operation.method === undefined, { method }),
		...onlyIf(operation.path === undefined, { path }),
		...onlyIf(names.length > 0, { names: optionalKey(knownKeys(Object.fromEntries(names)), namesAbout) }),
		...onlyIf(operation.dialect !== undefined, {
			fields: optionalKey(
				// Limited, because every place is compared with every other.
				v.pipe(v.record(shortText(longestPlace), fieldDetails), v.maxEntries(300, 'must contain at most 300 fields')),
				fieldsAbout,
			),
		}),
		...onlyIf(
			operation.dialect !== undefined && operation.method !== 'GET' && (payload ?? operation.body) !== undefined,
			{
				body: optionalKey(bodyDetails, 'How the body is sent'),
			},
		),
		...onlyIf(payload?.files !== undefined, { files: optionalKey(filesSchema(payload?.files), 'How files are sent') }),
		...onlyIf(operation.accessToken !== undefined, { token }),
		...onlyIf(response === undefined && hasChecks !== true && effect !== 'delete' && effect !== 'none', {
			responses: optionalKey(responses, 'What the responses mean'),
		}),
		...onlyIf(hasChecks === true, {
			checks: optionalKey(checksDetails, 'Where the results are, and what is harmless'),
		}),
	});
}
