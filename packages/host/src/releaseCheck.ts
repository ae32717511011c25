// `npm run release:check`: checks the package as n8n does before and after a release. Runs all checks that n8n publishes for
// community nodes (lint of its CLI, scan of source and tarball, each with the pinned and the current rules), then a real community
// install into a fresh n8n from a registry on loopback: install, use, update, uninstall. `--out <folder>` keeps the checked files for
// publishing: the tarball and its software bill of materials. The registry has the package under a scoped name, because n8n needs a
// paid license for another default registry, but not for a scope.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { build } from 'n8n-nodes-bank/build.mjs';

import { billOfMaterials, type Released } from './billOfMaterials.ts';
import { demoCredentials, demoReferences } from './demoCredentials.ts';
import { type LocalRegistry, localName, startLocalRegistry } from './localRegistry.ts';
import { ensureN8nInstalled } from './n8nInstall.ts';
import type { N8nRest } from './n8nRest.ts';
import { nodesPackageDir, repoDir } from './paths.ts';
import { expect, opened, passes, runSteps } from './steps.ts';
import type { SandboxThread } from './sandboxThread.ts';
import { startTestbed } from './testbed.ts';
import { afterAClick } from './workflows.ts';

const versions = ['1.0.0', '1.0.1'] as const;
const windows = process.platform === 'win32';

interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ type: string }>;
	failedLoading?: boolean;
	updateAvailable?: string;
}

await runSteps(main);

async function main(): Promise<string> {
	await ensureN8nInstalled();
	const folder = await mkdtemp(join(tmpdir(), 'release-check-'));
	opened.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

	const target = join(folder, 'packed');
	await mkdir(target);
	const { packed, release } = await scanAndPack(target);
	const registry = await passes('a registry on loopback, without uplinks', () => startLocalRegistry(folder));
	opened.push(() => registry.stop());
	await passes(`publish it there as ${localName} ${versions.join(' and ')}`, async () => {
		for (const version of versions) await registry.publish(packed, version);
	});
	await installUseUpdateUninstall(packed, registry);
	const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
	if (out !== undefined) await passes('keep what passed', () => keep(release, resolve(repoDir, out)));
	return 'The package can be released.';
}

/** Copies the files of a release to `target`. */
async function keep(release: string[], target: string): Promise<string> {
	await mkdir(target, { recursive: true });
	for (const file of release) await cp(file, join(target, basename(file)));
	return release.map((file) => basename(file)).join(', ');
}

// ---- pack and scan

/** Packs into `target`. Returns the folder of the unpacked tarball and the files of a release: the tarball and its bill of materials. */
async function scanAndPack(target: string): Promise<{ packed: string; release: string[] }> {
	const libraries = await build(nodesPackageDir);
	await passes("the newest of n8n's checks", newestChecks);
	await passes("n8n's checks", () => scan(target));
	const name = (await readdir(target)).find((file) => file.endsWith('.tgz')) ?? '';
	const [tarball, packed] = [join(target, name), join(target, 'package')];
	const bill = tarball.replace(/\.tgz$/, '.cdx.json');
	await passes('software bill of materials', async () => {
		const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as Omit<Released, 'tarball'>;
		await writeFile(bill, await billOfMaterials({ ...manifest, tarball: await readFile(tarball) }, libraries));
		return libraries.map(({ name, version }) => `${name} ${version}`).join(', ');
	});
	return { packed, release: [tarball, bill] };
}

/** See tools/lint/scan.mjs. */
async function scan(target: string): Promise<string> {
	const args = [join(repoDir, 'tools/lint/scan.mjs'), nodesPackageDir, target];
	const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: Error & { stdout?: string }) => {
		throw new Error(error.stdout || error.message);
	});
	return `\n${stdout.trimEnd().replace(/^/gm, '        ')}`;
}

/** Runs the newest versions of n8n's checks, as n8n does. Reports if there is no registry. */
async function newestChecks(): Promise<string> {
	const manifest = JSON.parse(await readFile(join(repoDir, 'tools/lint/package.json'), 'utf8')) as {
		devDependencies: Record<string, string>;
	};
	const names = ['@n8n/scan-community-package', '@n8n/node-cli', '@n8n/eslint-plugin-community-nodes'];
	const answers = names.map(async (name) => {
		const { stdout } = await promisify(execFile)('npm', ['view', name, 'version'], { shell: windows, timeout: 30_000 });
		return [name, manifest.devDependencies[name], stdout.trim()] as const;
	});
	const versions = await Promise.all(answers).catch(() => undefined);
	if (versions === undefined) return 'the registry does not answer, so the installed versions are used';
	for (const [name, installed, newest] of versions)
		expect(installed === newest, `${name} ${newest} is out, and this is ${installed}: update tools/lint/package.json`);
	return versions.map(([name, installed]) => `${name} ${installed}`).join(', ');
}

// ---- n8n

