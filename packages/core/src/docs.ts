import type { Docs, DocumentedOperation, Operation } from './operation.ts';

/**
 * What forms and docs say of an operation: for generators, tests and the sandbox, which run from the sources. What is published does not
 * have it, so nothing there may import this file.
 */
// `defineOperation` takes operations with their docs, and there is no other way to make one.
export const docsOf = (operation: Operation): Docs => operation as DocumentedOperation;
