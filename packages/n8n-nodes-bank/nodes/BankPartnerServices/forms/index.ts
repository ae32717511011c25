import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { debit } from './debit.ts';

/** Operations that need more than the form generated from their schema. */
export const forms = [bindHooks(definitions.directDebit.debit, debit)];
