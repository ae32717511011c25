import * as v from 'valibot';

import type { ObjectSchema, Operation, Payload } from '../operation.ts';
import {
	documentDetails,
	fieldDetails,
	fileEntries,
	knownKeys,
	optionalKey,
	pendingEntries,
	place,
	responseEntries,
	shortText,
	shownEntries,
	longestPlace,
} from './details.ts';

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
	const { payload, unnamedFields, response, asynchronous, effect } = operation;
	const { method, path, token } = shownEntries;
	const names = Object.entries(unnamedFields?.entries ?? {}).map(
		([name, schema]) => [name, place(`Body field for ${v.getTitle(schema as never) ?? name}`)] as const,
	);
	const fieldsAbout =
		payload === undefined
			? 'Query parameters and headers that are always the same'
			: 'Fields by name, or by a path in the body such as `client.phones[0].number` or, if the body is a list, `[0].phone`';
	const namesAbout = 'Names of the body fields for values that the description requires without naming their fields';
	const responses = knownKeys({ ...onlyIf(asynchronous === true, pendingEntries), ...responseEntries });
	return knownKeys({
		...onlyIf(operation.method === undefined, { method }),
		...onlyIf(operation.path === undefined, { path }),
		...onlyIf(names.length > 0, { names: optionalKey(knownKeys(Object.fromEntries(names)), namesAbout) }),
		...onlyIf(operation.dialect !== undefined, {
			fields: optionalKey(
				// Every place is compared with every other.
				v.pipe(v.record(shortText(longestPlace), fieldDetails), v.maxEntries(300, 'must contain at most 300 fields')),
				fieldsAbout,
			),
		}),
		...onlyIf(payload?.files !== undefined, { files: optionalKey(filesSchema(payload?.files), 'How files are sent') }),
		...onlyIf(operation.accessToken !== undefined, { token }),
		...onlyIf(response === undefined && effect !== 'delete' && effect !== 'none', {
			responses: optionalKey(responses, 'What the responses mean'),
		}),
	});
}
