import type { OperationForm } from './displayOptions.ts';

/**
 * Names of all fields in an order that every form keeps (topological sort). Throws if two forms contradict each other.
 */
export function fieldOrder(forms: readonly OperationForm[]): string[] {
	const before = new Map<string, Set<string>>();
	for (const { fields } of forms) {
		const names = [...new Set(fields.map(({ name }) => name))];
		names.forEach((name, index) => {
			const known = before.get(name) ?? new Set<string>();
			before.set(name, new Set([...known, ...names.slice(Math.max(0, index - 1), index)]));
		});
	}
	const order: string[] = [];
	while (order.length < before.size) {
		const left = [...before].filter(([name]) => !order.includes(name));
		const next = left.find(([, others]) => [...others].every((other) => order.includes(other)));
		if (next === undefined)
			throw new Error(
				`Two operations have some of these fields in another order: ${left.map(([name]) => name).join(', ')}`,
			);
		order.push(next[0]);
	}
	return order;
}
