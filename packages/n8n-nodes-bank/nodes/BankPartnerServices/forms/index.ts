import { definitions } from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { debit } from './debit.ts';

/** Operations whose form says more than their schema. */
export const forms = [bindHooks(definitions.directDebit.debit, debit)];
