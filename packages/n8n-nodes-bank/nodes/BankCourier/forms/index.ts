import { operationById } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { getContent } from './getContent.ts';

/** Operations whose form says more than their schema. */
export const forms = [formOf(operationById('file.getContent'), getContent)];
