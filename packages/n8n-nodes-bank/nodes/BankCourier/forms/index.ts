import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { getContent } from './getContent.ts';

/** Operations that need more than the form generated from their schema. */
export const forms = [bindHooks(definitions.file.getContent, getContent)];
