/**
 * Rules that the import lint cannot check: core contains nothing about n8n, and shared code has no special cases for single
 * operations.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '@bank/core';

const packages = path.resolve(__dirname, '../..');
const sourcesOf = (pattern: string) =>
	globSync(pattern, { cwd: packages }).map((file) => ({ file, text: readFileSync(path.join(packages, file), 'utf8') }));

it('core does not know that n8n is there, not even in a comment', () => {
	const sources = sourcesOf('core/src/**/*.ts');
	expect(sources.length).toBeGreaterThan(50);
	expect(sources.filter(({ text }) => /n8n/i.test(text)).map(({ file }) => file)).toEqual([]);
});

it('what serves every operation names none of them', () => {
	const sources = sourcesOf('n8n-nodes-bank/{nodes/shared,scripts}/**/*.ts');
	expect(sources.length).toBeGreaterThan(50);
	const named = sources.flatMap(({ file, text }) => {
		const code = text.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
		return operations.filter(({ id }) => new RegExp(`['"\`]${id}['"\`]`).test(code)).map(({ id }) => `${file}: ${id}`);
	});
	expect(named).toEqual([]);
});
