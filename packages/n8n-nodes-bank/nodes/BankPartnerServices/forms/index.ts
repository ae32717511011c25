import type { Form } from '../../shared/form.ts';
import { debit } from './debit.ts';

/** Operations whose form says more than their schema, by operation id. */
export const forms: Readonly<Record<string, Form>> = {
	'directDebit.debit': debit,
};
