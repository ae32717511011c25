// A machine like a runner of GitHub: Node and npm where `actions/setup-node` puts them, the programs of the system, an empty home, and no
// network but loopback.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { repoDir } from '../paths.ts';

/** Programs of a Node install. The system's folders may have them too. */
const ofNode = ['node', 'nodejs', 'npm', 'npx', 'corepack', 'pnpm', 'pnpx', 'yarn', 'yarnpkg'];

/** Links the system's programs into `bin`, without Node, package managers and what npm installed globally. */
export function linkPrograms(bin: string): void {
	mkdirSync(bin, { recursive: true });
	for (const folder of ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].filter((one) => existsSync(one)))
		for (const name of readdirSync(folder)) {
			const program = join(folder, name);
			if (ofNode.includes(name) || !existsSync(program) || existsSync(join(bin, name))) continue;
			if (!realpathSync(program).includes('/node_modules/')) symlinkSync(program, join(bin, name));
		}
}

/** Writes a shell script that runs a command with its arguments, and returns its path. */
export function writeCommand(bin: string, name: string, body: string): void {
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

/** A Node of this major version on PATH, or the Node that runs this process. */
export function findNode(major: number): string | undefined {
	const candidates = [process.execPath, ...onPath('node')];
	return candidates.find((node) => execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`));
}

/** npm's own file, which runs in any Node. */
function npmCli(): string {
	const [npm] = onPath('npm');
	if (npm === undefined) throw new Error('npm is not on PATH.');
	return join(dirname(realpathSync(npm)), 'npm-cli.js');
}

function onPath(name: string): string[] {
	const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
	return folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
}

/** Puts Node and npm into `bin`. npm publishes without provenance, for which it needs an identity that only GitHub gives. */
export function installNode(bin: string, node: string): void {
	mkdirSync(bin, { recursive: true });
	symlinkSync(node, join(bin, 'node'));
	const cli = npmCli();
	writeCommand(bin, 'npm', `[ "$1" = publish ] && set -- "$@" --provenance=false\nexec "${node}" "${cli}" "$@"`);
	writeCommand(bin, 'npx', `exec "${node}" "${cli.replace(/npm-cli\.js$/, 'npx-cli.js')}" "$@"`);
}

/** Settings of this machine's npm, and where npm and pnpm keep downloaded packages: a rehearsal downloads nothing twice. */
export function packageCaches(): Record<string, string> {
	const setting = (key: string) => run(process.execPath, npmCli(), 'config', 'get', key);
	const store = run(process.execPath, join(repoDir, 'node_modules/pnpm/bin/pnpm.mjs'), 'store', 'path');
	const kept = ['cache', 'cafile', 'nodedir'].map((key) => [`npm_config_${key}`, setting(key)] as const);
	return {
		...Object.fromEntries(kept.filter(([, value]) => !['', 'null', 'undefined'].includes(value))),
		pnpm_config_store_dir: dirname(store),
	};
}

/** The registry that this machine's npm uses. */
export const machineRegistry = () => run(process.execPath, npmCli(), 'config', 'get', 'registry');

const run = (command: string, ...args: string[]) =>
	execFileSync(command, args, { cwd: repoDir, encoding: 'utf8' }).trim();

/** A new home folder. */
export const newHome = (folder: string) => mkdtempSync(join(folder, 'home-'));
