import { type Fault, type Operation, type PreparedRequest } from '@bank/core';

/** What makes two requests the same one for whoever must not send it twice. */
export function identityOf(operation: Operation, prepared: PreparedRequest): string {
	const { method, url, input } = prepared;
	const own = operation.identity === undefined ? contentOf(prepared) : JSON.stringify(operation.identity(input.body));
	return [operation.id, method, url, own].join('\n');
}

/** What a request carries. A form counts by its parts: the boundary between them is drawn anew each time. */
export function contentOf({ body, parts }: PreparedRequest): string {
	return body ?? (parts === undefined ? '' : JSON.stringify(parts));
}

/** Of an operation that the bank allows once for the same path fields (part 8): the field that names what it is for. */
export function onceField({ pathFields }: Operation): string {
	return Object.keys(pathFields?.entries ?? {})[0] ?? '';
}

/** Looks at the requests of a run one after another: the fault of one that the bank allows once, and that came before. */
export function repeatedFault(operation: Operation): (prepared: PreparedRequest, item: number) => Fault | undefined {
	const first = new Map<string, number>();
	return (prepared, item) => {
		if (operation.once !== true) return undefined;
		const earlier = first.get(prepared.url);
		if (earlier === undefined) first.set(prepared.url, item);
		if (earlier === undefined) return undefined;
		const message =
			`is that of item ${earlier} as well, and the bank allows ` +
			`${operation.name} only once. Remove repeated items before this node`;
		return { path: onceField(operation), message, item };
	};
}
