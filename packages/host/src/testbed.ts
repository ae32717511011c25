import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCredentials, otherDemoCredentials } from './demoCredentials.ts';
import { type CredentialToImport, type WorkflowFile, importCredentials } from './n8nCli.ts';
import { ensureN8nInstalled } from './n8nInstall.ts';
import { type Launch, type N8nInstance, type N8nSettings, type NodePackage, startN8n } from './n8nProcess.ts';
import { type Login, N8nRest } from './n8nRest.ts';
import { takeChildrenAlongOnSignals } from './ownedProcess.ts';
import { nodesPackageDir } from './paths.ts';
import { freePort } from './ports.ts';
import type { SandboxAdmin } from './sandboxAdmin.ts';
import { startSandboxThread } from './sandboxThread.ts';
import { startTestServices } from './testServices.ts';

/** A fresh n8n with the built nodes and working credentials, and a sandbox bank, both on free ports. */
export interface Testbed {
	/** The main process, in queue mode. */
	readonly n8n: N8nInstance;
	/** In queue mode: the processes that receive webhooks, and those that run workflows. */
	receivers: N8nInstance[];
	workers: N8nInstance[];
	/** Base URL of n8n's webhooks. */
	webhookUrl: string;
	sandbox: SandboxAdmin;
	login: Login;
	/** Signed in as the owner. */
	rest: N8nRest;
	/** Restarts n8n; in queue mode only the main process. */
	restartN8n(): Promise<void>;
	/** Restarts a worker and replaces it in the list. */
	restartWorker(worker: N8nInstance): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts an expression engine only when one is needed. By default n8n starts one for every execution, which takes a
 * tenth of a second.
 */
export const lazyEngine = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const builtNodes: NodePackage = { name: 'n8n-nodes-bank', dir: nodesPackageDir };

export interface TestbedOptions {
	workflows?: WorkflowFile[];
	/** Default: those for the sandbox bank. */
	credentials?: CredentialToImport[];
	/** Packages in addition to the nodes. */
	packages?: NodePackage[];
	/** Whether the testbed starts without the nodes, for tests that install them. */
	isBare?: boolean;
	/** Whether n8n serves its editor, for a browser or `N8nRest.nodeTypes`. */
	editor?: boolean;
	/** Overrides settings of n8n. */
	env?: Record<string, string>;
	/** See N8nSettings. */
	launch?: Launch | undefined;
	/** Queue mode with this many processes. The main process then neither receives webhooks nor runs workflows. */
	cluster?: { receivers: number; workers: number };
}

export async function startTestbed(options: TestbedOptions = {}): Promise<Testbed> {
	const { workflows = [], packages = [], isBare = false, editor = false, env = {}, launch, cluster } = options;
	takeChildrenAlongOnSignals();
	if (launch === undefined) await ensureN8nInstalled();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-'));
	const opened: Array<() => Promise<unknown>> = [() => rm(folder, { recursive: true, force: true })];
	const stop = async () => {
		for (const close of opened.splice(0).reverse()) await close();
	};
	try {
		const port = await freePort();
		const receiverPorts = await freePorts(cluster?.receivers ?? 0);
		const webhookUrl = `http://127.0.0.1:${receiverPorts[0] ?? port}`;
		const bank = await startSandboxThread({ port: 0, n8nUrl: webhookUrl });
		opened.push(() => bank.stop());
		let shared = env;
		if (cluster) {
			const stores = await startTestServices();
			opened.push(() => stores.stop());
			// So that workers also run manual executions.
			shared = {
				...stores.env,
				N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
				OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
				N8N_WEBHOOK_URL: webhookUrl,
				...env,
			};
		}
		const settings: N8nSettings = {
			userFolder: join(folder, 'main'),
			port,
			encryptionKey: secret(),
			packages: [...(isBare ? [] : [builtNodes]), ...packages],
			editor,
			env: shared,
			...(launch && { launch }),
		};
		const sandbox = bank.admin;
		await importCredentials(
			settings,
			options.credentials ?? [...(await demoCredentials(sandbox)), ...otherDemoCredentials(sandbox)],
		);
		let n8n = await startN8n(settings);
		opened.push(() => n8n.stop());

		const member = async (name: string, memberPort: number, command: string[]) => {
			const health = { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(memberPort) };
			const instance = await startN8n({
				...settings,
				userFolder: join(folder, name),
				port: memberPort,
				command,
				env: { ...shared, ...health },
			});
			opened.push(() => instance.stop());
			return instance;
		};
		const workerPorts = await freePorts(cluster?.workers ?? 0);
		const [receivers, workers] = await Promise.all([
			Promise.all(receiverPorts.map((each, index) => member(`receiver${index}`, each, ['webhook']))),
			Promise.all(workerPorts.map((each, index) => member(`worker${index}`, each, ['worker', '--concurrency=5']))),
		]);

		const rest = new N8nRest(n8n.url);
		const login = { email: 'owner@n8n-nodes-bank.example', password: `Test-1${secret()}` };
		await rest.setUpOwner(login);
		for (const workflow of workflows) await rest.createWorkflow(workflow);
		return {
			get n8n() {
				return n8n;
			},
			receivers,
			workers,
			webhookUrl,
			sandbox,
			login,
			rest,
			async restartWorker(worker) {
				await worker.stop();
				const again = await startN8n(worker.settings);
				opened.push(() => again.stop());
				workers[workers.indexOf(worker)] = again;
			},
			async restartN8n() {
				await n8n.stop();
				n8n = await startN8n(settings);
				await rest.login(login);
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort));

function secret() {
	return randomBytes(16).toString('hex');
}
