// `npm run release:check`: checks the package as n8n does before and after a release. Runs all checks that n8n publishes for
// community nodes (lint of its CLI, scan of source and tarball, each with the pinned and the current rules), licenses and known
// vulnerabilities of bundled code, then a real community install into a fresh n8n from a registry on loopback. `--out <folder>` keeps
// the checked files for publishing: the tarball and its software bill of materials. It also fails where the newest checks and
// vulnerabilities are not known, or n8n has newer checks. The registry has the package under a scoped name, because n8n needs a paid
// license for another default registry, but not for a scope.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { build, type BundledLibrary } from 'n8n-nodes-bank/build.mjs';

import { billOfMaterials, type Released } from './billOfMaterials.ts';
import { otherLicenses, vulnerabilities } from './bundledCode.ts';
import { demoCredentials, demoReferences } from './demoCredentials.ts';
import { type LocalRegistry, localName, startLocalRegistry } from './localRegistry.ts';
import type { N8nRest } from './n8nRest.ts';
import { nodesPackageDir, repoDir } from './paths.ts';
import { cleanups, reportStep, runSteps } from './steps.ts';
import type { SandboxAdmin } from './sandboxAdmin.ts';
import { startTestbed } from './testbed.ts';
import { afterAClick } from './workflows.ts';

const version = '1.0.0';
const windows = process.platform === 'win32';
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;

await runSteps(main);

async function main(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'release-check-'));
	cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

	const target = join(folder, 'packed');
	await mkdir(target);
	const { packed, release } = await scanAndPack(target);
	const registry = await reportStep('a registry on loopback, without uplinks', () => startLocalRegistry(folder));
	cleanups.push(() => registry.stop());
	await reportStep(`publish it there as ${localName} ${version}`, () => registry.publish(packed, version));
	await installAndUse(packed, registry);
	if (out !== undefined) await reportStep('keep what passed', () => keep(release, resolve(repoDir, out)));
	const { placeholders } = await withoutTypes<{ placeholders(): string[] }>('tools/releasePlan.mjs');
	const left = placeholders();
	return left.length === 0
		? 'The package can be released.'
		: `The package passes. It is not published before these placeholders are replaced:\n${left.join('\n')}`;
}

/** Loads a JavaScript module of the repository. */
async function withoutTypes<T>(file: string): Promise<T> {
	return (await import(pathToFileURL(join(repoDir, file)).href)) as T;
}

/** A check that cannot be made fails a release. Outside a release it is only reported. */
function notChecked(what: string): string {
	assert(out === undefined, what);
	return what;
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
	await reportStep("the newest of n8n's checks", newestChecks);
	await reportStep("n8n's checks", () => scan(target));
	const name = (await readdir(target)).find((file) => file.endsWith('.tgz')) ?? '';
	const [tarball, packed] = [join(target, name), join(target, 'package')];
	const bill = tarball.replace(/\.tgz$/, '.cdx.json');
	await reportStep('licenses and known vulnerabilities of bundled code', () => checkLibraries(libraries));
	await reportStep('software bill of materials', async () => {
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

/** Compares the installed versions of n8n's checks with the newest, with which n8n checks a release. */
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
	if (versions === undefined) return notChecked('the registry does not answer, so the installed versions are used');
	const old = versions.filter(([, installed, newest]) => installed !== newest);
	if (old.length > 0)
		return notChecked(
			`update ${old.map(([name, , newest]) => `${name} to ${newest}`).join(', ')} in tools/lint/package.json`,
		);
	return versions.map(([name, installed]) => `${name} ${installed}`).join(', ');
}

async function checkLibraries(libraries: readonly BundledLibrary[]): Promise<string> {
	assert.deepEqual(otherLicenses(libraries), [], 'Licenses that ask for more than a notice');
	const found = await vulnerabilities(libraries);
	if (found === undefined) return notChecked('npm audit got no answer from the registry');
	assert.deepEqual(found, [], 'Known vulnerabilities');
	return libraries.map(({ name, version, license }) => `${name} ${version} (${license})`).join(', ');
}

// ---- n8n

async function installAndUse(packed: string, { npmEnv }: LocalRegistry) {
	const { rest, sandbox, stop } = await reportStep('a fresh n8n and a sandbox bank', () =>
		startTestbed({ isBare: true, editor: true, env: npmEnv }),
	);
	cleanups.push(stop);
	await reportStep(`install ${version} (POST /rest/community-packages)`, async () => {
		await rest.request('POST', '/rest/community-packages', { name: localName, version });
	});
	await reportStep('its types appear', async () => {
		const loaded = new Set([...(await rest.nodeTypes()), ...(await rest.credentialTypes())].map(({ name }) => name));
		const expected = await typesOf(packed);
		assert.deepEqual(
			expected.filter((name) => !loaded.has(name)),
			[],
		);
		return expected.join(', ');
	});
	await reportStep("the demo's credentials pass their test", async () => {
		for (const credential of await demoCredentials(sandbox)) {
			const { status, message } = await rest.testCredential(credential);
			assert.equal(status, 'OK', `${credential.type}: ${message}`);
		}
	});
	await reportStep('an operation reaches the sandbox bank', () => readOperations(rest, sandbox));
}

async function readOperations(rest: N8nRest, sandbox: SandboxAdmin): Promise<string> {
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
	assert(status === 'success', `The execution ended with ${status}: ${data.resultData.error?.message}`);
	const items = data.resultData.runData['Bank']?.[0]?.data?.['main']?.[0] ?? [];
	const calls = (await sandbox.operations()).filter((operation) => operation === 'accountOperation.getMany');
	const validationErrors = await sandbox.validationErrors();
	assert(validationErrors.length === 0, `The sandbox rejected requests: ${JSON.stringify(validationErrors)}`);
	assert(items.length > 0 && calls.length > 0, `${items.length} items from ${calls.length} requests`);
	return `accountOperation.getMany, ${items.length} operations in ${calls.length} requests`;
}

/** The node and credential types in the package, with the names that n8n gives them. */
async function typesOf(packed: string): Promise<string[]> {
	const { n8n } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const nameOf = (file: string) =>
		basename(file)
			.replace(/\..*/, '')
			.replace(/^./, (first) => first.toLowerCase());
	return [...n8n.nodes.map((file) => `${localName}.${nameOf(file)}`), ...n8n.credentials.map(nameOf)].sort();
}
