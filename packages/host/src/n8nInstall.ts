import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { n8nDir, n8nInstallDir, n8nManifestDir, otherN8nVersion, repoDir } from './paths.ts';

const modulesDir = join(n8nInstallDir, 'node_modules');
/** Written last, so its presence means that the install is complete. */
const stampFile = join(modulesDir, '.complete');

/**
 * Installs the n8n of the lockfile or of `TEST_N8N_VERSION`, with native parts built for this Node. Does nothing if that is already
 * installed.
 */
export async function ensureN8nInstalled(signal?: AbortSignal): Promise<void> {
	if (Number.parseInt(process.versions.node) < 24)
		throw new Error('n8n needs Node 24: start through tools/run.mjs, which installs it.');
	if (otherN8nVersion !== undefined) await describeOther(otherN8nVersion);
	const wanted = await fingerprint();
	if ((await readFile(stampFile, 'utf8').catch(() => undefined)) === wanted) return;

	console.log('Installing n8n, once (1.9 GB on disk; 1 to 3 minutes) …');
	// pnpm considers an interrupted install complete, and does not rebuild native parts that were built for another Node.
	await rm(modulesDir, { recursive: true, force: true });
	await install(signal);
	if (!(await nativePartsLoad()))
		throw new Error('n8n is installed, but its native parts (sqlite3, isolated-vm) do not load.');
	await writeFile(stampFile, wanted);
	console.log('n8n is installed.');
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

async function install(signal?: AbortSignal) {
	const pnpm = join(repoDir, 'node_modules/pnpm/bin/pnpm.mjs');
	const how =
		otherN8nVersion === undefined
			? ['--frozen-lockfile']
			: // Another version may have other packages with build scripts. They are ignored, so that the install does not fail.
				['--no-frozen-lockfile', '--config.strictDepBuilds=false'];
	const args = [pnpm, 'install', ...how, '--config.confirmModulesPurge=false'];
	if ((await runNode(args, n8nInstallDir, 'inherit', signal)) !== 0)
		throw new Error('n8n could not be installed: see above. Start again to try again.');
}

async function nativePartsLoad(): Promise<boolean> {
	const script = "require('isolated-vm'); require('sqlite3')";
	// n8n's real folder, because pnpm puts its dependencies next to it. isolated-vm needs the flag.
	const dir = await realpath(n8nDir).catch(() => undefined);
	return dir !== undefined && (await runNode(['--no-node-snapshot', '-e', script], dir, 'ignore')) === 0;
}

/** @returns the exit code */
async function runNode(args: string[], cwd: string, stdio: 'inherit' | 'ignore', signal?: AbortSignal) {
	// Build scripts run the first `node` on PATH and compile for it.
	const env = { ...process.env, PATH: dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '') };
	const [code] = await once(spawn(process.execPath, args, { cwd, env, stdio, signal }), 'close');
	return code as number | null;
}
