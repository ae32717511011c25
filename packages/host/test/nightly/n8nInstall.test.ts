import { execFileSync } from 'node:child_process';
import { n8nDir } from '../../src/paths.ts';

/** Prints n8n's nodes that fail to load, with the reasons. */
const loadAll = `
	const { dirname, join } = require('node:path');
	const manifest = require.resolve('n8n-nodes-base/package.json');
	const { n8n } = require(manifest);
	const failed = n8n.nodes.flatMap((file) => {
		try {
			require(join(dirname(manifest), file));
			return [];
		} catch (error) {
			return [file + ': ' + error.message.split('\\n')[0]];
		}
	});
	console.log(JSON.stringify({ count: n8n.nodes.length, failed }));
	process.exit();`;

// Without this test, a missing dependency would only be noticed when a workflow uses the node.
test("every node of n8n's own loads from the installation of npm start", () => {
	const output = execFileSync(process.execPath, ['--no-node-snapshot', '-e', loadAll], {
		cwd: n8nDir,
		encoding: 'utf8',
	});
	const { count, failed } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as { count: number; failed: string[] };
	expect(failed).toEqual([]);
	expect(count).toBeGreaterThan(400);
});
