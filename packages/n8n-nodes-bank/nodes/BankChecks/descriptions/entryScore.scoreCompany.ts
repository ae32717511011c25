import type { FormParts } from '../../shared/formParts.ts';

export const parts: FormParts = {
	returns:
		'Where the answer holds one of the usual categories, and only one, `scoreCategory` stands beside it: `green`, `yellow` or `red`.',
};
