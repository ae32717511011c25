import { isRecord } from '../json.ts';
import type { ChoiceSource } from '../operation.ts';
import { textOrNumber } from '../text.ts';

/** @returns undefined if the response has no rows with such values */
export function readChoices(
	{ from, value, labelFields: shown }: ChoiceSource,
	response: unknown,
): { value: string; text: string }[] | undefined {
	const { list } = from;
	const rows = list === undefined ? rowsWith(value, response) : isRecord(response) ? response[list.key] : undefined;
	if (!Array.isArray(rows)) return undefined;
	return rows.filter(isRecord).flatMap((row) => {
		const id = textOrNumber(row[value]);
		const { [value]: _, ...labelFields } = list?.simplify(row) ?? row;
		const texts = (shown ?? Object.keys(labelFields))
			.map((name) => labelText(name, labelFields[name]))
			.filter((text) => text !== '');
		return id === '' ? [] : [{ value: id, text: texts.length === 0 ? id : `${id}: ${texts.join(', ')}` }];
	});
}

/** The first list, at any depth, whose rows have the field. */
function rowsWith(field: string, response: unknown): unknown[] | undefined {
	if (Array.isArray(response) && response.some((row) => isRecord(row) && Object.hasOwn(row, field))) return response;
	if (!isRecord(response)) return undefined;
	for (const inner of Object.values(response)) {
		const rows = rowsWith(field, inner);
		if (rows !== undefined) return rows;
	}
	return undefined;
}

/** The label of a choice: text as it is, a number with the name of its field. */
function labelText(name: string, value: unknown): string {
	if (Array.isArray(value)) return value.map(textOrNumber).join(' ');
	return typeof value === 'number' ? `${name} ${value}` : textOrNumber(value);
}
