import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type NodeName, type Operation, type Resource, shapesOf } from '@bank/core';

import type { FormParts } from '../../nodes/shared/formParts.ts';
import { className } from '../names.ts';

/**
 * What a person writes of a form: `descriptions/<resource>.<operation>.ts`, for a later shape `<resource>.<operation>.v2.ts`. A shape
 * without a file of its own has that of the shape before it.
 */
export interface WrittenForm {
	file: string;
	parts: FormParts;
	/** The name under which the file exports the form whole; absent where the rest is generated. */
	whole?: string;
}

/** Finds what is written of the shape that a version of the node brought. */
export type Written = (operation: Operation, since: number) => WrittenForm | undefined;

/** Everything that is written of the forms of a node. */
export async function writtenForms(
	resources: readonly Resource[],
): Promise<{ forms: readonly WrittenForm[]; written: Written }> {
	const found = new Map<string, WrittenForm>();
	for (const { node, operations } of resources) {
		for (const name of operations.flatMap(fileNames)) {
			const form = await readForm(node, name);
			if (form !== undefined) found.set(name, form);
		}
	}
	const written: Written = (operation, since) => {
		const names = fileNames(operation).filter((_, index) => (shapesOf(operation)[index]?.since ?? since) <= since);
		return names.map((name) => found.get(name)).findLast((form) => form !== undefined);
	};
	return { forms: [...found.values()], written };
}

/** One for each shape. */
function fileNames(operation: Operation): string[] {
	return shapesOf(operation).map(({ since }, index) => (index === 0 ? operation.id : `${operation.id}.v${since}`));
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
