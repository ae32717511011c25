import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceFiles } from '../../src/dev/sourceFiles.ts';

let root: string;
let sources: SourceFiles;

beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), 'n8n-nodes-bank-sources-'));
	mkdirSync(join(root, 'inner'));
	writeFileSync(join(root, 'inner/old.ts'), 'one');
	sources = new SourceFiles([root]);
	await sources.changes();
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Does something and returns the changes. */
async function after(change: () => void): Promise<string[]> {
	change();
	return (await sources.changes()).map((file) => file.slice(root.length + 1).replaceAll('\\', '/'));
}

test('tells what was written, made and deleted, once', async () => {
	expect(await after(() => writeFileSync(join(root, 'inner/old.ts'), 'two, longer'))).toEqual(['inner/old.ts']);
	expect(await sources.changes()).toEqual([]);
	expect(await after(() => writeFileSync(join(root, 'inner/new.ts'), ''))).toEqual(['inner/new.ts']);
	expect(await after(() => rmSync(join(root, 'inner/new.ts')))).toEqual(['inner/new.ts']);
});

test('tells of a file that an editor has put in the place of another, and of one in a new folder', async () => {
	const replace = () => {
		writeFileSync(join(root, 'inner/old.ts~'), 'replaced');
		renameSync(join(root, 'inner/old.ts~'), join(root, 'inner/old.ts'));
	};
	expect(await after(replace)).toEqual(['inner/old.ts']);
	mkdirSync(join(root, 'later'));
	expect(await after(() => writeFileSync(join(root, 'later/first.ts'), ''))).toEqual(['later/first.ts']);
});

test('what was written by ourselves is no change', async () => {
	writeFileSync(join(root, 'inner/old.ts'), 'generated');
	sources.remember([join(root, 'inner/old.ts')]);
	expect(await sources.changes()).toEqual([]);
});
