import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type NodeName, type Operation, type Resource, shapesOf } from '@bank/core';

import type { FormParts } from '../../nodes/shared/formParts.ts';
import { className } from '../names.ts';
import type { Written, WrittenForm } from './node.ts';

/**
 * The forms that a person writes: `descriptions/<resource>.<operation>.ts`, for a later shape `<resource>.<operation>.v2.ts`. Without
 * one of its own, a shape has that of the shape before it. Either the file exports `parts`, and the rest is generated, or the form
 * whole, under a name that ends in `Form`.
 */

export interface WrittenFile {
	file: string;
	parts?: FormParts;
	/** The name under which it exports the form whole. */
	whole?: string;
}

/** By `<resource>.<operation>` and version, for `writtenIn`. */
export async function writtenFiles(resources: readonly Resource[]): Promise<ReadonlyMap<string, WrittenFile>> {
	const found = new Map<string, WrittenFile>();
	for (const { node, operations } of resources) {
		for (const operation of operations) {
			for (const [index, { since }] of shapesOf(operation).entries()) {
				const name = index === 0 ? operation.id : `${operation.id}.v${since}`;
				const file = await readForm(node, name);
				if (file !== undefined) found.set(`${node} ${operation.id} ${since}`, file);
			}
		}
	}
	return found;
}

async function readForm(node: NodeName, name: string): Promise<WrittenFile | undefined> {
	const folder = `../../nodes/${className(node)}/descriptions`;
	if (!existsSync(fileURLToPath(new URL(`${folder}/${name}.ts`, import.meta.url)))) return undefined;
	const module = (await import(`../../nodes/${className(node)}/descriptions/${name}.ts`)) as Record<string, unknown>;
	const whole = Object.keys(module).find((key) => key.endsWith('Form'));
	if (module.parts === undefined && whole === undefined)
		throw new Error(`${name}.ts exports neither \`parts\` nor a form whose name ends in "Form"`);
	return {
		file: `${name}.ts`,
		...(module.parts === undefined ? {} : { parts: module.parts as FormParts }),
		...(whole === undefined ? {} : { whole }),
	};
}

/** The newest that a shape has. */
export function writtenIn(files: ReadonlyMap<string, WrittenFile>): Written {
	return ({ node }: Resource, operation: Operation, since: number): WrittenForm => {
		const shapes = shapesOf(operation).filter((shape) => shape.since <= since);
		const file = shapes
			.map((shape) => files.get(`${node} ${operation.id} ${shape.since}`))
			.findLast((one) => one !== undefined);
		return file?.whole === undefined ? file?.parts : 'whole';
	};
}
