// What the rehearsal does instead of each action. An action that is not listed ends it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { findNode, installNode } from './machine.ts';
import type { RunningJob, World } from './world.ts';

type StandIn = (job: RunningJob, input: Record<string, string>) => Promise<string | undefined>;

export const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

export const versionBranch = 'changeset-release/main';

/** Folder of an artifact of the run. */
const artifact = ({ folder }: World, name = 'artifact') => join(folder, 'artifacts', name);

export const standIns: Record<string, StandIn> = {
	async 'actions/checkout'({ world, workspace, contexts }, input) {
		git(workspace, 'init', '--quiet', '--initial-branch=main');
		git(workspace, 'remote', 'add', 'origin', `https://github.com/${world.repository}.git`);
		const all = input['fetch-depth'] === '0';
		const commit = contexts.github['sha'] ?? '';
		git(workspace, 'fetch', '--quiet', ...(all ? [] : ['--depth=1']), `file://${world.origin}`, commit);
		git(workspace, 'checkout', '--quiet', '-B', 'main', 'FETCH_HEAD');
		// With the token, git reaches the repository.
		if (input['persist-credentials'] !== 'false')
			git(workspace, 'config', `url.file://${world.origin}.insteadOf`, `https://github.com/${world.repository}.git`);
		return undefined;
	},

	async 'actions/setup-node'({ home, path }, input) {
		const node = findNode(Number(input['node-version']));
		if (node === undefined) throw new Error(`Node ${input['node-version']} is not installed on this machine`);
		installNode(join(home, 'node'), node);
		path.unshift(join(home, 'node'));
		return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
	},

	async 'actions/upload-artifact'({ world, workspace }, { name, path = '', 'include-hidden-files': hidden }) {
		const from = resolve(workspace, path);
		if (hidden === 'true' && !existsSync(from)) return 'nothing was written';
		mkdirSync(artifact(world, name), { recursive: true });
		cpSync(from, artifact(world, name), { recursive: true });
		return readdirSync(from).join(', ');
	},

	async 'actions/download-artifact'({ world, workspace }, { name, path = '' }) {
		cpSync(artifact(world, name), resolve(workspace, path), { recursive: true });
		return undefined;
	},

	async 'actions/upload-pages-artifact'({ workspace }, { path = '' }) {
		const pages = readdirSync(resolve(workspace, path), { recursive: true });
		return `${pages.length} files`;
	},

	'actions/deploy-pages': async () => 'not published',
	'actions/cache/restore': async () => 'an empty cache',
	'actions/cache/save': async () => undefined,

	/** The same command and the same branch. The pull request is a file. */
	async 'changesets/action/version'({ world, workspace, home, path }, input) {
		if (!input['github-token']) throw new Error('it has no token');
		git(workspace, 'checkout', '--quiet', '-B', versionBranch);
		const env = { ...process.env, HOME: home, PATH: [...path, world.programs].join(':') };
		const changeset = join(workspace, 'node_modules/@changesets/cli/bin.js');
		execFileSync(join(path[0] ?? '', 'node'), [changeset, 'version'], { cwd: workspace, env, stdio: 'pipe' });
		git(workspace, 'add', '--all');
		git(workspace, ...asBot, 'commit', '--quiet', '--message', 'Version Packages');
		git(workspace, 'push', '--quiet', '--force', 'origin', versionBranch);
		writeFileSync(join(world.folder, 'pullRequest.json'), JSON.stringify({ head: versionBranch, base: 'main' }));
		return git(workspace, 'show', '--stat', '--format=', 'HEAD').split('\n').at(-1)?.trim();
	},
};

export const asBot = ['-c', 'user.name=bot', '-c', 'user.email=bot@users.noreply.github.com'];

/** The head of the open pull request, which is then merged. */
export function openPullRequest({ folder }: World): string | undefined {
	const file = join(folder, 'pullRequest.json');
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { head: string }).head : undefined;
}

/** A new clone of the repository. */
export function clone({ folder, origin }: World, name = 'clone-'): string {
	const dir = mkdtempSync(join(folder, name));
	execFileSync('git', ['clone', '--quiet', origin, dir]);
	return dir;
}
