import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type NodeName, type Operation, type Resource } from '@bank/core';

import type { FormParts } from '../../nodes/shared/formParts.ts';
import { className } from '../names.ts';

/** What a person writes of a form: `descriptions/<resource>.<operation>.ts`. */
export interface WrittenForm {
	file: string;
	parts: FormParts;
	/** The name under which the file exports the form whole; absent where the rest is generated. */
	whole?: string;
}

/** Finds what is written of an operation. */
export type Written = (operation: Operation) => WrittenForm | undefined;

/** Everything that is written of the forms of a node. */
export async function writtenForms(
	resources: readonly Resource[],
): Promise<{ forms: readonly WrittenForm[]; written: Written }> {
	const found = new Map<string, WrittenForm>();
	for (const { node, operations } of resources) {
		for (const { id } of operations) {
			const form = await readForm(node, id);
			if (form !== undefined) found.set(id, form);
		}
	}
	return { forms: [...found.values()], written: ({ id }) => found.get(id) };
}

async function readForm(node: NodeName, name: string): Promise<WrittenForm | undefined> {
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
