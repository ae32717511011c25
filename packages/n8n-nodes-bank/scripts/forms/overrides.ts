import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type NodeName, type Operation, type Resource } from '@bank/core';

import type { FormParts } from '../../nodes/shared/form/formParts.ts';
import { className } from '../names.ts';

/** Hand-written parts of a form: `descriptions/<resource>.<operation>.ts`. */
export interface FormOverrides {
	file: string;
	parts: FormParts;
	/** Name of the export that replaces the generated form; absent if the rest is generated. */
	whole?: string;
}

/** Returns the overrides of an operation. */
export type OverridesOf = (operation: Operation) => FormOverrides | undefined;

/** Reads all hand-written parts of the forms of a node. */
export async function readOverrides(
	resources: readonly Resource[],
): Promise<{ forms: readonly FormOverrides[]; overridesOf: OverridesOf }> {
	const found = new Map<string, FormOverrides>();
	for (const { node, operations } of resources) {
		for (const { id } of operations) {
			const form = await readForm(node, id);
			if (form !== undefined) found.set(id, form);
		}
	}
	return { forms: [...found.values()], overridesOf: ({ id }) => found.get(id) };
}

async function readForm(node: NodeName, name: string): Promise<FormOverrides | undefined> {
	const file = new URL(`../../nodes/${className(node)}/descriptions/${name}.ts`, import.meta.url);
	if (!existsSync(fileURLToPath(file))) return undefined;
	const module = (await import(`../../nodes/${className(node)}/descriptions/${name}.ts`)) as {
		parts?: FormParts;
		[name: string]: unknown;
	};
	const whole = Object.keys(module).find((key) => key.endsWith('Form'));
	if (module.parts === undefined && whole === undefined)
		throw new Error(`${name}.ts exports neither \`parts\` nor a form whose name ends in "Form"`);
	return { file: `${name}.ts`, parts: module.parts ?? {}, ...(whole === undefined ? {} : { whole }) };
}
