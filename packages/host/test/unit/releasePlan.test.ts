/** tools/releasePlan.mjs decides what a push to the main branch releases. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { repoDir } from '../../src/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'release-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Situation {
	changesets?: string[];
	/** What `npm view` prints. */
	npm?: { stdout?: string; stderr?: string; status?: number };
	repository?: string;
	manifest?: object;
}

/** The name of the package. The placeholders of author and repository contain it, too. */
const name = 'n8n-nodes-bank';
const ready = {
	name,
	version: '0.1.0',
	author: { name: 'Somebody', email: 'nodes@somebody.test' },
	repository: { url: 'git+https://github.com/somebody/nodes.git' },
};

/** Runs the script in a repository of its own, with an npm of its own. */
function plan({ changesets = [], npm = {}, repository = 'somebody/nodes', manifest = ready }: Situation) {
	const dir = mkdtempSync(join(folder, 'case-'));
	for (const sub of ['tools', 'packages/n8n-nodes-bank', '.changeset', 'bin'])
		mkdirSync(join(dir, sub), { recursive: true });
	cpSync(join(repoDir, 'tools/releasePlan.mjs'), join(dir, 'tools/releasePlan.mjs'));
	writeFileSync(join(dir, 'packages/n8n-nodes-bank/package.json'), JSON.stringify(manifest));
	for (const file of ['README.md', ...changesets]) writeFileSync(join(dir, '.changeset', file), '');
	const { stdout = '["0.0.0"]', stderr = '', status = 0 } = npm;
	writeFileSync(join(dir, 'bin/npm'), `#!/bin/sh\necho '${stdout}'\necho '${stderr}' >&2\nexit ${status}\n`, {
		mode: 0o755,
	});
	const run = spawnSync(process.execPath, [join(dir, 'tools/releasePlan.mjs')], {
		encoding: 'utf8',
		env: {
			PATH: [join(dir, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
			GITHUB_REPOSITORY: repository,
		},
	});
	return { ...run, mode: /^mode=(\w+)$/m.exec(run.stdout)?.[1] };
}

it.each<[string, string, Situation]>([
	['changesets are waiting', 'version', { changesets: ['first.md'] }],
	['npm lacks the version', 'publish', {}],
	['npm lists one version, without brackets', 'publish', { npm: { stdout: '"0.0.0"' } }],
	['npm has the version', 'none', { npm: { stdout: '["0.0.0","0.1.0"]' } }],
	['npm has only this version', 'none', { npm: { stdout: '"0.1.0"' } }],
	['this is a fork', 'none', { changesets: ['first.md'], repository: 'fork/nodes' }],
])('%s: %s', (_, mode, situation) => {
	const result = plan(situation);
	expect([result.stderr.replace(/^Nothing is released: .*$/m, '').trim(), result.status]).toEqual(['', 0]);
	expect(result.stdout).toBe(`mode=${mode}\nversion=0.1.0\n`);
});

it.each<[string, RegExp, Situation]>([
	['npm has no such package', /Publish the placeholder/, { npm: { status: 1, stdout: '{"error": {"code": "E404"}}' } }],
	[
		'npm does not answer',
		/does not list the versions .*ETIMEDOUT/,
		{ npm: { status: 1, stdout: '', stderr: 'ETIMEDOUT' } },
	],
	['npm answers with something else', /JSON/, { npm: { stdout: '<html>' } }],
	[
		'the author has no name yet',
		/: author\.name$/m,
		{ manifest: { ...ready, author: { ...ready.author, name: `${name} maintainers` } } },
	],
	[
		'the e-mail is an example',
		/: author\.email$/m,
		{ manifest: { ...ready, author: { ...ready.author, email: 'a@nodes.example' } } },
	],
	[
		'the repository is the placeholder',
		/package\.json: repository\.url$/m,
		{
			repository: `${name}/${name}`,
			manifest: { ...ready, repository: { url: `git+https://github.com/${name}/${name}.git` } },
		},
	],
])('nothing is published: %s', (_, reason, situation) => {
	const result = plan(situation);
	expect(result.stderr).toMatch(reason);
	expect([result.mode, result.status]).toEqual([undefined, 1]);
});
