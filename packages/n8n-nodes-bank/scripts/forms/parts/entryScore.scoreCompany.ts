import type { FormParts } from '../formParts.ts';

export const parts: FormParts = {
	returns:
		'If the service details name the field of the category, `scoreCategory` is added: `green`, `yellow`, `red` or `unclear`: ' +
		'[entry score](partner-services.md#entry-score).',
};
