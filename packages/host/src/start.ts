// `npm start`: runs the sandbox bank and n8n with the nodes, credentials and example workflows until Ctrl-C. `npm run dev` also
// updates n8n after every change of the sources.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SandboxOptions } from '@bank/fixtures/sandbox';
import { demoCredentials, otherDemoCredentials } from './demoCredentials.ts';
import { type DemoState, leaveHandover, openDemoState, takeHandover } from './demoState.ts';
import { watchSources } from './dev/loop.ts';
import { type Example, readExamples } from './examples.ts';
import { importCredentials } from './n8nCli.ts';
import { ensureN8nInstalled } from './n8nInstall.ts';
import { type N8nInstance, type N8nSettings, startN8n } from './n8nProcess.ts';
import { N8nRest, N8nRestError } from './n8nRest.ts';
import { nodesPackageDir, repoDir } from './paths.ts';
import { isPortFree } from './ports.ts';
import type { SandboxAdmin } from './sandboxAdmin.ts';
import { startSandboxThread } from './sandboxThread.ts';

interface Options {
	port: number;
	sandboxPort: number;
	sandboxTlsPort: number;
	stateDir: string;
	watch: boolean;
}

const help = `Usage: npm start -- [options], npm run dev -- [options]

  --port <number>              where n8n listens (5678)
  --sandbox-port <number>      where the sandbox bank listens (4010)
  --sandbox-tls-port <number>  where it listens with mutual TLS (4443)
  --state-dir <folder>         folder of the state that is kept between starts (.demo in the repository)
  --watch                      bring every change of the nodes' sources into n8n: what npm run dev does`;

/** An error that the user can fix; only its message is shown. */
class Refusal extends Error {}

const interrupted = new AbortController();
// npm, the terminal and run.mjs may each forward the same Ctrl-C, so all but the first are ignored.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

try {
	process.exitCode = await main();
} catch (error) {
	// Errors after an interruption are expected.
	process.exitCode = interrupted.signal.aborted ? 0 : 1;
	if (process.exitCode) console.error(error instanceof Refusal ? error.message : error);
}

async function main(): Promise<number> {
	const options = readOptions();
	if (!options) return 0;
	await refuseTakenPort('n8n', '--port', options.port);
	await refuseTakenPort('The sandbox', '--sandbox-port', options.sandboxPort);
	await refuseTakenPort('The sandbox', '--sandbox-tls-port', options.sandboxTlsPort);
	await ensureN8nInstalled(interrupted.signal);

	const state = await openDemoState(options.stateDir);
	const opened: Array<() => Promise<void>> = [];
	try {
		console.log('Starting the sandbox bank and n8n …');
		const handover = await takeHandover(options.stateDir);
		const sandbox = await startSandboxThread({
			...sandboxOptions(options, state),
			...(handover && { tokens: handover.tokens }),
		});
		const { admin } = sandbox;
		opened.push(() => sandbox.stop());
		const settings = n8nSettings(options, state);
		const credentials = [...(await demoCredentials(admin)), ...otherDemoCredentials(admin)];
		const made = JSON.stringify(credentials, withoutWhatChanges);
		// The import command takes as long as a start of n8n, so it is skipped if nothing has changed.
		if (handover?.credentials !== made) await importCredentials(settings, credentials);
		const n8n = await startN8n(settings);
		opened.push(async () => leaveHandover(options.stateDir, { tokens: await sandbox.tokens(), credentials: made }));
		opened.push(() => n8n.stop());
		const examples = readExamples();
		const signedIn = await prepare(n8n, state, examples);
		console.log(welcome(n8n, admin, state, examples, signedIn));
		if (options.watch) {
			const say = (line: string) => console.log(`${new Date().toTimeString().slice(0, 8)} ${line}`);
			opened.push(watchSources(settings.userFolder, say));
			console.log('  Watching the sources.\n');
		}

		const ended = await Promise.race([n8n.exit.then(() => true), interruption()]);
		if (!ended) console.log('\nStopping …');
		else console.error(`n8n ended unexpectedly. The end of ${state.logFile}:\n${n8n.logTail()}`);
		return ended ? 1 : 0;
	} finally {
		for (const close of opened.reverse()) await close();
	}
}

