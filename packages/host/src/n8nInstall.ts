import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { OwnedProcess } from './ownedProcess.ts';
import { n8nDir, n8nInstallDir, n8nManifestDir, otherN8nVersion, repoDir } from './paths.ts';

const modulesDir = join(n8nInstallDir, 'node_modules');
/** Written last, so its presence means that the install is complete. */
const stampFile = join(modulesDir, '.complete');

/**
 * Installs the n8n of the lockfile or of `TEST_N8N_VERSION`, with native parts built for this Node. Does nothing if that is already
 * installed.
 */
export async function ensureN8nInstalled(
	say: (line: string) => void = console.log,
	signal?: AbortSignal,
): Promise<void> {
	if (Number.parseInt(process.versions.node) < 24)
		throw new Error('n8n needs Node 24: start through tools/run.mjs, which brings it.');
	if (otherN8nVersion !== undefined) await describeOther(otherN8nVersion);
	const wanted = await fingerprint();
	const found = await readFile(stampFile, 'utf8').catch(() => undefined);
	if (found === wanted) return;

	say('Installing n8n, once (1.9 GB on disk; 1 to 3 minutes) …');
	// pnpm does not rebuild native parts that were built for another Node.
	if (found !== undefined) await rm(modulesDir, { recursive: true, force: true });
	await install(say, signal);
	if (!(await nativePartsLoad())) {
		// An earlier install was interrupted while compiling, but pnpm considers it complete.
		say('The install is damaged; starting over …');
		await rm(modulesDir, { recursive: true, force: true });
		await install(say, signal);
		if (!(await nativePartsLoad()))
			throw new Error('n8n is installed, but its native parts (sqlite3, isolated-vm) do not load.');
	}
	await writeFile(stampFile, wanted);
	say('n8n is installed.');
}

/** Prepares the install of another version, next to that of the lockfile and with the same settings. */
async function describeOther(version: string) {
	await mkdir(n8nInstallDir, { recursive: true });
	const manifest = JSON.parse(await readFile(join(n8nManifestDir, 'package.json'), 'utf8')) as object;
	await writeFile(
		join(n8nInstallDir, 'package.json'),
		JSON.stringify({ ...manifest, dependencies: { n8n: version } }, undefined, '\t'),
	);
	await cp(join(n8nManifestDir, 'pnpm-workspace.yaml'), join(n8nInstallDir, 'pnpm-workspace.yaml'));
}

async function fingerprint(): Promise<string> {
	const hash = createHash('sha256');
	// Dependencies of another version have no lockfile.
	const lockfile = otherN8nVersion === undefined ? ['pnpm-lock.yaml'] : [];
	for (const file of ['package.json', ...lockfile, 'pnpm-workspace.yaml'])
		hash.update(await readFile(join(n8nInstallDir, file)));
	return `${hash.digest('hex')} ${process.platform} ${process.arch} ${process.versions.modules}\n`;
}

async function install(say: (line: string) => void, signal?: AbortSignal) {
	const pnpm = join(repoDir, 'node_modules/pnpm/bin/pnpm.mjs');
	const how =
		otherN8nVersion === undefined
			? ['--frozen-lockfile']
			: // Other versions bring other packages with build scripts: they are left out instead of refused.
				['--no-frozen-lockfile', '--config.strictDepBuilds=false'];
	const args = [pnpm, 'install', ...how, '--config.confirmModulesPurge=false', '--reporter=append-only'];
	const { code, logTail } = await runNode(args, n8nInstallDir, progress(say), signal);
	if (code !== 0) throw new Error(`${logTail}\nn8n could not be installed: see above. Start again to try again.`);
}

/** Reduces the output of pnpm and the compilers to a few lines. */
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
	// Uses n8n's real folder, because pnpm puts its dependencies next to it. isolated-vm needs the flag; earlier versions do not have
	// it.
	const script = `
		const { dependencies } = require('./package.json');
		for (const part of ['isolated-vm', 'sqlite3'].filter((name) => name in dependencies)) require(part)`;
	const dir = await realpath(n8nDir).catch(() => undefined);
	return dir !== undefined && (await runNode(['--no-node-snapshot', '-e', script], dir)).code === 0;
}

async function runNode(args: string[], cwd: string, hear?: (line: string) => void, signal?: AbortSignal) {
	// Build scripts run the first `node` on PATH and compile for it.
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
