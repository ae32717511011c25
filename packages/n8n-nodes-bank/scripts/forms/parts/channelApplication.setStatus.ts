import type { FormParts } from '../formParts.ts';

export const parts: FormParts = { returns: 'Each item also has `stage`, and `isFinalStage`.' };
