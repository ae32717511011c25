/** Rules that the import lint does not check: indirect imports of the pipeline's steps, and which file uses which API of n8n. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

describe('the sources', () => {
	const nodes = path.resolve(__dirname, '../../nodes');
	const shared = path.join(nodes, 'shared');
	const sourceOf = (file: string) => readFileSync(file, 'utf8');
	const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => path.join(nodes, file));
	const nameOf = (file: string) => path.relative(shared, file);
	/** The files that a file imports, types included. */
	const importsOf = (file: string): string[] =>
		[...withoutComments(sourceOf(file)).matchAll(/\bfrom\s+'(\.[^']+)'/g)].map(([, name]) =>
			path.join(path.dirname(file), name ?? ''),
		);
	/** All direct and indirect imports of a file. */
	function known(file: string, found = new Set<string>()): Set<string> {
		for (const imported of importsOf(file)) {
			if (found.has(imported)) continue;
			found.add(imported);
			known(imported, found);
		}
		return found;
	}
	/** The direct and indirect imports of each file of shared, by name. */
	const knownBy = new Map(
		files
			.filter((file) => file.startsWith(shared + path.sep))
			.map((file) => [nameOf(file), new Set([...known(file)].map(nameOf))]),
	);
	const usersOf = (word: RegExp) => files.filter((file) => word.test(withoutComments(sourceOf(file)))).map(nameOf);

	it('are parsed: their imports are found', () => {
		expect(knownBy.get('pipeline/plan.ts')).toContain('pipeline/run.ts');
		expect(knownBy.get('execute.ts')).toContain('http/transportErrors.ts');
	});

	it('of a step import no later step, directly or indirectly', () => {
		const steps = [
			'pipeline/plan.ts',
			'pipeline/encodeRequest.ts',
			'pipeline/executionLedger.ts',
			'http/bankHttpClient.ts',
			'pipeline/present.ts',
			'pipeline/sendPayments.ts',
			'pipeline/pipeline.ts',
		];
		for (const [index, step] of steps.entries()) {
			expect(knownBy.has(step)).toBe(true);
			const later = [...steps.slice(index + 1), 'execute.ts'];
			expect([step, later.filter((other) => knownBy.get(step)?.has(other))]).toEqual([step, []]);
		}
	});

	it('use the HTTP helper of n8n, or any other way to the network, in the HTTP client only', () => {
		expect(usersOf(/httpRequest|requestWithAuthentication|requestOAuth|\bfetch\(|\bhelpers\.request\b/)).toEqual([
			'http/bankHttpClient.ts',
		]);
	});

	it('store what was sent in duplicate protection and the execution ledger only', () => {
		expect(usersOf(/ProcessedAndRecord|removeProcessed|clearAllProcessed|getContext\(/)).toEqual([
			'idempotency/protection.ts',
			'pipeline/executionLedger.ts',
		]);
	});
});