async function installUseUpdateUninstall(packed: string, { npmEnv }: LocalRegistry) {
	const [first, second] = versions;
	const expected = await typesOf(packed);
	const testbed = await passes('a fresh n8n and a sandbox bank', () =>
		startTestbed({ isBare: true, editor: true, env: npmEnv }),
	);
	opened.push(() => testbed.stop());
	const { n8n, rest, sandbox } = testbed;
	const installedDir = join(n8n.settings.userFolder, '.n8n/nodes/node_modules', localName);

	await passes('the fresh n8n has none of the types', async () => {
		const { nodes, credentials } = await typesIn(rest, expected);
		expect(nodes.length + credentials.length === 0, `It has ${[...nodes, ...credentials].join(', ')}`);
	});

	const appeared = async () => {
		const { nodes, credentials } = await typesIn(rest, expected);
		expect(same(nodes, expected.nodes), `Nodes: ${list(nodes)} instead of ${list(expected.nodes)}`);
		expect(
			same(credentials, expected.credentials),
			`Credentials: ${list(credentials)} instead of ${list(expected.credentials)}`,
		);
		return list([...nodes, ...credentials]);
	};
	const isInstalled = async (version: string) => {
		const [found, ...others] = await rest.request<InstalledPackage[]>('GET', '/rest/community-packages');
		expect(
			found?.packageName === localName && others.length === 0,
			`Installed are: ${JSON.stringify([found, ...others])}`,
		);
		expect(
			found.installedVersion === version && !found.failedLoading,
			`${found.installedVersion} instead of ${version}, or it did not load`,
		);
		const { version: onDisk } = JSON.parse(await readFile(join(installedDir, 'package.json'), 'utf8')) as {
			version: string;
		};
		expect(onDisk === version, `The folder holds ${onDisk}`);
		return found;
	};

	await passes(`install ${first} (POST /rest/community-packages)`, async () => {
		await rest.request('POST', '/rest/community-packages', { name: localName, version: first });
		const { updateAvailable } = await isInstalled(first);
		expect(updateAvailable === second, `n8n offers the update ${updateAvailable}, not ${second}`);
		const [files, scannedFiles] = [await filesIn(installedDir), await filesIn(packed)];
		expect(same(files, scannedFiles), `The installed files are not the scanned ones: ${list(files)}`);
	});
	await passes('its types appear', appeared);
	await passes("the demo's credentials pass their test", async () => {
		for (const credential of await demoCredentials(sandbox.admin)) {
			const { status, message } = await rest.testCredential(credential);
			expect(status === 'OK', `${credential.type}: ${message}`);
		}
	});
	await passes('an operation reaches the sandbox bank', () => readOperations(rest, sandbox));
	await passes(`update to ${second} (PATCH)`, async () => {
		await rest.request('PATCH', '/rest/community-packages', { name: localName, version: second });
		await isInstalled(second);
	});
	await passes('its types are still there', appeared);
	await passes('the operation still does', () => readOperations(rest, sandbox));
	await passes('uninstall (DELETE)', async () => {
		await rest.request('DELETE', `/rest/community-packages?name=${encodeURIComponent(localName)}`);
		const left = await rest.request<InstalledPackage[]>('GET', '/rest/community-packages');
		expect(left.length === 0, `Still installed: ${JSON.stringify(left)}`);
		expect((await filesIn(installedDir)).length === 0, `Files are left in ${installedDir}`);
	});
	await passes('its types are gone', async () => {
		const { nodes, credentials } = await typesIn(rest, expected);
		expect(nodes.length + credentials.length === 0, `Still there: ${list([...nodes, ...credentials])}`);
	});
}

async function readOperations(rest: N8nRest, { admin }: SandboxThread): Promise<string> {
	await admin.clearCalls();
	const parameters = { resource: 'accountOperation', operation: 'getMany', returnAll: true };
	const node = {
		name: 'Bank',
		type: `${localName}.bank`,
		typeVersion: 1,
		parameters,
		credentials: demoReferences.authorizationCode,
	};
	const { id } = await rest.createWorkflow(afterAClick('Release check', [node]));
	const { status, data } = await rest.runToEnd(id);
	expect(status === 'success', `The execution ended with ${status}: ${data.resultData.error?.message}`);
	const items = data.resultData.runData['Bank']?.[0]?.data?.['main']?.[0] ?? [];
	const calls = (await admin.operations()).filter((operation) => operation === 'accountOperation.getMany');
	const validationErrors = await admin.validationErrors();
	expect(validationErrors.length === 0, `The sandbox rejected requests: ${JSON.stringify(validationErrors)}`);
	expect(items.length > 0 && calls.length > 0, `${items.length} items from ${calls.length} requests`);
	return `accountOperation.getMany, ${items.length} operations in ${calls.length} requests`;
}

// ---- types and files

interface Types {
	nodes: string[];
	credentials: string[];
}

/** The node and credential types in the package, with the names that n8n gives them. */
async function typesOf(packed: string): Promise<Types> {
	const names = async (file: string) =>
		(JSON.parse(await readFile(join(packed, 'dist/types', file), 'utf8')) as Array<{ name: string }>).map(
			({ name }) => name,
		);
	return {
		nodes: (await names('nodes.json')).map((name) => `${localName}.${name}`),
		credentials: await names('credentials.json'),
	};
}

/** Types of the package that n8n has loaded, without the agent variants of nodes, which n8n creates. */
async function typesIn(rest: N8nRest, expected: Types): Promise<Types> {
	const nodes = new Set(
		(await rest.nodeTypes())
			.map(({ name }) => name)
			.filter((name) => name.startsWith(`${localName}.`) && !name.endsWith('Tool')),
	);
	const credentials = (await rest.credentialTypes())
		.map(({ name }) => name)
		.filter((name) => expected.credentials.includes(name));
	return { nodes: [...nodes], credentials };
}

async function filesIn(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
	const files = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => relative(dir, join(parentPath, name)));
	// npm's metadata files of an empty install.
	return files.filter((file) => !file.startsWith('node_modules'));
}

function list(names: string[]): string {
	return names.toSorted().join(', ') || 'none';
}

function same(some: string[], others: string[]): boolean {
	return list(some) === list(others);
}
