import * as v from 'valibot';

import { joinPath } from '../../validation.ts';
import { unwrap } from '../../schemas/unwrap.ts';
import { payment } from './package.ts';

/** A column of a recipient table. */
export interface RecipientField {
	/** In the API's own names: `amount`, `name.first`. */
	name: string;
	title: string;
	required: boolean;
}

/** Required fields first. `sequence` defaults to the position of the payment. */
export const recipientFields: readonly RecipientField[] = fieldsIn(payment, '').sort(
	(one, other) => Number(other.required) - Number(one.required),
);

function fieldsIn(outer: v.GenericSchema, parent: string): RecipientField[] {
	return Object.entries(unwrap(outer).schema.entries ?? {}).flatMap(([key, entry]) => {
		const { schema, optional } = unwrap(entry);
		const name = joinPath(parent, key);
		const title = v.getTitle(schema as never) ?? name;
		return schema.entries === undefined
			? [{ name, title, required: !optional && name !== 'sequence' }]
			: fieldsIn(entry, name);
	});
}
