// `npm run release:rehearse`: runs the steps of the release workflows, from a clone of HEAD, in folders that are like GitHub's machines:
// a new owner takes over, publishes the placeholder, merges the first version, then a patch. Instead of npm there is a registry
// on loopback. At the end it lists what only GitHub and npm can show.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startLocalRegistry } from '../localRegistry.ts';
import { repoDir } from '../paths.ts';
import { cleanups, reportStep, runSteps } from '../steps.ts';
import { findNode, linkPrograms, machineRegistry, packageCaches, writeCommand } from './machine.ts';
import { startNpm } from './npm.ts';
import { runByHand, runWorkflow } from './runner.ts';
import { asBot, clone, git, standIns, closePullRequest } from './standIns.ts';
import type { World } from './world.ts';

const name = 'n8n-nodes-bank';
const owner = { name: 'Rehearsal', email: 'rehearsal@rehearsal.test', repository: 'rehearsal/bank-nodes' };
const node = findNode(24) ?? process.execPath;

/** Facts that a rehearsal cannot show, and the command that shows each. */
const onlyThere: [what: string, command: string][] = [
	['npm trusts release.yml (trusted publishing)', `npm trust list ${name}`],
	['provenance of the published version', `npm view ${name} dist.attestations; npm audit signatures`],
	['vulnerabilities that npm knows', 'npm run release:check'],
	['reviewers of the environment npm', 'gh api repos/{owner}/{repo}/environments/npm'],
	['Actions may open pull requests', 'gh api repos/{owner}/{repo}/actions/permissions/workflow'],
	['the published site', 'gh workflow run site.yml'],
];

async function main(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
	cleanups.push(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	const { world, npm } = await reportStep('git, npm and a machine without pnpm', () => build(folder));

	await reportStep('a new owner edits one file and runs `npm run generate`', () => takeOver(world));
	await reportStep('the placeholder, with the commands of CONTRIBUTING.md', () => publishPlaceholder(world));
	await play(world, 'version');
	await expectVersions(world, ['0.0.0']);
	await merge(world);
	await play(world, 'publish');
	await expectRelease(world, '0.1.0');
	await play(world, 'none');

	for (const fix of ['a fix', 'another fix']) {
		await reportStep(`${fix}, with a changeset`, async () => addChangeset(world, fix));
		await play(world, 'version');
	}
	await merge(world);
	await play(world, 'publish');
	await expectRelease(world, '0.1.1');
	await expectVersions(world, ['0.0.0', '0.1.0', '0.1.1']);
	await reportStep('two builds from two folders are the same file', () => buildTwice(world));

	for (const [file, event] of [
		['site.yml', 'push'],
		['nightly.yml', 'schedule'],
	] as const)
		await runWorkflow(world, file, event, head(world));
	assert.deepEqual(npm.refused, [], 'Addresses outside this machine');
	return [
		`In the place of actions: ${Object.keys(standIns).join(', ')}. In the place of programs: gh; npm publishes without provenance.`,
		'',
		'Not run here:',
		...[...world.skipped].map(([what, why]) => `  ${what} (${why})`),
		'',
		'Only GitHub and npm show:',
		...onlyThere.map(([what, command]) => `  ${what}: ${command}`),
		"  n8n's image: gh workflow run image.yml",
		'',
		'The releases went through.',
	].join('\n');
}

async function build(folder: string) {
	const origin = join(folder, 'origin.git');
	execFileSync('git', ['clone', '--quiet', '--bare', repoDir, origin]);
	const branch = git(repoDir, 'rev-parse', 'HEAD');
	git(origin, 'update-ref', 'refs/heads/main', branch);
	git(origin, 'symbolic-ref', 'HEAD', 'refs/heads/main');
	git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');

	const registry = await startLocalRegistry(folder);
	cleanups.push(() => registry.stop());
	const caches = packageCaches();
	const world: World = {
		folder,
		origin,
		repository: owner.repository,
		checkout: '',
		programs: join(folder, 'programs'),
		env: {},
		skipped: new Map(),
	};
	const npm = await startNpm({
		...{ folder, local: registry.url, machine: machineRegistry(), cafile: caches['npm_config_cafile'], name, origin },
		repository: owner.repository,
		commit: () => head(world),
	});
	cleanups.push(async () => npm.stop());
	writeCommand(world.programs, 'gh', `exec "${node}" "${join(import.meta.dirname, 'gh.ts')}" "$@"`);
	linkPrograms(world.programs);
	const token = join(folder, 'npmrc');
	// Trusted publishing needs no token. This registry accepts any.
	writeFileSync(token, `//${new URL(npm.url).host}/:_authToken=any\n`);
	const settings = { registry: `${npm.url}/`, userconfig: token, audit: 'true', update_notifier: 'false' };
	Object.assign(world.env, {
		...caches,
		...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`npm_config_${key}`, value])),
		pnpm_config_registry: `${npm.url}/`,
		http_proxy: npm.url,
		https_proxy: npm.url,
		NODE_EXTRA_CA_CERTS: npm.ca,
		no_proxy: '127.0.0.1,localhost',
		REHEARSAL: folder,
	});
	return { world, npm };
}

