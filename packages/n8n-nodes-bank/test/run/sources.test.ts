/** What the lint of the structure does not see: whom a room knows by way of others, and who uses what of n8n. */
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
	/** All that a file knows, by way of others too. */
	function known(file: string, found = new Set<string>()): Set<string> {
		for (const imported of importsOf(file)) {
			if (found.has(imported)) continue;
			found.add(imported);
			known(imported, found);
		}
		return found;
	}
	/** Each file of shared, by name, with what it knows. */
	const knownBy = new Map(
		files
			.filter((file) => file.startsWith(shared + path.sep))
			.map((file) => [nameOf(file), new Set([...known(file)].map(nameOf))]),
	);
	const usersOf = (word: RegExp) => files.filter((file) => word.test(withoutComments(sourceOf(file)))).map(nameOf);

	it('know their imports: the test sees them', () => {
		expect(knownBy.get('run/plan.ts')).toContain('run/run.ts');
		expect(knownBy.get('execute.ts')).toContain('run/thrown.ts');
	});

	it('know no room that comes later, by way of others either', () => {
		const rooms = ['plan', 'seal', 'executionLedger', 'send', 'present', 'sendPayments', 'corridor'].map((room) => `run/${room}.ts`);
		for (const [index, room] of rooms.entries()) {
			const later = [...rooms.slice(index + 1), 'execute.ts'];
			expect([room, later.filter((other) => knownBy.get(room)?.has(other))]).toEqual([room, []]);
		}
	});

	it('use the HTTP helper of n8n, or any other way to the network, in send alone', () => {
		expect(usersOf(/httpRequest|requestWithAuthentication|requestOAuth|\bfetch\(|\bhelpers\.request\b/)).toEqual([
			'run/send.ts',
		]);
	});

	it('keep what they have sent in duplicate protection and the execution ledger alone', () => {
		expect(usersOf(/ProcessedAndRecord|removeProcessed|clearAllProcessed|getContext\(/)).toEqual([
			'idempotency/protection.ts',
			'run/executionLedger.ts',
		]);
	});

	it('of a room can be read in one sitting', () => {
		const long = [...knownBy.keys()].filter(
			(file) => file.startsWith(`run${path.sep}`) && sourceOf(path.join(shared, file)).split('\n').length > 300,
		);
		expect(long).toEqual([]);
	});
});
