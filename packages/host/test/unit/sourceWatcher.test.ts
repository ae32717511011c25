import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceWatcher } from '../../src/dev/sourceWatcher.ts';
import { pollUntil } from '../../src/poll.ts';

let root: string;
let watcher: SourceWatcher;
let heard: number;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'n8n-nodes-bank-watcher-'));
	mkdirSync(join(root, 'inner'));
	writeFileSync(join(root, 'inner/old.ts'), 'one');
	heard = 0;
	watcher = new SourceWatcher([root], () => heard++);
});

afterEach(() => {
	watcher.close();
	rmSync(root, { recursive: true, force: true });
});

/** Does something and returns what the watcher reports next. */
async function after(change: () => void): Promise<string[]> {
	heard = 0;
	change();
	await pollUntil(async () => heard > 0, { what: 'An event', intervalMs: 5 });
	return watcher.changes().map((file) => file.slice(root.length + 1).replaceAll('\\', '/'));
}

test('a file that nobody touches is no change', () => {
	expect(watcher.changes()).toEqual([]);
});

test('tells what was written, made and deleted, once', async () => {
	expect(await after(() => writeFileSync(join(root, 'inner/old.ts'), 'two, longer'))).toEqual(['inner/old.ts']);
	expect(watcher.changes()).toEqual([]);
	expect(await after(() => writeFileSync(join(root, 'inner/new.ts'), ''))).toEqual(['inner/new.ts']);
	expect(await after(() => rmSync(join(root, 'inner/new.ts')))).toEqual(['inner/new.ts']);
});

test('hears of a file again after an editor has put another in its place', async () => {
	const replace = () => {
		writeFileSync(join(root, 'inner/old.ts~'), 'replaced');
		renameSync(join(root, 'inner/old.ts~'), join(root, 'inner/old.ts'));
	};
	expect(await after(replace)).toContain('inner/old.ts');
	expect(await after(() => writeFileSync(join(root, 'inner/old.ts'), 'and written'))).toEqual(['inner/old.ts']);
});

test('hears of what happens in a folder that was made later', async () => {
	await after(() => mkdirSync(join(root, 'later')));
	expect(await after(() => writeFileSync(join(root, 'later/first.ts'), ''))).toEqual(['later/first.ts']);
});

test('what was written by ourselves is no change', async () => {
	writeFileSync(join(root, 'inner/old.ts'), 'generated');
	watcher.disregard([join(root, 'inner/old.ts')]);
	expect(watcher.changes()).toEqual([]);
});
