import { definitions } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { debit } from './debit.ts';

/** Operations whose form says more than their schema. */
export const forms = [formOf(definitions.directDebit.debit, debit)];
