// What the rehearsal does instead of each action. An action that is not listed ends it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { findNode, installNode } from './machine.ts';
import type { RunningJob, World } from './world.ts';

type StandIn = (job: RunningJob, input: Record<string, string>) => Promise<string | undefined>;

export const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

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
		// With the token that checkout stores, git can push to the repository.
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
		const to = artifact(world, name);
		rmSync(to, { recursive: true, force: true });
		mkdirSync(to, { recursive: true });
		cpSync(from, statSync(from).isFile() ? join(to, basename(from)) : to, { recursive: true });
		return readdirSync(to).join(', ');
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
};

export const asBot = ['-c', 'user.name=bot', '-c', 'user.email=bot@users.noreply.github.com'];

/** Closes the open pull request and returns its branch. */
export function closePullRequest({ folder }: World): string {
	const file = join(folder, 'pullRequest.json');
	const { head } = JSON.parse(readFileSync(file, 'utf8')) as { head: string };
	rmSync(file);
	return head;
}

/** A new clone of the repository. */
export function clone({ folder, origin }: World, name = 'clone-'): string {
	const dir = mkdtempSync(join(folder, name));
	execFileSync('git', ['clone', '--quiet', origin, dir]);
	return dir;
}
