import { isRecord } from '../json.ts';
import type { Choice } from '../operation.ts';
import { textOrNumber } from '../text.ts';

/** A value that a field may have, and the words by which a person knows it. */
export interface Chosen {
	value: string;
	text: string;
}

/** @returns undefined where the answer has no rows with such values, which may be where the description does not show them */
export function choicesIn({ from, value, shown }: Choice, answer: unknown): Chosen[] | undefined {
	const { list } = from;
	const rows = list === undefined ? rowsWith(value, answer) : isRecord(answer) ? answer[list.key] : undefined;
	if (!Array.isArray(rows)) return undefined;
	return rows.filter(isRecord).flatMap((row) => {
		const id = textOrNumber(row[value]);
		const { [value]: _, ...told } = list?.simplify(row) ?? row;
		const texts = (shown ?? Object.keys(told)).map((name) => textOf(name, told[name])).filter((text) => text !== '');
		return id === '' ? [] : [{ value: id, text: texts.length === 0 ? id : `${id}: ${texts.join(', ')}` }];
	});
}

/** The first list at any depth whose rows have the field. */
function rowsWith(field: string, answer: unknown): unknown[] | undefined {
	if (Array.isArray(answer) && answer.some((row) => isRecord(row) && Object.hasOwn(row, field))) return answer;
	if (!isRecord(answer)) return undefined;
	for (const inner of Object.values(answer)) {
		const rows = rowsWith(field, inner);
		if (rows !== undefined) return rows;
	}
	return undefined;
}

/** A number says nothing without its name. */
function textOf(name: string, value: unknown): string {
	if (Array.isArray(value)) return value.map(textOrNumber).join(' ');
	return typeof value === 'number' ? `${name} ${value}` : textOrNumber(value);
}
