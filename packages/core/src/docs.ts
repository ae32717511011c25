import type { Docs, DocumentedOperation, Method, Operation } from './operation.ts';

/**
 * The texts of an operation for forms and docs. The published build strips them, so only generators, tests and the
 * sandbox may import this file. Every operation has them, because `defineOperation` requires them.
 */
export const docsOf = (operation: Operation): Docs => operation as DocumentedOperation;

/** A likely method if none is described: POST for operations with data, otherwise GET. */
export function likelyMethod(operation: Operation): Method {
	if (operation.method !== undefined) return operation.method;
	const carries =
		operation.body !== undefined || operation.unnamedFields !== undefined || operation.payload?.required === true;
	return operation.effect === 'read' && !carries ? 'GET' : 'POST';
}
