// The rules of structure.config.mjs over the imports of every package. Exit code 1 on an arrow that must not be.
// Use: `node tools/lint/structure.mjs [--draw]`; `--draw` writes the arrows between the folders as a Mermaid graph instead.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { cruise } from 'dependency-cruiser';

import { forbidden, options } from './structure.config.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Where sources lie; tests may look at everything. */
const folders = readdirSync(path.join(root, 'packages'))
	.flatMap((name) => ['src', 'nodes', 'credentials', 'scripts'].map((folder) => `packages/${name}/${folder}`))
	.filter((folder) => existsSync(path.join(root, folder)));

const isDrawing = process.argv.includes('--draw');
const { output, exitCode } = await cruise(folders, {
	...options,
	baseDir: root,
	validate: true,
	ruleSet: { forbidden },
	...(isDrawing
		? {
				outputType: 'mermaid',
				includeOnly: { path: '^packages/' },
				collapse: '^packages/[^/]+/(?:src|nodes)/(?:shared/)?[^/]+',
			}
		: { outputType: 'err' }),
});
console.log(output);
process.exitCode = isDrawing ? 0 : exitCode;
