import { readFileSync } from 'node:fs';

export const code = (text: string) => `\`${text}\``;
export const sentence = (text: string) => (text === '' ? '' : text[0]?.toUpperCase() + text.slice(1));
export const withStop = (text: string) => text.replace(/\.?$/, '.');
export const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

export function tableWithoutEmptyColumns(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const used = head.flatMap((_, column) => (rows.some((row) => row[column] !== '') ? [column] : []));
	const only = (row: readonly string[]) => used.map((column) => row[column] ?? '');
	return table(only(head), rows.map(only));
}

/** The text of a file, with new content between `<!-- name:start -->` and `<!-- name:end -->`. */
export function filledIn(path: string, parts: Record<string, string>): string {
	let text = readFileSync(path, 'utf8');
	for (const [name, content] of Object.entries(parts)) {
		const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
		const [from, to] = [text.indexOf(start), text.indexOf(end)];
		if (from < 0 || to < from) throw new Error(`${path} needs the lines ${start} and ${end}, for the generated part`);
		text = `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
	}
	return text;
}
