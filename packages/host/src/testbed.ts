import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCredentials } from './demoCredentials.ts';
import { type WorkflowFile, importCredentials, importWorkflows } from './n8nCli.ts';
import { type N8nInstance, startN8n } from './n8nProcess.ts';
import { type Login, N8nRest } from './n8nRest.ts';
import { takeChildrenAlongOnSignals } from './ownedProcess.ts';
import { nodesPackageDir } from './paths.ts';
import { freePort } from './ports.ts';
import { type SandboxProcess, startSandboxProcess } from './sandboxProcess.ts';

/** A real n8n with the built nodes and working credentials, and a sandbox bank, both fresh and on free ports. */
export interface Testbed {
	readonly n8n: N8nInstance;
	sandbox: SandboxProcess;
	login: Login;
	/** Signed in as the owner. */
	rest: N8nRest;
	/** The same n8n in a new process. */
	restartN8n(): Promise<void>;
	stop(): Promise<void>;
}

export interface TestbedOptions {
	workflows?: WorkflowFile[];
	/** Laid over the settings of n8n. */
	env?: Record<string, string>;
}

export async function startTestbed({ workflows = [], env }: TestbedOptions = {}): Promise<Testbed> {
	takeChildrenAlongOnSignals();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-'));
	const opened: Array<() => Promise<unknown>> = [() => rm(folder, { recursive: true, force: true })];
	const stop = async () => {
		for (const close of opened.splice(0).reverse()) await close();
	};
	try {
		const port = await freePort();
		const sandbox = await startSandboxProcess(`http://127.0.0.1:${port}`);
		opened.push(() => sandbox.stop());
		const packages = [{ name: 'n8n-nodes-bank', dir: nodesPackageDir }];
		const settings = { userFolder: folder, port, encryptionKey: secret(), packages, env };
		await importCredentials(settings, await demoCredentials(sandbox.admin));
		await importWorkflows(settings, workflows);
		let n8n = await startN8n(settings);
		opened.push(() => n8n.stop());
		const rest = new N8nRest(n8n.url);
		const login = { email: 'owner@n8n-nodes-bank.example', password: `Test-1${secret()}` };
		await rest.setUpOwner(login);
		return {
			get n8n() {
				return n8n;
			},
			sandbox,
			login,
			rest,
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

function secret() {
	return randomBytes(16).toString('hex');
}
