/** Each layer speaks its own language: core that of the bank, the bridge and the generator that of n8n, without a fact of the bank. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations, resources } from '@bank/core';
import { parseSync } from '@swc/core';

const packages = path.resolve(__dirname, '../..');

interface Said {
	file: string;
	text: string;
}

/** What stands in the code of these files, without comments and the paths of imports. */
function saidIn(pattern: string): { texts: Said[]; names: Said[] } {
	const found = globSync(pattern, { cwd: packages }).map((file) => {
		const { texts, names } = wordsOf(readFileSync(path.join(packages, file), 'utf8'));
		const of = (said: readonly string[]) => said.map((text): Said => ({ file, text }));
		return { texts: of(texts), names: of(names) };
	});
	return { texts: found.flatMap(({ texts }) => texts), names: found.flatMap(({ names }) => names) };
}

/** Texts are literals and the fixed parts of templates; names are those of variables, fields and types. */
function wordsOf(source: string): { texts: string[]; names: string[] } {
	const texts: string[] = [];
	const names: string[] = [];
	const look = (tree: unknown): void => {
		if (Array.isArray(tree)) tree.forEach(look);
		if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return;
		const { type, value, raw, source: _path, ...inner } = tree as Record<string, unknown>;
		if (type === 'StringLiteral') texts.push(String(value));
		if (type === 'TemplateElement') texts.push(String(raw));
		if (type === 'Identifier') names.push(String(value));
		// Also what an identifier has beside its name: its type.
		Object.values({ ...inner, value }).forEach(look);
	};
	look(parseSync(source, { syntax: 'typescript' }));
	return { texts, names };
}

it('texts and names are told from comments and from paths of imports', () => {
	const template = '`from $' + '{b} to`';
	const source = `import { b } from 'path'; // comment\nconst c: 'type' = { d: 'text' }[${template}];`;
	expect(wordsOf(source)).toEqual({ texts: ['type', 'text', 'from ', ' to'], names: ['b', 'c', 'd', 'b'] });
});

describe('core', () => {
	/** Words of n8n, of its forms and of the sandbox. */
	const foreign = [
		/\bn8n\b/i,
		/\bbinary\b/i,
		/\bcredentials?\b/i,
		/\beditor\b/i,
		/\bexecutions?\b/i,
		/\bexpressions?\b/i,
		/\binput items?\b/i,
		/\bnodes?\b/i,
		/\boptions?\b/i,
		/\breconnect/i,
		/\bsandbox\b/i,
		/\bswitch on\b/i,
		/\bthe forms?\b/i,
		/\bthis machine\b/i,
		/\btriggers?\b/i,
		/\bworkflows?\b/i,
		// What is chosen by its label is a field of a form.
		/\bchoose [A-Z]/i,
	];

	const { texts } = saidIn('core/src/**/*.ts');

	it('says nothing in the words of n8n or of the sandbox', () => {
		expect(texts.length).toBeGreaterThan(1000);
		expect(texts.filter(({ text }) => foreign.some((word) => word.test(text)))).toEqual([]);
	});

	it('does not know that n8n is there, not even in a comment', () => {
		const files = globSync('core/src/**/*.ts', { cwd: packages });
		expect(files.filter((file) => /n8n/i.test(readFileSync(path.join(packages, file), 'utf8')))).toEqual([]);
	});
});

describe('what serves every operation', () => {
	const ids = new Set([
		...operations.map(({ id }) => id),
		...resources.map(({ value }) => value),
		...operations.flatMap(({ pathFields }) => Object.keys(pathFields?.entries ?? {})),
	]);
	/** Words that mean something else there. */
	const others: readonly Said[] = [
		{ file: 'n8n-nodes-bank/nodes/shared/failures.ts', text: 'requestId' },
		{ file: 'n8n-nodes-bank/nodes/shared/words.ts', text: 'requestId' },
		{ file: 'n8n-nodes-bank/nodes/shared/run/corridor.ts', text: 'requestId' },
		{ file: 'n8n-nodes-bank/nodes/shared/run/present.ts', text: 'requestId' },
		{ file: 'n8n-nodes-bank/nodes/shared/run/trace.ts', text: 'requestId' },
		{ file: 'n8n-nodes-bank/nodes/shared/run/present.ts', text: 'file' },
		{ file: 'n8n-nodes-bank/scripts/forms/open.ts', text: 'file' },
		// How n8n calls a way to give what can be listed, and the context of a node.
		{ file: 'n8n-nodes-bank/nodes/shared/idempotency/paymentLog.ts', text: 'id' },
		{ file: 'n8n-nodes-bank/scripts/forms/operation.ts', text: 'id' },
		{ file: 'n8n-nodes-bank/scripts/reference.ts', text: 'file' },
		// A way to word errors, and a chapter of docs/errors.md.
		{ file: 'n8n-nodes-bank/scripts/errorTables.ts', text: 'entryScore' },
		{ file: 'n8n-nodes-bank/scripts/reference.ts', text: 'courier' },
	];
	const { texts, names } = saidIn('n8n-nodes-bank/{nodes/shared,scripts}/**/*.ts');
	const isOther = ({ file, text }: Said) => others.some((other) => other.file === file && other.text === text);
	// A name of one word, such as `file` or `id`, is too common to tell.
	const named = [...texts, ...names.filter(({ text }) => /[a-z][A-Z]/.test(text))].filter(({ text }) => ids.has(text));

	it('names none of them, neither by its id, nor by its resource, nor by a field of its path', () => {
		expect(texts.length).toBeGreaterThan(500);
		expect(named.filter((said) => !isOther(said))).toEqual([]);
	});

	it('has no excuse for a word that is not there', () => {
		expect(others.filter(({ file, text }) => !named.some((said) => said.file === file && said.text === text))).toEqual(
			[],
		);
	});
});