function readOptions(): Options | undefined {
	const number = (name: string, value: string) => {
		const port = Number(value);
		if (!Number.isInteger(port) || port < 1 || port > 65535)
			throw new Refusal(`--${name} wants a port number, not "${value}".`);
		return port;
	};
	let values;
	try {
		({ values } = parseArgs({
			options: {
				port: { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
				'sandbox-tls-port': { type: 'string', default: '4443' },
				'state-dir': { type: 'string', default: join(repoDir, '.demo') },
				watch: { type: 'boolean', default: false },
				help: { type: 'boolean' },
			},
		}));
	} catch (error) {
		throw new Refusal(`${(error as Error).message}\n\n${help}`);
	}
	if (values.help) return void console.log(help);
	const ports = {
		port: number('port', values.port),
		sandboxPort: number('sandbox-port', values['sandbox-port']),
		sandboxTlsPort: number('sandbox-tls-port', values['sandbox-tls-port']),
	};
	if (new Set(Object.values(ports)).size < 3)
		throw new Refusal('n8n and the two ports of the sandbox cannot share one: choose three.');
	return { ...ports, stateDir: values['state-dir'], watch: values.watch };
}

async function refuseTakenPort(who: string, option: string, port: number) {
	if (!(await isPortFree(port)))
		throw new Refusal(
			`${who} cannot start: port ${port} is taken. Stop what uses it, or choose another: npm start -- ${option} ${port + 1}`,
		);
	if (await isRefusedByFetch(port))
		throw new Refusal(
			`${who} cannot use port ${port}: browsers and n8n refuse to connect to it. Choose another: npm start -- ${option} <number>`,
		);
}

/**
 * Whether fetch blocks the port, such as 6000: https://fetch.spec.whatwg.org/#port-blocking. The port is free, so the request ends at
 * once.
 */
async function isRefusedByFetch(port: number): Promise<boolean> {
	const error: unknown = await fetch(`http://127.0.0.1:${port}`, { method: 'HEAD' }).catch((reason: unknown) => reason);
	return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
}

function sandboxOptions(
	options: Options,
	{ clientSecrets, signingSecret, gatewaySecret, certificates, signer }: DemoState,
): SandboxOptions {
	return {
		port: options.sandboxPort,
		tlsPort: options.sandboxTlsPort,
		n8nUrl: `http://127.0.0.1:${options.port}`,
		// Secrets that are the same at every start, so that credentials created by the user stay valid.
		secrets: { ...clientSecrets, gateway: gatewaySecret, signing: signingSecret },
		certificates,
		signer,
	};
}

/** For `JSON.stringify`: replaces tokens and secrets that change with every start. */
function withoutWhatChanges(this: unknown, key: string, value: unknown): unknown {
	return ['oauthTokenData', 'refreshToken', 'value'].includes(key) ? undefined : value;
}

function n8nSettings(options: Options, state: DemoState): N8nSettings {
	return {
		userFolder: state.n8nUserFolder,
		port: options.port,
		encryptionKey: state.encryptionKey,
		packages: [{ name: 'n8n-nodes-bank', dir: nodesPackageDir }],
		// docs/admin.md recommends this setting.
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', ...(options.watch && { N8N_DEV_RELOAD: 'true' }) },
		logFile: state.logFile,
		signal: interrupted.signal,
	};
}

/** Creates owner account and examples. Keeps what the user has changed. Returns false if the user has changed the password. */
async function prepare(n8n: N8nInstance, { owner }: DemoState, examples: Example[]): Promise<boolean> {
	const rest = new N8nRest(n8n.url);
	try {
		if (await rest.isOwnerSetUp()) await rest.login(owner);
		else await rest.setUpOwner(owner);
	} catch (error) {
		if (error instanceof N8nRestError && error.status === 401) return false;
		throw error;
	}
	const present = await rest.workflowIds();
	// n8n lists the newest workflow first.
	for (const { workflow } of examples.toReversed()) {
		if (present.has(workflow.id)) continue;
		await rest.createWorkflow(workflow);
		if (workflow.active) await rest.activateWorkflow(workflow.id);
	}
	return true;
}

function welcome(
	n8n: N8nInstance,
	sandbox: SandboxAdmin,
	{ owner }: DemoState,
	examples: Example[],
	signedIn: boolean,
): string {
	const width = Math.max(0, ...examples.map(({ workflow }) => workflow.name.length));
	return [
		'',
		`  n8n              ${n8n.url}`,
		`    e-mail         ${owner.email}`,
		`    password       ${signedIn ? owner.password : '(the one you chose in n8n)'}`,
		`  Sandbox console  ${sandbox.baseUrl} (also the base URL for your own credentials)`,
		`    mutual TLS     ${sandbox.tls.baseUrl}`,
		'',
		'  Example workflows',
		...examples.map(({ workflow }) => `    ${workflow.name.padEnd(width)}  ${n8n.url}/workflow/${workflow.id}`),
		'',
		'  Ctrl-C stops both.',
		'',
	].join('\n');
}

function interruption(): Promise<false> {
	return new Promise((resolve) => {
		if (interrupted.signal.aborted) resolve(false);
		interrupted.signal.addEventListener('abort', () => resolve(false));
	});
}
