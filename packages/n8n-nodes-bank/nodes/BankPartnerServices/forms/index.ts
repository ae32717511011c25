import { operationById } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { debit } from './debit.ts';

/** Operations whose form says more than their schema. */
export const forms = [formOf(operationById('directDebit.debit'), debit)];
