// Checks the imports of every package against structure.config.mjs. Exit code 1 on a forbidden import.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { cruise } from 'dependency-cruiser';

import { forbidden, options } from './structure.config.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Source folders. Tests may import everything. */
const folders = readdirSync(path.join(root, 'packages'))
	.flatMap((name) => ['src', 'nodes', 'credentials', 'scripts'].map((folder) => `packages/${name}/${folder}`))
	.filter((folder) => existsSync(path.join(root, folder)));

const { output, exitCode } = await cruise(folders, {
	...options,
	baseDir: root,
	validate: true,
	ruleSet: { forbidden },
	outputType: 'err',
});
console.log(output);
process.exitCode = exitCode;
