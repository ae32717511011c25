import type { FormParts } from '../../shared/formParts.ts';

export const parts: FormParts = {
	returns: 'Each item also has `stage`, and `isFinalStage`.',
};
