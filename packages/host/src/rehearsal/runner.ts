// Runs the jobs of a workflow, each on a new machine: `run` steps as they are, `uses` steps by a stand-in.
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { OwnedProcess } from '../ownedProcess.ts';
import { cleanups, reportStep } from '../steps.ts';
import { installNode, newHome } from './machine.ts';
import { standIns } from './standIns.ts';
import type { RunningJob, World } from './world.ts';
import { combinations, isConditionMet, interpolate, type Job, readWorkflow, type Step } from './workflow.ts';

/** Commands that can run only elsewhere, with the reason. The rehearsal checks that they exist. */
const elsewhere: Record<string, string> = {
	'.ci/run': 'all tests; they take half an hour',
	'npm run release:check': 'release.yml runs it',
	'npm run release:rehearse': 'this command',
	'npm run test:image': "needs n8n's image and a container engine",
	'npm run mutate': 'takes hours',
	'npm run chaos': 'takes hours',
	'npm run simulate': 'takes minutes; npm test runs 200 seeds',
	'npm run test:nightly': 'takes minutes; needs PostgreSQL and Redis',
	'sudo apt-get': 'installs programs on the machine',
};

type Outputs = Record<string, { outputs: Record<string, string> }>;
const ran = new Set<string>();

/** Runs a workflow for an event on a commit, and returns the outputs of its jobs that ran. */
export async function runWorkflow(world: World, file: string, event: string, sha: string): Promise<Outputs> {
	const { jobs } = readWorkflow(world.checkout, file);
	const github = {
		event_name: event,
		ref: 'refs/heads/main',
		ref_name: 'main',
		repository: world.repository,
		run_id: '1',
		run_number: '1',
		sha,
		token: 'rehearsal',
	};
	const needs: Outputs = {};
	for (const [name, job] of Object.entries(jobs)) {
		const needed = [job.needs ?? []].flat();
		// GitHub also lets a job wait for jobs that come later in the file. These workflows do not.
		for (const one of needed)
			if (!(one in jobs)) throw new Error(`${file}: ${name} needs ${one}, which does not exist`);
		const contexts = { github, needs: pick(needs, needed) };
		if (needed.some((one) => !(one in needs)) || !isConditionMet(job.if, contexts)) continue;
		needs[name] = { outputs: await runJob(world, `${file} > ${name}`, job, contexts) };
	}
	return needs;
}

