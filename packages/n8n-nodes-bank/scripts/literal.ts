/** A value as TypeScript source, written as a person would: tabs, single quotes, bare keys. */
export function literal(value: unknown, depth = 0): string {
	const pad = '\t'.repeat(depth + 1);
	const end = '\t'.repeat(depth);
	if (typeof value === 'string') return value.includes("'") && !value.includes('"') ? JSON.stringify(value) : `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		const inline = `[${value.map((element) => literal(element, depth)).join(', ')}]`;
		if (value.every((element) => typeof element !== 'object') && inline.length < 100) return inline;
		return `[\n${value.map((element) => `${pad}${literal(element, depth + 1)},\n`).join('')}${end}]`;
	}
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).filter(([, field]) => field !== undefined);
		if (entries.length === 0) return '{}';
		const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);
		const inline = `{ ${entries.map(([name, field]) => `${key(name)}: ${literal(field, depth)}`).join(', ')} }`;
		if (!inline.includes('\n') && inline.length < 80 && entries.every(([, field]) => typeof field !== 'object' || Array.isArray(field))) return inline;
		return `{\n${entries.map(([name, field]) => `${pad}${key(name)}: ${literal(field, depth + 1)},\n`).join('')}${end}}`;
	}
	return String(value);
}
