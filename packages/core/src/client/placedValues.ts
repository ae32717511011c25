import type { FileInput, ObjectSchema, Operation } from '../operation.ts';
import { fields as objectOf } from '../schemas/fields.ts';
import { fileField, placeholdersIn, schemaOfField, sentValue } from '../serviceDetails/details.ts';

/** A value whose place in the request is in the service details. */
export interface PlacedValue {
	/** Name in the path, query or header, or path in the body. */
	place: string;
	where: 'path' | 'query' | 'header' | 'body';
	value: unknown;
	/** Name of the value in `unnamedFields`; absent for other values. */
	name?: string;
}

/** The fields that the service details ask for, by their place in the request. */
export function askedFields({ effect, details: { path, fields = {} } = {} }: Operation): ObjectSchema {
	const inPath = placeholdersIn(path);
	const asked = Object.entries(fields).filter(([, { value }]) => value === undefined);
	return objectOf(
		Object.fromEntries(
			asked.map(([place, field]) => [
				place,
				schemaOfField({ ...field, required: field.required === true || inPath.includes(place) }, effect === 'money'),
			]),
		),
	);
}

/**
 * The values whose places in the request are in the service details, including fixed values.
 * @param unnamed values of `unnamedFields`
 * @param named values of `askedFields`
 */
export function placedValues(
	{ unnamedFields, details: { path, names = {}, fields = {} } = {} }: Operation,
	unnamed: Readonly<Record<string, unknown>>,
	named: Readonly<Record<string, unknown>>,
): PlacedValue[] {
	const inPath = placeholdersIn(path);
	const placed = [
		...Object.keys(unnamedFields?.entries ?? {}).map((name) => ({
			name,
			place: names[name] ?? '',
			where: 'body' as const,
			value: unnamed[name],
		})),
		...Object.entries(fields).map(([place, field]) => {
			const { in: where = 'body', value = sentValue(field, named[place]) } = field;
			return { place, where, value };
		}),
	];
	return placed.map((one) => (inPath.includes(one.place) ? { ...one, where: 'path' } : one));
}

/** The files at their places, and their names, types and documents if the service details have places for them. */
export function placedFiles(
	{ details: { files: how = {} } = {} }: Operation,
	files: readonly FileInput[],
): { files: FileInput[]; attributes: PlacedValue[] } {
	const attributes = files.flatMap(({ fileName, mimeType, document = '' }, index) => {
		const values = { fileName, mimeType, documentName: how.documents?.[document]?.name ?? document };
		return (['fileName', 'mimeType', 'documentName'] as const).flatMap((key): PlacedValue[] => {
			const place = fileField(how[key] ?? '', index);
			return place === '' || values[key] === '' ? [] : [{ place, where: 'body', value: values[key] }];
		});
	});
	const placed = files.map((file, index) => ({
		...file,
		field: fileField(how.documents?.[file.document ?? '']?.field ?? how.field ?? file.field, index),
	}));
	return { files: placed, attributes };
}