const head = ({ origin }: World) => git(origin, 'rev-parse', 'main');

/** Runs release.yml for the newest commit, and expects that it chooses this mode. */
async function play(world: World, mode: string) {
	world.checkout = clone(world);
	const { plan } = await runWorkflow(world, 'release.yml', 'push', head(world));
	assert.equal(plan?.outputs['mode'], mode, 'The mode that release.yml chose');
}

/** Commits everything in a clone, and pushes it to main. */
function push(dir: string, message: string) {
	git(dir, 'add', '--all');
	git(dir, ...asBot, 'commit', '--quiet', '--message', message);
	git(dir, 'push', '--quiet', 'origin', 'HEAD:main');
}

async function takeOver(world: World): Promise<string> {
	const dir = clone(world);
	const file = join(dir, 'packages/n8n-nodes-bank/package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as { repository: object };
	const { repository, ...author } = owner;
	const url = `git+https://github.com/${repository}.git`;
	writeFileSync(
		file,
		`${JSON.stringify({ ...manifest, author, repository: { ...manifest.repository, url } }, undefined, '\t')}\n`,
	);
	await runByHand(world, dir, 'npm run generate', node);
	push(dir, 'Another owner');
	return git(dir, 'show', '--shortstat', '--format=', 'HEAD');
}

async function publishPlaceholder(world: World) {
	const text = readFileSync(join(repoDir, 'CONTRIBUTING.md'), 'utf8');
	const [, commands = ''] = /### The first release\n.*?```sh\n(.*?)```/s.exec(text) ?? [];
	assert(commands.includes('npm publish'), 'CONTRIBUTING.md has no commands for the first release');
	await runByHand(world, mkdtempSync(join(world.folder, 'placeholder-')), commands, node);
}

async function merge(world: World) {
	await reportStep('a maintainer merges "Version Packages"', async () => {
		const branch = closePullRequest(world);
		const dir = clone(world);
		git(dir, ...asBot, 'merge', '--quiet', '--no-ff', '--message', 'Merge', `origin/${branch}`);
		git(dir, 'push', '--quiet', 'origin', 'HEAD:main');
	});
}

function addChangeset(world: World, text: string) {
	const dir = clone(world);
	writeFileSync(join(dir, `.changeset/${text.replaceAll(' ', '-')}.md`), `---\n'${name}': patch\n---\n\n${text}\n`);
	push(dir, text);
}

async function expectVersions(world: World, expected: string[]) {
	const response = await fetch(`${world.env['pnpm_config_registry']}${name}`);
	const { versions, 'dist-tags': tags } = (await response.json()) as {
		versions: object;
		'dist-tags': { latest: string };
	};
	assert.deepEqual(Object.keys(versions), expected);
	assert.equal(tags.latest, expected.at(-1));
}

/** npm has the tarball of the release on GitHub, which is tagged at the commit that was built. */
async function expectRelease(world: World, version: string) {
	await reportStep(`${version} is on npm and GitHub, with tag, notes and bill of materials`, async () => {
		const release = join(world.folder, 'releases', `v${version}`);
		const files = readdirSync(release).sort();
		assert.deepEqual(files, [`${name}-${version}.cdx.json`, `${name}-${version}.tgz`, 'notes.md', 'title']);
		assert.match(
			readFileSync(join(release, 'notes.md'), 'utf8'),
			new RegExp(`^## ${version.replaceAll('.', '\\.')}\n`),
		);
		assert.equal(git(world.origin, 'rev-parse', `v${version}`), head(world));
		const response = await fetch(`${world.env['pnpm_config_registry']}${name}/-/${name}-${version}.tgz`);
		const published = new Uint8Array(await response.arrayBuffer());
		assert.equal(sha256(published), sha256(readFileSync(join(release, `${name}-${version}.tgz`))));
		return `${published.length} bytes`;
	});
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function buildTwice(world: World): Promise<string> {
	const pack =
		"const { packInto } = await import('./tools/lint/scan.mjs'); const here = process.cwd(); " +
		"packInto(here + '/packages/n8n-nodes-bank', here + '/out');";
	const digests = [];
	for (const [folder, zone] of [
		['one', 'UTC'],
		['another folder', 'Asia/Tokyo'],
	]) {
		const dir = clone(world, folder);
		mkdirSync(join(dir, 'out'));
		await runByHand(world, dir, `export TZ=${zone}\nnpm run build\nnode --input-type=module -e "${pack}"`, node);
		const [tarball = ''] = readdirSync(join(dir, 'out')).filter((file) => file.endsWith('.tgz'));
		digests.push(sha256(readFileSync(join(dir, 'out', tarball))));
	}
	assert.equal(digests[0], digests[1]);
	return digests[0] ?? '';
}

await runSteps(main);
