import { type ValidationIssue, InputError, isRecord, type RecipientField, recipientFields } from '@bank/core';
import type { ResourceMapperFields } from 'n8n-workflow';

import type { Run } from '../../shared/pipeline/run.ts';
import { listed } from '../../shared/messages.ts';
import type { Recipient } from './package.ts';

/** Columns of the input items -> recipients: matched by their names, or as a person has mapped them. */

/** What n8n's mapper offers. */
export const recipientColumns: ResourceMapperFields = {
	fields: recipientFields.map(({ name, title, required }) => ({
		id: name,
		displayName: title,
		required,
		defaultMatch: false,
		display: true,
		type: 'string',
	})),
};

/** @throws InputError where the columns do not say which field is which */
export function recipientsOfColumns(run: Run): (item: number) => Recipient {
	const { parameters } = run;
	if (parameters.value('columns.mappingMode', 0, '') !== 'defineBelow') return recipientsByName(run);
	return (item) => recipientOf((field) => parameters.value(`columns.value["${field}"]`, item, ''));
}

const ofName = recipientFields.filter(({ name }) => name.startsWith('name.'));
const ofPayment = recipientFields.filter((field) => !ofName.includes(field));

function recipientOf(valueOf: (field: string) => unknown): Recipient {
	return {
		...Object.fromEntries(ofPayment.map(({ name }) => [name, valueOf(name)])),
		name: Object.fromEntries(ofName.map(({ name }) => [name.slice('name.'.length), valueOf(name)])),
	};
}

/** `Phone`, `phone`, `PHONE`, `Recipient Phone`; `Bank ID`, `bank_id`. A table from a file may begin with a mark of its encoding. */
const spelled = (name: string): string =>
	name
		.toLowerCase()
		.replace(/[\s\uFEFF_.-]+/g, '')
		.replace(/^recipient/, '');

const bySpelling: ReadonlyMap<string, string> = new Map(
	recipientFields.flatMap(({ name, title }) => [name, title].map((one) => [spelled(one), name] as const)),
);

/** Reads the items directly, without n8n's engine. Columns with other names are never sent. */
function recipientsByName({ context }: Run): (item: number) => Recipient {
	const faults: ValidationIssue[] = [];
	const known = new Set<string>();
	// A table has the same columns in every row.
	const fields = new Map<string, string | undefined>();
	const fieldOf = (column: string): string | undefined => {
		if (!fields.has(column)) fields.set(column, bySpelling.get(spelled(column)));
		return fields.get(column);
	};
	const items = context.getInputData().map(({ json }) => columnsOf(json));
	const recipients = items.map((columns, item) => {
		const found = new Map<string, readonly [column: string, value: unknown]>();
		for (const [column, value] of columns) {
			const field = fieldOf(column);
			if (field === undefined) continue;
			const earlier = found.get(field);
			if (earlier !== undefined) faults.push({ path: field, message: inTwo(earlier[0], column), item });
			found.set(field, [column, value]);
			known.add(field);
		}
		return recipientOf((field) => found.get(field)?.[1]);
	});
	const missing = recipientFields.filter(({ name, required }) => required && !known.has(name));
	for (const field of missing)
		for (const [item, columns] of items.entries())
			faults.push({ path: field.name, message: inNone(field, columns), item });
	if (faults.length > 0) throw new InputError(faults);
	return (item) => recipients[item] ?? {};
}

type Column = readonly [name: string, value: unknown];

/** What an object holds is a column as well: `name.first`. */
function columnsOf(json: object): Column[] {
	return Object.entries(json).flatMap(([name, value]: Column): Column[] =>
		isRecord(value) ? Object.entries(value).map(([inner, own]): Column => [`${name}.${inner}`, own]) : [[name, value]],
	);
}

const inTwo = (one: string, other: string): string =>
	`stands in two columns, "${one}" and "${other}". Rename or remove one of them before this node`;

function inNone({ name, title }: RecipientField, columns: readonly Column[]): string {
	const names = spelled(title) === spelled(name) ? `"${title}"` : `"${title}" or "${name}"`;
	const there =
		columns.length === 0 ? 'there are none' : `there are ${listed(columns.map(([column]) => `"${column}"`))}`;
	return `has no column among those of the input: rename the one that holds it to ${names}, or map the columns by hand; ${there}`;
}
