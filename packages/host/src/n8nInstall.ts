import { createHash } from 'node:crypto';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { OwnedProcess } from './ownedProcess.ts';
import { n8nDir, n8nInstallDir, repoDir } from './paths.ts';

const modulesDir = join(n8nInstallDir, 'node_modules');
/** Written last, so its presence says that everything before it succeeded. */
const stampFile = join(modulesDir, '.complete');

/** n8n as its lockfile says, with its native parts built for this Node. Does nothing when that is already so. */
export async function ensureN8nInstalled(
	say: (line: string) => void = console.log,
	signal?: AbortSignal,
): Promise<void> {
	if (Number.parseInt(process.versions.node) < 24)
		throw new Error('n8n needs Node 24: start through tools/run.mjs, which brings it.');
	const wanted = await fingerprint();
	const found = await readFile(stampFile, 'utf8').catch(() => undefined);
	if (found === wanted) return;

	say('Installing n8n, once (1.9 GB on disk; 1 to 3 minutes) …');
	// Native parts built for another Node are not rebuilt by pnpm.
	if (found !== undefined) await rm(modulesDir, { recursive: true, force: true });
	await install(say, signal);
	if (!(await nativePartsLoad())) {
		// An earlier install was cut off while it compiled, and pnpm takes it for done.
		say('The install is damaged; starting over …');
		await rm(modulesDir, { recursive: true, force: true });
		await install(say, signal);
		if (!(await nativePartsLoad()))
			throw new Error('n8n is installed, but its native parts (sqlite3, isolated-vm) do not load.');
	}
	await writeFile(stampFile, wanted);
	say('n8n is installed.');
}

async function fingerprint(): Promise<string> {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
		hash.update(await readFile(join(n8nInstallDir, file)));
	return `${hash.digest('hex')} ${process.platform} ${process.arch} ${process.versions.modules}\n`;
}

async function install(say: (line: string) => void, signal?: AbortSignal) {
	const pnpm = join(repoDir, 'node_modules/pnpm/bin/pnpm.mjs');
	const args = [pnpm, 'install', '--frozen-lockfile', '--config.confirmModulesPurge=false', '--reporter=append-only'];
	const { code, logTail } = await runNode(args, n8nInstallDir, progress(say), signal);
	if (code !== 0) throw new Error(`${logTail}\nn8n could not be installed: see above. Start again to try again.`);
}

/** Makes a few lines of the thousands that pnpm and the compilers print. */
function progress(say: (line: string) => void): (line: string) => void {
	let saidAt = performance.now();
	const compiled = new Set<string>();
	return (line) => {
		const added = /^Progress: .*added (\d+)/.exec(line)?.[1];
		if (added && performance.now() - saidAt > 10_000) {
			saidAt = performance.now();
			say(`  ${added} packages in place …`);
		}
		const compiling = /node_modules\/(sqlite3|isolated-vm) \w*install\$/.exec(line)?.[1];
		if (!compiling || compiled.has(compiling)) return;
		compiled.add(compiling);
		say(`  preparing ${compiling} for this machine …`);
	};
}

async function nativePartsLoad(): Promise<boolean> {
	// Through n8n's real folder: pnpm lays its dependencies beside it. isolated-vm wants the flag.
	const script = `require('isolated-vm'); require('sqlite3')`;
	const dir = await realpath(n8nDir).catch(() => undefined);
	return dir !== undefined && (await runNode(['--no-node-snapshot', '-e', script], dir)).code === 0;
}

async function runNode(args: string[], cwd: string, hear?: (line: string) => void, signal?: AbortSignal) {
	// Build scripts run the `node` that is first on PATH and compile for it.
	const env = { ...process.env, PATH: dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '') };
	signal?.throwIfAborted();
	const owned = new OwnedProcess({ command: process.execPath, args, cwd, env, hear });
	const stop = () => void owned.stop();
	signal?.addEventListener('abort', stop);
	const { code } = await owned.exit;
	signal?.removeEventListener('abort', stop);
	signal?.throwIfAborted();
	return { code, logTail: owned.logTail(80) };
}
