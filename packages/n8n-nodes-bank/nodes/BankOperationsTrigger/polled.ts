import { definitions } from '@bank/core';

/** The operation that the trigger polls. */
export const polled = definitions.accountOperation.getMany;
