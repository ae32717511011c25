// `npm run test:image -- <tag>`: checks that the package works in n8n's official image. Packs the package, installs it as
// docs/admin.md recommends (environment, version, checksum, unverified packages off), imports the examples, and runs a payout, a
// trigger and the payout again, before and after a restart. With the tag `npm` it runs without a container, in the n8n of
// packages/host/n8n. The container uses the network of this machine, so that n8n, registry and sandbox bank reach each other on
// loopback. Linux only.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { demoReferences } from './demoCredentials.ts';
import { readExamples } from './examples.ts';
import { localName, startLocalRegistry } from './localRegistry.ts';
import type { WorkflowFile, WorkflowNode } from './n8nCli.ts';
import type { Launch } from './n8nProcess.ts';
import type { N8nRest } from './n8nRest.ts';
import { nodesPackageDir, repoDir } from './paths.ts';
import type { SandboxAdmin } from './sandboxAdmin.ts';
import { cleanups, reportStep, runSteps } from './steps.ts';
import { startTestbed } from './testbed.ts';
import { inARow, noOp } from './workflows.ts';

const image = (tag: string) => `docker.io/n8nio/n8n:${tag}`;
const version = '1.0.0';
const trigger: WorkflowNode = {
	name: 'Bank Trigger',
	type: `${localName}.bankTrigger`,
	typeVersion: 2,
	webhookId: 'image-check',
	parameters: {
		id: '00000000-0000-4000-8000-00000000a001',
		object: 'ul_transaction_default',
		verifySender: true,
	},
	credentials: { ...demoReferences.authorizationCode, ...demoReferences.inbound },
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { engine: { type: 'string' } } });
const [tag] = positionals;
if (tag === undefined) {
	console.error('Usage: npm run test:image -- <tag of n8nio/n8n | npm> [--engine podman | docker]');
	process.exit(1);
}

await runSteps(async () => {
	const engine = values.engine ?? (tag === 'npm' ? undefined : installedEngine());
	const folder = await mkdtemp(join(tmpdir(), 'image-check-'));
	cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
	if (engine !== undefined)
		await reportStep(`pull ${image(tag)}`, async () => void execFileSync(engine, ['pull', '--quiet', image(tag)]));
	await installAndUse(folder, engine === undefined ? undefined : inContainer(engine, image(tag), folder));
	return `The package works in ${engine === undefined ? 'the n8n from npm' : image(tag)}.`;
});

function installedEngine(): string {
	const found = ['podman', 'docker'].find((name) => spawnSync(name, ['--version']).status === 0);
	if (found === undefined) throw new Error('This needs Podman or Docker. Without them: npm run test:image -- npm');
	return found;
}

/** Runs n8n commands as the current user, in a container in which `folder` and n8n's folder have the same paths. */
function inContainer(engine: string, name: string, folder: string): Launch {
	const identity = [`--user=${process.getuid?.() ?? 1000}:${process.getgid?.() ?? 1000}`];
	if (/podman$/.test(engine)) identity.push('--userns=keep-id');
	return (args, own) => {
		const container = `n8n-image-check-${randomBytes(6).toString('hex')}`;
		// A container continues to run when its client is killed.
		cleanups.push(async () => void spawnSync(engine, ['rm', '--force', container], { stdio: 'ignore' }));
		const home = own['N8N_USER_FOLDER'] ?? folder;
		const env = { ...own, HOME: home };
		const volumes = [folder, home].map((shared) => `--volume=${shared}:${shared}`);
		const options = ['--rm', `--name=${container}`, '--network=host', '--security-opt=label=disable', ...identity];
		// Passes names only, because values, such as the encryption key, would be visible in the process list.
		const variables = Object.keys(env).flatMap((variable) => ['--env', variable]);
		return {
			command: engine,
			args: ['run', ...options, ...volumes, ...variables, name, ...args],
			env: { ...process.env, ...env },
		};
	};
}

