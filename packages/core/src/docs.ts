import type { Docs, DocumentedOperation, Operation } from './operation.ts';

/**
 * The texts of an operation for forms and docs. The published build strips them, so only generators, tests and the
 * sandbox may import this file.
 */
// Every operation is created by `defineOperation`, which requires `Docs`.
export const docsOf = (operation: Operation): Docs => operation as DocumentedOperation;
