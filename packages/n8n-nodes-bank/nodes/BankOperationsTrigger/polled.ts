import { definitions } from '@bank/core';

/** What the trigger reads with, and puts into its items. */
export const polled = definitions.accountOperation.getMany;
