import { issueKind, type ValidationIssue } from '@bank/core';

import { joinNames } from './messages.ts';

/** Maximum number of lines in an error; n8n collapses its further messages. */
const maxLines = 5;

/** Maximum number of values or rows in a line. */
const maxNamed = 3;

/** Maximum number of further messages, and of values or rows in one of them. */
const maxFurther = 50;

/**
 * The message names the problem or, if there are several kinds, the fields: `Correct Amount, Phone`. Each kind of problem
 * is a line with the values and rows that have it. n8n shows the description as HTML, and collapses further messages.
 */
export function inputErrorTexts(
	issues: readonly ValidationIssue[],
	itemCount: number,
): { message: string; description: string; further: string[] } {
	const kinds = [...Map.groupBy(issues, issueKind)].map(([kind, found]) => ({
		kind,
		text: `${kind}${placesText(found, itemCount, maxNamed)}`,
		whole: `${kind}${placesText(found, itemCount, maxFurther)}`,
		label: found[0]?.label ?? '',
	}));
	const [first] = kinds;
	const further = kinds
		.filter(({ text, whole }, index) => index >= maxLines || text !== whole)
		.slice(0, maxFurther)
		.map(({ whole }) => whole);
	if (kinds.length < 2) return { message: first?.text ?? 'The input cannot be sent', description: '', further };
	const labels = [...new Set(kinds.map(({ label }) => label))];
	const lines = kinds.slice(0, maxLines).map(({ text }) => escapeHtml(text));
	if (kinds.length > maxLines) lines.push(`${kinds.length - maxLines} more: see <i>Error details</i>`);
	return {
		message: labels.includes('') ? 'The input needs corrections' : `Correct ${joinNames(labels, maxLines)}`,
		description: `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`,
		further,
	};
}

/** The problems of one item, each kind once with the rows that have it. */
export const itemIssueTexts = (issues: readonly ValidationIssue[]): string[] =>
	[...Map.groupBy(issues, issueKind)].map(([kind, found]) => kind + placesText(found, 1, maxNamed));

/** `: "1 222,50 руб." (item 6, Ivanova), "x" (item 9) and 3 more`, or ` (item 6, Ivanova; item 9)` without values. */
function placesText(issues: readonly ValidationIssue[], itemCount: number, most: number): string {
	const values = [...Map.groupBy(issues, ({ value }) => value)];
	const items = new Set(issues.flatMap(({ item }) => item ?? []));
	const isEveryItem = items.size > 1 && items.size === itemCount && values.length === 1;
	const texts = values.map(([value, found]) => {
		const rows = isEveryItem ? [`all ${itemCount} items`] : found.map((issue) => rowText(issue, itemCount));
		const distinct = [...new Set(rows)].filter((row) => row !== '');
		const named = joined(distinct, '; ', most);
		return [value === undefined ? '' : `"${value}"`, named === '' ? '' : `(${named})`].filter(Boolean).join(' ');
	});
	const shown = texts.filter((text) => text !== '');
	const places = joined(shown, ', ', most);
	return places === '' ? '' : places.startsWith('(') ? ` ${places}` : `: ${places}`;
}

const joined = (texts: readonly string[], separator: string, most: number): string =>
	texts.slice(0, most).join(separator) + (texts.length > most ? `${separator}and ${texts.length - most} more` : '');

/** n8n numbers items from 0. */
function rowText({ item, row }: ValidationIssue, itemCount: number): string {
	if (item === undefined || itemCount < 2) return row ?? '';
	return row === undefined ? `item ${item}` : `item ${item}, ${row}`;
}

export const escapeHtml = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
