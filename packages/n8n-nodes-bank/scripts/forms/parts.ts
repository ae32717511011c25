import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Operation, Resource } from '@bank/core';

import type { FormParts } from '../../nodes/shared/form/formParts.ts';
import { className } from '../names.ts';

/** Returns the hand-written parts of the form of an operation. */
export type PartsOf = (operation: Operation) => FormParts | undefined;

/** Reads the hand-written parts of all forms of a node: `descriptions/<resource>.<operation>.ts`. */
export async function readParts(resources: readonly Resource[]): Promise<PartsOf> {
	const found = new Map<string, FormParts>();
	for (const { node, operations } of resources) {
		for (const { id } of operations) {
			const file = `../../nodes/${className(node)}/descriptions/${id}.ts`;
			if (!existsSync(fileURLToPath(new URL(file, import.meta.url)))) continue;
			const { parts } = (await import(file)) as { parts?: FormParts };
			if (parts === undefined) throw new Error(`${id}.ts does not export \`parts\``);
			found.set(id, parts);
		}
	}
	return ({ id }) => found.get(id);
}