async function installAndUse(folder: string, launch: Launch | undefined) {
	const registry = await startLocalRegistry(folder);
	cleanups.push(() => registry.stop());
	const checksum = await reportStep('pack and publish to a registry on loopback', async () =>
		registry.publish(await pack(join(folder, 'packed')), version),
	);
	const examples = readExamples().map(({ workflow }) => ofLocalPackage(workflow));
	const testbed = await reportStep(
		'install by environment, version and checksum; import credentials and examples',
		() =>
			startTestbed({
				isBare: true,
				editor: true,
				workflows: examples,
				launch,
				env: {
					...registry.npmEnv,
					N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
					N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: localName, version, checksum }]),
					// The default of n8n 3 (unverified packages are off).
					N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
				},
			}),
	);
	cleanups.push(() => testbed.stop());
	const { rest, sandbox } = testbed;
	await reportStep('n8n has every node of the examples, in its version', () =>
		hasNodesOf(examples, rest, testbed.n8n.logTail()),
	);
	await reportStep('a payout', () => payOut(rest, sandbox));
	await reportStep('the same payout again pays nobody', () => payOut(rest, sandbox));
	const triggered = inARow('Image check', [trigger, noOp]);
	await rest.createWorkflow(triggered);
	await reportStep('a trigger is activated and starts its workflow', async () => {
		const { active, message } = await rest.activateToEnd(triggered.id);
		assert(active, message);
		await startByEvent(rest, sandbox, triggered.id, 1);
	});
	await reportStep('restart', () => testbed.restartN8n());
	await reportStep('the payout pays nobody after the restart', () => payOut(rest, sandbox));
	await reportStep('the trigger starts its workflow after the restart', () =>
		startByEvent(rest, sandbox, triggered.id, 2),
	);
	const validationErrors = await sandbox.validationErrors();
	assert(validationErrors.length === 0, `The sandbox bank rejected requests: ${JSON.stringify(validationErrors)}`);
}

/** Packs the package as a release does, and returns the folder of the unpacked tarball. */
async function pack(target: string): Promise<string> {
	// A JavaScript module without types.
	const scan = (await import(pathToFileURL(join(repoDir, 'tools/lint/scan.mjs')).href)) as {
		packInto(packageDir: string, into: string): { dir: string };
	};
	await mkdir(target);
	return scan.packInto(nodesPackageDir, target).dir;
}

function ofLocalPackage(workflow: WorkflowFile): WorkflowFile {
	return JSON.parse(
		JSON.stringify(workflow).replaceAll('"type":"n8n-nodes-bank.', `"type":"${localName}.`),
	) as WorkflowFile;
}

async function hasNodesOf(examples: WorkflowFile[], rest: N8nRest, log: string): Promise<string> {
	const known = new Set(
		(await rest.nodeTypes()).flatMap(({ name, version: versions }) => [versions].flat().map((one) => `${name} ${one}`)),
	);
	const used = new Set(examples.flatMap(({ nodes }) => nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`)));
	const missing = [...used].filter((node) => !known.has(node));
	assert(missing.length === 0, `It does not have ${missing.join(', ')}\n${log}`);
	return `${used.size} types`;
}

/** Runs the example twice and expects that the bank has only one package. */
async function payOut(rest: N8nRest, sandbox: SandboxAdmin): Promise<string> {
	const { status, data } = await rest.runToEnd('bankPayoutRows01');
	assert(status === 'success', `The execution ended with ${status}: ${data.resultData.error?.message}`);
	const { ledger } = await sandbox.state();
	const payments = ledger.flatMap((pack_) => pack_.payments);
	assert(ledger.length === 1, `The bank has ${ledger.length} packages`);
	return `${payments.length} payments in one package`;
}

async function startByEvent(rest: N8nRest, sandbox: SandboxAdmin, id: string, executions: number): Promise<string> {
	const { delivered } = await sandbox.sendEvents({ attempts: 1 });
	const ended = await rest.executionsToEnd(id, executions);
	assert(delivered === 1 && ended.length === executions, `${delivered} delivered, ${ended.length} executions`);
	return `${executions} executions`;
}
