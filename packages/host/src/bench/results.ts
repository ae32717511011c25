import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { repoDir } from '../paths.ts';
import type { Result } from './measure.ts';

const file = join(repoDir, 'bench/results.json');

/** Replaces the measured rows and keeps the others, in the order of the table. */
export async function keep(results: readonly Result[], order: readonly string[]): Promise<void> {
	const kept = await readFile(file, 'utf8').then(
		(text) => (JSON.parse(text) as { rows: Result[] }).rows,
		() => [],
	);
	const rows = new Map([...kept, ...results].map((result) => [result.name, result]));
	const inOrder = order.flatMap((name) => rows.get(name) ?? []);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify({ rows: inOrder }, null, '\t')}\n`);
}
