import { definitions } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { getContent } from './getContent.ts';

/** Operations whose form says more than their schema. */
export const forms = [formOf(definitions.file.getContent, getContent)];
