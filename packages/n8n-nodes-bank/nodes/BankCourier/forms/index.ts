import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { getContent } from './getContent.ts';

/** Operations whose form says more than their schema. */
export const forms = [bindHooks(definitions.file.getContent, getContent)];
