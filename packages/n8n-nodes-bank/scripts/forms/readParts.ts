import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Operation, Resource } from '@bank/core';

import type { FormParts } from './formParts.ts';

/** Returns the hand-written parts of the form of an operation. */
export type PartsOf = (operation: Operation) => FormParts | undefined;

/** Reads the hand-written parts of all forms of a node: `parts/<resource>.<operation>.ts`. */
export async function readParts(resources: readonly Resource[]): Promise<PartsOf> {
	const found = new Map<string, FormParts>();
	for (const { id } of resources.flatMap(({ operations }) => operations)) {
		const file = `./parts/${id}.ts`;
		if (!existsSync(fileURLToPath(new URL(file, import.meta.url)))) continue;
		const { parts } = (await import(file)) as { parts?: FormParts };
		if (parts === undefined) throw new Error(`${id}.ts does not export \`parts\``);
		found.set(id, parts);
	}
	return ({ id }) => found.get(id);
}
