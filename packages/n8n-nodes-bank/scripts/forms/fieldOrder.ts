/**
 * All fields in one order that agrees with every list (topological sort). Throws if two lists contradict each other.
 * @param lists descriptions of fields, which begin with their names
 */
export function fieldOrder(lists: readonly (readonly string[])[]): string[] {
	const before = new Map<string, Set<string>>();
	for (const list of lists) {
		const fields = [...new Set(list)];
		fields.forEach((field, index) => {
			const known = before.get(field) ?? new Set<string>();
			before.set(field, new Set([...known, ...fields.slice(Math.max(0, index - 1), index)]));
		});
	}
	const order: string[] = [];
	while (order.length < before.size) {
		const left = [...before].filter(([field]) => !order.includes(field));
		const next = left.find(([, others]) => [...others].every((other) => order.includes(other)));
		if (next === undefined)
			throw new Error(
				`Two operations have some of these fields in another order: ${left.map(([field]) => field.split(' ')[0]).join(', ')}`,
			);
		order.push(next[0]);
	}
	return order;
}
