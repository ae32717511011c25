import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placePackage } from '../../src/n8nProcess.ts';

let root: string;
const built = () => ({ name: 'some-nodes', dir: join(root, 'package') });
const placed = (file: string) => join(root, 'user/.n8n/nodes/node_modules/some-nodes', file);

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'n8n-nodes-bank-place-'));
	mkdirSync(join(root, 'package/dist/nodes'), { recursive: true });
	mkdirSync(join(root, 'package/src'));
	for (const file of ['package.json', 'dist/nodes/One.node.js', 'dist/nodes/Two.node.js', 'src/source.ts'])
		writeFileSync(join(root, 'package', file), file);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a second time writes what differs and deletes what is gone', async () => {
	await placePackage(built(), join(root, 'user'));
	writeFileSync(join(root, 'package/dist/nodes/One.node.js'), 'changed');
	rmSync(join(root, 'package/dist/nodes/Two.node.js'));
	expect(await placePackage(built(), join(root, 'user'))).toEqual([placed('dist/nodes/One.node.js')]);
	expect(readFileSync(placed('dist/nodes/One.node.js'), 'utf8')).toBe('changed');
	expect(existsSync(placed('dist/nodes/Two.node.js'))).toBe(false);
});
