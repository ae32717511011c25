import { fieldsOf, titleOf, unwrap } from '../../schemas/unwrap.ts';
import { payment } from './package.ts';

/** A column of a recipient table. */
export interface RecipientField {
	/** In the API's own names: `amount`, `name.first`. */
	name: string;
	title: string;
	required: boolean;
}

/** Required fields first. `sequence` defaults to the position of the payment. */
export const recipientFields: readonly RecipientField[] = fieldsOf(payment)
	.filter(([, field]) => unwrap(field).schema.entries === undefined)
	.map(([name, field]) => ({ name, title: titleOf(field), required: !unwrap(field).optional && name !== 'sequence' }))
	.sort((one, other) => Number(other.required) - Number(one.required));
