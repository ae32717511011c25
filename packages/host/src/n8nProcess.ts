import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { type Exit, OwnedProcess, type OwnedProcessOptions } from './ownedProcess.ts';
import { compileCacheDir, n8nBin } from './paths.ts';
import { freePort } from './ports.ts';

/** A built node package: the folder that contains its `package.json` and `dist`. */
export interface NodePackage {
	name: string;
	dir: string;
}

/** Returns the process to start for an n8n command. */
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
	/** Whether n8n serves its editor. Default true. */
	editor?: boolean;
	/** Overrides the quiet, offline settings below. */
	env?: Record<string, string>;
	logFile?: string;
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
	/** Ends the process immediately, like a crash. */
	kill(): Promise<void>;
}

/** Starts n8n and resolves when it is ready. If it exits before that, fails with the end of its log. */
export async function startN8n(settings: N8nSettings): Promise<N8nInstance> {
	for (const package_ of settings.packages ?? []) await placePackage(package_, settings.userFolder);
	const process_ = await spawnN8n(settings, settings.command ?? ['start']);
	const url = `http://127.0.0.1:${settings.port}`;
	try {
		const isReady = async () => {
			settings.signal?.throwIfAborted();
			const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
			await answer?.body?.cancel();
			return answer?.ok;
		};
		// n8n may install packages before it is ready.
		await process_.until(`n8n being ready on port ${settings.port}`, isReady, { timeoutMs: 300_000 });
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

/** Runs an n8n command to its end, on the same data. Must not run while another command of the instance runs. */
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
		// Without a cache, Node compiles n8n's files at each start, which takes a fifth of the time.
		NODE_COMPILE_CACHE: compileCacheDir,
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai',
		...env,
	},
});

/**
 * Copies the published files to where n8n's installer puts packages, so that node types have their real names. A copy, because n8n
 * resolves links and the nodes would find the workspace's n8n-workflow. Writes only files that differ, because a running n8n may be
 * watching, and returns their paths.
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

/** Files in a folder of `dir` and below it, relative to `dir`. None if there is no such folder. */
export async function filesBelow(dir: string, folder: string): Promise<string[]> {
	const entries = await readdir(join(dir, folder), { recursive: true, withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isFile()).map((entry) => relative(dir, join(entry.parentPath, entry.name)));
}

async function n8nEnv(settings: N8nSettings): Promise<Record<string, string>> {
	return {
		N8N_USER_FOLDER: settings.userFolder,
		N8N_ENCRYPTION_KEY: settings.encryptionKey,
		N8N_PORT: String(settings.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// Without this URL, n8n uses the name localhost, which may be another server on ::1.
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${settings.port}`,
		N8N_WEBHOOK_URL: `http://127.0.0.1:${settings.port}`,
		// Every n8n process opens this port, even commands.
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
		// Each start copies the editor's files, which an n8n without a browser does not need.
		...(settings.editor === false ? { N8N_DISABLE_UI: 'true' } : {}),
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		...settings.env,
	};
}

/** Removes settings that are meant for another n8n or for the test runner. */
function withoutForeignSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|GENERIC_|JEST_|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|NODE_FUNCTION_)/;
	return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
