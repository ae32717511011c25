/** What the workflows of the forge may do, and with whose code. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parse } from 'yaml';

import { repoDir } from '../../src/paths.ts';

interface Step {
	uses?: string;
	run?: string;
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
const { ci, build, publish } = Object.fromEntries(workflows)['release.yml']?.jobs ?? {};
const needs = ({ needs: named = [] }: Job = {}) => [named].flat();

it('there are workflows to look at', () => {
	expect(files.length).toBeGreaterThan(2);
});

it.each(workflows)('%s names every action of others by its commit, with the version beside it', (_, { text }) => {
	const used = [...text.matchAll(/\buses: (.*)/g)].map(([, action = '']) => action);
	const loose = used.filter(
		(action) => !action.startsWith('./') && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
	);
	expect(loose).toEqual([]);
});

it.each(workflows)('%s gives no permission to all of its jobs but to read', (_, { permissions }) => {
	expect(Object.entries(permissions ?? { missing: 'write' }).filter(([, level]) => level !== 'read')).toEqual([]);
});

it.each(jobs)(
	'%s: whoever may sign or publish checks out and installs nothing',
	(_, { permissions = {}, steps = [] }) => {
		const signs = permissions['id-token'] === 'write';
		const foreign = steps.filter(
			({ uses = '', run = '' }) =>
				uses.startsWith('actions/checkout@') || /\b(?:npx|npm (?!publish )|pnpm|node)\b/.test(run),
		);
		expect(signs ? foreign : []).toEqual([]);
	},
);

it('a release publishes the file that was built, tested and checked, after CI', () => {
	expect(ci?.uses).toBe('./.github/workflows/ci.yml');
	expect(needs(build)).toContain('ci');
	expect(needs(publish)).toContain('build');
	expect(build?.permissions).toEqual({ contents: 'read' });
	expect(publish?.permissions).toEqual({ 'id-token': 'write' });
	const commands = (job?: Job) => (job?.steps ?? []).map(({ run = '' }) => run).join('\n');
	expect(commands(build)).toContain('npm run release:check -- --out release');
	expect(commands(publish)).toContain('sha256sum --check');
	expect(commands(publish)).toContain('npm publish ./release/*.tgz --provenance');
});
