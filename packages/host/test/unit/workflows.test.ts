/** Permissions of the GitHub workflows, and the code that they run. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parse } from 'yaml';

import { repoDir } from '../../src/paths.ts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	needs?: string | string[];
	permissions?: Record<string, string>;
	steps?: Step[];
	uses?: string;
}

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

const files = globSync('.github/workflows/*.yml', { cwd: repoDir }).map((file) => join(repoDir, file));
const workflows = files.map((file) => {
	const text = readFileSync(file, 'utf8');
	return [basename(file), { text, ...(parse(text) as Workflow) }] as const;
});
const jobs = workflows.flatMap(([file, { jobs: own }]) =>
	Object.entries(own).map(([name, job]) => [`${file} ${name}`, job] as const),
);
const { ci, plan, build, publish } = Object.fromEntries(workflows)['release.yml']?.jobs ?? {};
const needs = ({ needs: named = [] }: Job = {}) => [named].flat();

it('there are workflows to look at', () => {
	expect(files.length).toBeGreaterThan(2);
});

it.each(workflows)(
	'%s names every action of others by its commit, with the version beside it',
	(_, { text, jobs: own }) => {
		const used = Object.values(own).flatMap(({ uses, steps = [] }) => [
			uses ?? [],
			...steps.map((step) => step.uses ?? []),
		]);
		const foreign = used.flat().filter((action) => !action.startsWith('./'));
		expect(foreign.filter((action) => !/^[\w./-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
		// The parser drops comments.
		const versioned = [...text.matchAll(/\buses: (\S+) # v\d+\.\d+\.\d+$/gm)].map(([, action]) => action);
		expect(versioned).toEqual(foreign);
	},
);

it.each(workflows)(
	'%s knows no secret of the repository, and runs for no foreign branch with the rights of this one',
	(_, { text }) => {
		expect(text).not.toMatch(/\bsecrets\s*[.[:]|pull_request_target|workflow_run/);
	},
);

/** Every write permission and its job. Review new ones here. */
const rights: Record<string, Record<string, string>> = {
	'release.yml version': { contents: 'write', 'pull-requests': 'write' },
	'release.yml publish': { 'id-token': 'write' },
	'release.yml announce': { contents: 'write' },
	'site.yml publish': { pages: 'write', 'id-token': 'write' },
};

it.each(jobs)('%s may change no more than it needs', (name, { permissions = {} }) => {
	expect(Object.fromEntries(Object.entries(permissions).filter(([, level]) => level !== 'read'))).toEqual(
		rights[name] ?? {},
	);
});

it.each(workflows)('%s gives no permission to all of its jobs but to read', (_, { permissions }) => {
	expect(Object.entries(permissions ?? { missing: 'write' }).filter(([, level]) => level !== 'read')).toEqual([]);
});

const may = (right: string, { permissions = {} }: Job) => permissions[right] === 'write';
const isCheckout = ({ uses = '' }: Step) => uses.startsWith('actions/checkout@');

it.each(jobs)('%s checks out with a token only if it may write to the branch', (_, job) => {
	const keeping = (job.steps ?? []).filter((step) => isCheckout(step) && step.with?.['persist-credentials'] !== false);
	expect(may('contents', job) ? [] : keeping).toEqual([]);
});

/** Commands of jobs that sign, publish or release: they use files of another job and compare their hash first. */
const publishing = [
	/^echo "\$SHA256 {2}\$\(ls release\/\*\.tgz\)" \| sha256sum --check$/,
	/^npm publish \.\/release\/\*\.tgz --provenance --access public --ignore-scripts$/,
	/^gh release create [^;&|`]*$/,
];

it.each(jobs.filter(([name]) => rights[name] !== undefined))(
	'%s: a job that may change something runs no code of the repository, nor install scripts',
	(_, job) => {
		const steps = job.steps ?? [];
		const lines = steps.flatMap(({ run = '' }) => run.trim().split('\n').filter(Boolean));
		const other = lines.filter((line) => !publishing.some((known) => known.test(line)));
		const cached = steps.filter(
			({ with: given = {}, uses = '' }) => 'cache' in given || uses.startsWith('actions/cache'),
		);
		expect(cached).toEqual([]);
		if (!may('pull-requests', job)) return expect([steps.filter(isCheckout), other]).toEqual([[], []]);
		// The tool that writes versions and changelogs is installed as the lockfile says.
		expect(other).toEqual([expect.stringMatching(/ install --frozen-lockfile --ignore-scripts --filter [\w-]+$/)]);
	},
);

it('a release publishes the file that was built, tested and checked, after CI', () => {
	expect(ci?.uses).toBe('./.github/workflows/ci.yml');
	expect(needs(plan)).toContain('ci');
	expect(needs(build)).toContain('plan');
	expect(needs(publish)).toContain('build');
	expect(build?.permissions).toEqual({ contents: 'read' });
	expect(publish?.permissions).toEqual({ 'id-token': 'write' });
	const commands = (job?: Job) => (job?.steps ?? []).map(({ run = '' }) => run).join('\n');
	expect(commands(build)).toContain('npm run release:check -- --out release');
	expect(commands(publish)).toMatch(/sha256sum --check\nnpm publish \.\/release\/\*\.tgz --provenance/);
});
