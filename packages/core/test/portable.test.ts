/**
 * core runs wherever there is ECMAScript: in n8n, in a browser, in a worker. Idea: segmentio/action-destinations,
 * packages/core/src/__tests__/no-environment-specific-code.test.ts
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

import { transformSync } from '@swc/core';

import type * as Core from '../src/index.ts';

const source = path.resolve(__dirname, '../src');

/** V8 adds these two to every context; ECMAScript does not have them. */
function bareContext(): vm.Context {
	const context = vm.createContext({});
	vm.runInContext('delete globalThis.console; delete globalThis.WebAssembly', context);
	return context;
}

const globalsOf = (run: (code: string) => unknown) =>
	new Set(run('Object.getOwnPropertyNames(globalThis)') as string[]);

/** All globals that this Node has beyond ECMAScript: process, Buffer, URL, setTimeout, fetch, console, … */
const language = globalsOf((code) => vm.runInContext(code, bareContext()));
const environment = new Set(
	[
		...globalsOf((code) => vm.runInThisContext(code)),
		'require',
		'module',
		'__dirname',
		'__filename',
		'window',
		'document',
	].filter((name) => !language.has(name)),
);

function toJavaScript(text: string, type: 'es6' | 'commonjs' = 'es6'): string {
	return transformSync(text, {
		jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
		module: { type },
		swcrc: false,
	}).code;
}

/** Runs the source as CommonJS inside the context; `require` knows relative files and valibot. */
function loadCore(context: vm.Context): typeof Core {
	const loaded = new Map<string, { exports: object }>();
	const load = (file: string): object => {
		const known = loaded.get(file);
		if (known) return known.exports;
		const text = readFileSync(file, 'utf8');
		const code = file.endsWith('.ts') ? toJavaScript(text, 'commonjs') : text;
		const module = { exports: {} };
		loaded.set(file, module);
		const require = (name: string) => {
			if (name.startsWith('.')) return load(path.resolve(path.dirname(file), name));
			if (name === 'valibot') return load(createRequire(file).resolve('valibot'));
			throw new Error(`${path.relative(source, file)} imports ${name}`);
		};
		const run = vm.runInContext(`(function (require, module, exports) {${code}\n})`, context, { filename: file }) as (
			...args: unknown[]
		) => void;
		run(require, module, module.exports);
		return module.exports;
	};
	return load(path.join(source, 'index.ts')) as typeof Core;
}

describe('core in a context that has nothing but ECMAScript', () => {
	const core = loadCore(bareContext());

	it('the check means something: the environment has what core must not use', () => {
		expect([...environment]).toEqual(
			expect.arrayContaining(['process', 'Buffer', 'URL', 'setTimeout', 'fetch', 'console', 'structuredClone']),
		);
	});

	it('loads, with all its operations', () => {
		expect(core.operations.length).toBeGreaterThan(0);
	});

	it('checks the input of every operation', () => {
		// An unknown name would be a ReferenceError.
		const outcomeOf = (operation: Core.Operation) => {
			try {
				return typeof core.prepare(operation, {}).url;
			} catch (error) {
				return (error as Error).name;
			}
		};
		const failed = core.operations
			.map((operation) => [operation.id, outcomeOf(operation)] as const)
			.filter(([, outcome]) => !['string', 'InputError'].includes(outcome));
		expect(failed).toEqual([]);
	});

	it('calls, reads the answer and tells a refusal', async () => {
		const operation = core.operationById('taxpayerAccount.get');
		const prepared = core.prepare(operation, { path: { requestId: 'a b' } });
		expect(prepared.url).toContain('/a%20b');
		const answering =
			(status: number, text: string): Core.Send =>
			async () => ({ status, headers: {}, text });
		await expect(core.call(operation, prepared, answering(200, '{"status":"SUCCESS"}'))).resolves.toMatchObject({
			data: { status: 'SUCCESS' },
		});
		await expect(core.call(operation, prepared, answering(403, '{"errorCode":"access_denied"}'))).rejects.toMatchObject(
			{ name: 'BankApiError' },
		);
	});
});
