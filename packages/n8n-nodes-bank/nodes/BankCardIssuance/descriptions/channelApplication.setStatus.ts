import type { FormParts } from '../../shared/form/formParts.ts';

export const parts: FormParts = { returns: 'Each item also has `stage`, and `isFinalStage`.' };
