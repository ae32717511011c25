import type { FormParts } from '../formParts.ts';

export const parts: FormParts = {
	returns:
		'If the response holds exactly one of the usual categories, `scoreCategory` is added: `green`, `yellow` or `red`.',
};
