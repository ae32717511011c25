import type { Operation, Shape } from './operation.ts';

/**
 * An operation may change its shape with a version of the node. A workflow holds the version that it was made with (its
 * `typeVersion`) and goes on with the shape of that version.
 */

/** Every shape of an operation, the oldest first. The definition itself is the first of them. */
export function shapesOf(operation: Operation): readonly Shape[] {
	return [{ since: operation.since ?? 1, operation }, ...(operation.versions ?? [])];
}

/** The shapes that a version of the node knows, the newest first: that one holds. None where the operation came later. */
export function shapesUntil(operation: Operation, typeVersion: number): readonly Operation[] {
	const known = shapesOf(operation).filter(({ since }) => since <= typeVersion);
	return known.map((shape) => shape.operation).reverse();
}

/** The shape that a version of the node has. Undefined where the operation came later. */
export function operationAt(operation: Operation, typeVersion: number): Operation | undefined {
	return shapesUntil(operation, typeVersion)[0];
}

/** The versions of a node that has these operations: the first, and each that brought something. */
export function versionsOf(operations: readonly Operation[]): readonly number[] {
	const brought = operations.flatMap((operation) => shapesOf(operation).map(({ since }) => since));
	return [...new Set([1, ...brought])].sort((a, b) => a - b);
}
