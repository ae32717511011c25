import type { Form } from '../../shared/form.ts';
import { getContent } from './getContent.ts';

/** Operations whose form says more than their schema, by operation id. */
export const forms: Readonly<Record<string, Form>> = {
	'file.getContent': getContent,
};
