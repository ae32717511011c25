import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { type Exit, OwnedProcess, type OwnedProcessOptions } from './ownedProcess.ts';
import { compileCacheDir, n8nBin, otherN8nVersion } from './paths.ts';
import { pollUntil } from './poll.ts';
import { freePort } from './ports.ts';

/** A built node package and the folder that holds its `package.json` and `dist`. */
export interface NodePackage {
	name: string;
	dir: string;
}

/** Returns the process to start for an n8n command with these settings of n8n. */
export type Launch = (
	args: string[],
	env: Record<string, string>,
) => Pick<OwnedProcessOptions, 'command' | 'args' | 'env'>;

export interface N8nSettings {
	/** n8n keeps everything below `<userFolder>/.n8n`. */
	userFolder: string;
	port: number;
	encryptionKey: string;
	packages?: NodePackage[];
	/** Whether n8n serves its editor: unless this is false. */
	editor?: boolean;
	/** Laid over the quiet, offline settings below. */
	env?: Record<string, string>;
	logFile?: string;
	readyTimeoutMs?: number;
	/** `start` (the default), `worker` or `webhook`, with their options. */
	command?: string[];
	/** How to run n8n; from the npm package by default. */
	launch?: Launch;
	/** Aborts a start or a command. Stop a started instance with `stop`. */
	signal?: AbortSignal;
}

export interface N8nInstance {
	readonly url: string;
	readonly settings: N8nSettings;
	readonly pid: number | undefined;
	/** Resolves when the process has ended, for any reason. */
	readonly exit: Promise<Exit>;
	logTail(lines?: number): string;
	stop(): Promise<void>;
	/** Ends it at once, without asking, as a crash or the lack of memory does. */
	kill(): Promise<void>;
}

/** Starts n8n and answers when it is ready. Fails at once, with the end of its log, when it ends before that. */
export async function startN8n(settings: N8nSettings): Promise<N8nInstance> {
	for (const package_ of settings.packages ?? []) await placePackage(package_, settings.userFolder);
	const process_ = await spawnN8n(settings, settings.command ?? ['start']);
	const url = `http://127.0.0.1:${settings.port}`;
	const isEarlier = readyPath(settings) === earlierReadyPath;
	try {
		await pollUntil(
			async () => {
				settings.signal?.throwIfAborted();
				if (process_.exited) throw new Error(`n8n ended while it was starting:\n${process_.logTail()}`);
				const answer = await fetch(url + readyPath(settings)).catch(() => undefined);
				await answer?.body?.cancel();
				return (isEarlier ? answer?.status === 401 : answer?.ok) || undefined;
			},
			{
				what: `n8n being ready on port ${settings.port}`,
				timeoutMs: settings.readyTimeoutMs ?? 120_000,
				detail: () => process_.logTail(),
			},
		);
	} catch (error) {
		await process_.stop();
		throw error;
	}
	return {
		url,
		settings,
		pid: process_.child.pid,
		exit: process_.exit,
		logTail: (lines) => process_.logTail(lines),
		stop: async () => void (await process_.stop()),
		kill: async () => {
			process_.killGroup();
			await process_.exit;
		},
	};
}

/** Earlier versions call themselves ready too soon and answer anything with 200: only then do they ask for a session, 401. */
const earlierReadyPath = '/rest/login';
const readyPath = ({ command }: N8nSettings) =>
	otherN8nVersion !== undefined && command === undefined ? earlierReadyPath : '/healthz/readiness';

/** Runs an n8n command to its end, on the same data. Not while another command of the same instance runs. */
export async function runN8n(settings: N8nSettings, args: string[]): Promise<{ exit: Exit; output: string }> {
	const process_ = await spawnN8n(settings, args);
	const stop = () => void process_.stop();
	settings.signal?.addEventListener('abort', stop);
	const exit = await process_.exit;
	settings.signal?.removeEventListener('abort', stop);
	settings.signal?.throwIfAborted();
	return { exit, output: process_.logTail(400) };
}

async function spawnN8n(settings: N8nSettings, args: string[]): Promise<OwnedProcess> {
	settings.signal?.throwIfAborted();
	await mkdir(settings.userFolder, { recursive: true });
	const { userFolder, logFile, launch = fromNpm } = settings;
	return new OwnedProcess({ ...launch(args, await n8nEnv(settings)), cwd: userFolder, logFile });
}

const fromNpm: Launch = (args, env) => ({
	command: process.execPath,
	args: [n8nBin, ...args],
	env: {
		...withoutForeignSettings(process.env),
		PATH: dirname(process.execPath) + delimiter + (process.env['PATH'] ?? ''),
		NODE_ENV: 'production',
		// A fifth of what a start takes is Node compiling n8n's files, each time anew.
		NODE_COMPILE_CACHE: compileCacheDir,
		...(otherN8nVersion === undefined ? { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai' } : {}),
		...env,
	},
});

/**
 * Copies what a user would get from npm to where n8n's own installer puts it, so the node types carry their real names.
 * A copy, not a link: n8n resolves links, and the nodes would then find the workspace's n8n-workflow instead of n8n's.
 * Only what differs is written, because a running n8n may be watching. Answers with those files.
 */
export async function placePackage({ name, dir }: NodePackage, userFolder: string): Promise<string[]> {
	const target = join(userFolder, '.n8n/nodes/node_modules', name);
	const wanted = ['package.json', ...(await filesBelow(dir, 'dist'))];
	const written: string[] = [];
	for (const file of wanted) {
		const content = await readFile(join(dir, file));
		const present = await readFile(join(target, file)).catch(() => undefined);
		if (present?.equals(content)) continue;
		await mkdir(dirname(join(target, file)), { recursive: true });
		await writeFile(join(target, file), content);
		written.push(join(target, file));
	}
	for (const file of await filesBelow(target, '.')) {
		if (!wanted.includes(file)) await rm(join(target, file));
	}
	return written;
}

async function filesBelow(dir: string, folder: string): Promise<string[]> {
	const entries = await readdir(join(dir, folder), { recursive: true, withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isFile()).map((entry) => relative(dir, join(entry.parentPath, entry.name)));
}

async function n8nEnv(settings: N8nSettings): Promise<Record<string, string>> {
	return {
		N8N_USER_FOLDER: settings.userFolder,
		N8N_ENCRYPTION_KEY: settings.encryptionKey,
		N8N_PORT: String(settings.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// Without it n8n calls itself localhost, which another server may answer on ::1.
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${settings.port}`,
		N8N_WEBHOOK_URL: `http://127.0.0.1:${settings.port}`,
		// Every n8n process opens one, commands included.
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		// Plain http on loopback.
		N8N_SECURE_COOKIE: 'false',
		// n8n sends no telemetry and shows no surveys or tours.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_PYTHON_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// Each start copies the editor's files; what is only called needs none.
		...(settings.editor === false ? { N8N_DISABLE_UI: 'true' } : {}),
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		...(otherN8nVersion === undefined ? {} : earlier(settings)),
		...settings.env,
	};
}

/** Earlier versions call the address of webhooks so, and do not start with the name of a module that they do not have. */
const earlier = ({ port }: N8nSettings) => ({ WEBHOOK_URL: `http://127.0.0.1:${port}` });

/** Settings for another n8n, or for the test runner, must not reach this one. */
function withoutForeignSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|GENERIC_|JEST_|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|NODE_FUNCTION_)/;
	return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