function pick(all: Outputs, names: string[]): Outputs {
	return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

async function runJob(
	world: World,
	title: string,
	job: Job,
	contexts: RunningJob['contexts'],
): Promise<Record<string, string>> {
	if (job.uses !== undefined) {
		// A workflow that another one calls runs once in the whole rehearsal.
		const file = job.uses.replace('./.github/workflows/', '');
		if (!ran.has(file))
			await runWorkflow(world, file, contexts.github['event_name'] ?? '', contexts.github['sha'] ?? '');
		ran.add(file);
		return {};
	}
	let outputs: Record<string, string> = {};
	for (const matrix of combinations(job)) {
		const values = Object.values(matrix).join(', ');
		outputs = await runSteps(world, values === '' ? title : `${title} (${values})`, job, { ...contexts, matrix });
	}
	return outputs;
}

async function runSteps(world: World, title: string, job: Job, contexts: RunningJob['contexts']) {
	const home = newHome(world.folder);
	const workspace = mkdtempSync(join(world.folder, 'workspace-'));
	const steps: Outputs = {};
	const running: RunningJob = { world, home, workspace, path: [], contexts: { ...contexts, steps } };
	for (const [at, step] of (job.steps ?? []).entries()) {
		if (!isConditionMet(step.if, running.contexts)) continue;
		const what = `${title} > ${step.name ?? step.id ?? step.uses?.replace(/@.*/, '') ?? step.run?.split('\n')[0] ?? at}`;
		const outputs = await runStep(running, what, step, { ...job.env, ...step.env });
		if (step.id !== undefined) steps[step.id] = { outputs };
	}
	const entries = Object.entries(job.outputs ?? {});
	return Object.fromEntries(entries.map(([name, value]) => [name, interpolate(value, running.contexts)]));
}

async function runStep(
	running: RunningJob,
	title: string,
	{ uses, run, with: input = {} }: Step,
	env: Step['env'] = {},
): Promise<Record<string, string>> {
	const filled = (all: Step['env'] = {}) =>
		Object.fromEntries(Object.entries(all).map(([key, value]) => [key, interpolate(value, running.contexts)]));
	if (uses !== undefined) {
		const standIn = standIns[uses.replace(/@.*/, '')];
		if (standIn === undefined) throw new Error(`${title}: there is no stand-in for ${uses}`);
		await reportStep(title, () => standIn(running, filled(input)));
		return {};
	}
	const command = interpolate(run ?? '', running.contexts).trim();
	const skip = Object.keys(elsewhere).find((one) => command === one || command.startsWith(`${one} `));
	if (skip !== undefined && !command.includes('--out')) {
		checkCommand(running, command);
		running.world.skipped.set(`${title.split(' > ').slice(0, 2).join(' > ')}: ${skip}`, elsewhere[skip] ?? '');
		return {};
	}
	let outputs = {};
	await reportStep(title, async () => {
		outputs = await runShell(running, command, filled(env));
	});
	return outputs;
}

/** Checks that a command which does not run here exists. */
function checkCommand({ workspace }: RunningJob, command: string) {
	const [, script] = /^npm run ([\w:]+)/.exec(command) ?? [];
	const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	if (script !== undefined && scripts[script] === undefined) throw new Error(`package.json has no script ${script}`);
	if (command.startsWith('.') && (statSync(join(workspace, command)).mode & 0o111) === 0)
		throw new Error(`${command} is not executable`);
}

/** Runs a script as GitHub does, and returns what it wrote to GITHUB_OUTPUT. */
export async function runShell(
	{ world, home, workspace, path, contexts }: RunningJob,
	script: string,
	env: Record<string, string> = {},
): Promise<Record<string, string>> {
	const temp = join(home, 'temp');
	mkdirSync(temp, { recursive: true });
	const file = (name: string, text = '') => {
		writeFileSync(join(temp, name), text);
		return join(temp, name);
	};
	const output = file('output');
	const added = file('path');
	const shell = new OwnedProcess({
		command: '/bin/bash',
		args: ['-e', file('step.sh', script)],
		cwd: workspace,
		env: {
			...world.env,
			CI: 'true',
			GITHUB_ACTIONS: 'true',
			GITHUB_EVENT_NAME: contexts.github['event_name'],
			GITHUB_OUTPUT: output,
			GITHUB_PATH: added,
			GITHUB_REF: contexts.github['ref'],
			GITHUB_REF_NAME: contexts.github['ref_name'],
			GITHUB_REPOSITORY: contexts.github['repository'],
			GITHUB_SHA: contexts.github['sha'],
			GITHUB_WORKSPACE: workspace,
			HOME: home,
			PATH: [...path, world.programs].join(':'),
			RUNNER_TEMP: temp,
			...env,
		},
	});
	cleanups.push(async () => {
		// The signal goes to the group: bash alone would wait for its command.
		if (!shell.exited && shell.child.pid !== undefined) process.kill(-shell.child.pid, 'SIGTERM');
		if (!shell.exited) await shell.stop();
	});
	const { code } = await shell.exit;
	await shell.stop();
	if (code !== 0) throw new Error(`exit code ${code}\n${shell.logTail()}`);
	path.unshift(...readFileSync(added, 'utf8').split('\n').filter(Boolean));
	return outputsIn(readFileSync(output, 'utf8'));
}

/** Lines `name=value`, or `name<<END`, lines, and `END`. */
function outputsIn(text: string): Record<string, string> {
	const all = text.matchAll(/^(\w+)(?:=(.*)|<<(\w+)\n([\s\S]*?)\n\3)$/gm);
	return Object.fromEntries([...all].map(([, name, line, , lines]) => [name, line ?? lines ?? '']));
}

/** Runs a script outside a workflow, as a maintainer does: with Node and npm, in a folder. */
export async function runByHand(world: World, folder: string, script: string, node: string): Promise<void> {
	const home = newHome(world.folder);
	installNode(join(home, 'node'), node);
	const github = { repository: world.repository };
	await runShell({ world, home, workspace: folder, path: [join(home, 'node')], contexts: { github } }, script);
}
