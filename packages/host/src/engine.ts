/**
 * n8n's execution engine and credential handling in this process, with the package loaded as n8n loads it. Without database and
 * server a run takes milliseconds; n8n's stored state lasts for a run and its retries. For tests of the interaction between node and
 * engine: continue on fail, Retry On Fail, token refresh, cancellation, stored executions. n8n has one service container per process,
 * so engines of a process share its encryption key.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { parse, stringify } from 'flatted';
import type {
	ExecutionError,
	ExecutionStatus,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IPinData,
	IRun,
	IRunData,
	IRunExecutionData,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
	WorkflowParameters,
} from 'n8n-workflow';

import { InlineWorkflowRunner } from '../../fixtures/src/processedDataStore.ts';
import { n8nDir } from './paths.ts';

type Inline = Parameters<InlineWorkflowRunner['run']>[0];
type Items = Parameters<InlineWorkflowRunner['run']>[1];

export interface EngineOptions {
	/** Folder of a package with `package.json` and `dist`, as n8n would install it. */
	packageDir: string;
	/** Stored credentials by type, one of each. */
	credentials?: Record<string, ICredentialDataDecryptedObject>;
}

/** A node after the start node, with any setting that n8n stores for a node. */
export interface NodeRunOptions extends Partial<Omit<INode, 'name' | 'type' | 'parameters' | 'credentials'>> {
	/** For example `n8n-nodes-bank.bank`. */
	type: string;
	parameters?: INodeParameters;
	/** Types of the stored credentials to attach. Default: all. */
	credentials?: string[];
	/** What the start node emits. Default: one empty item. */
	items?: Array<IDataObject | INodeExecutionData>;
	/** How often the node runs with these items, as in a loop. Default: once. */
	rounds?: number;
	/** Stops the execution, like the stop button. */
	signal?: AbortSignal;
}

export interface RunResult {
	status: ExecutionStatus;
	/** The error that stopped the execution. n8n also sets it, and status `error`, if the last node threw but may continue. */
	error?: ExecutionError;
	/** Outputs of the node's last run: success items, error items. */
	outputs: [INodeExecutionData[], INodeExecutionData[], ...INodeExecutionData[][]];
	runData: IRunData;
	/** The execution as n8n stores it in its database. */
	stored: string;
	/** Continues with the failed node in mode `retry`, as "Retry execution" does. */
	retry(): Promise<RunResult>;
}

export interface Engine {
	run(options: NodeRunOptions): Promise<RunResult>;
	/** The stored credential in its current state, decrypted; contains tokens that were fetched or renewed. */
	credential(type: string): Promise<ICredentialDataDecryptedObject>;
	/** Replaces the stored credential, as if the user had edited it. */
	setCredential(type: string, data: ICredentialDataDecryptedObject): Promise<void>;
	/** Removes the temporary folder. */
	close(): Promise<void>;
}

/** Whether n8n is installed. It is not part of the workspace; `npm start` installs it. */
export const n8nIsInstalled = (): boolean => existsSync(path.join(n8nDir, 'package.json'));

export async function createEngine(options: EngineOptions): Promise<Engine> {
	if (!n8nIsInstalled()) throw new Error(`n8n is not installed in ${n8nDir}: run "npm start" once`);
	const home = await mkdtemp(path.join(tmpdir(), 'n8n-engine-'));
	const n8n = await loadN8n(home);
	const loader = await loadPackage(n8n, options.packageDir, home);
	const store = credentialStore(n8n);
	for (const [type, data] of Object.entries(options.credentials ?? {})) await store.write(type, data);
	const credentialsHelper = n8n.credentialsHelper(credentialTypes(n8n, loader), store.repository);
	let executions = 0;

	/** @param data of the execution to retry */
	async function execute(
		plan: Plan,
		remembered: InlineWorkflowRunner,
		signal?: AbortSignal,
		data?: IRunExecutionData,
	): Promise<RunResult> {
		const mode = data === undefined ? 'manual' : 'retry';
		const workflow = new n8n.workflow.Workflow({ ...plan.workflow, nodeTypes: knownNodeTypes(n8n, loader) });
		const executionId = String(++executions);
		const hooks = new n8n.core.ExecutionLifecycleHooks(mode, executionId, plan.workflow);
		const additionalData = {
			restApiUrl: `${origin}rest`,
			webhookWaitingBaseUrl: `${origin}webhook-waiting`,
			formWaitingBaseUrl: `${origin}form-waiting`,
			executionId,
			hooks,
			credentialsHelper,
			currentNodeExecutionIndex: 0,
			variables: {},
			logAiEvent: () => {},
			executeWorkflow: async ({ code }: { code: Inline }, _: unknown, { inputData = [] }: { inputData?: Items }) => ({
				executionId,
				data: await remembered.run(code, inputData),
			}),
		};
		const engine = new n8n.core.WorkflowExecute(
			additionalData as unknown as IWorkflowExecuteAdditionalData,
			mode,
			data,
		);
		const execution = data
			? engine.processRunExecutionData(workflow)
			: engine.run({ workflow, pinData: { Start: plan.items } });
		const stop = () => execution.cancel();
		signal?.addEventListener('abort', stop, { once: true });
		try {
			const result = await execution;
			return report(plan, result, remembered);
		} finally {
			signal?.removeEventListener('abort', stop);
			await workflow.expression.releaseIsolate?.();
		}
	}

	function report(plan: Plan, { status, data }: IRun, remembered: InlineWorkflowRunner): RunResult {
		const { error, runData } = data.resultData;
		const main = (runData['Node']?.at(-1)?.data?.['main'] ?? []).map((items) => items ?? []);
		const stored = stringify(data);
		return {
			status,
			error,
			outputs: [main[0] ?? [], main[1] ?? [], ...main.slice(2)],
			runData,
			stored,
			retry() {
				// n8n's execution.service.js drops the failed run in the same way. The node is still on the execution stack.
				const again = parse(stored) as IRunExecutionData;
				delete again.resultData.error;
				const runs = again.resultData.runData[again.resultData.lastNodeExecuted ?? ''];
				if (runs?.at(-1)?.error !== undefined) runs.pop();
				return execute(plan, remembered, undefined, again);
			},
		};
	}

	return {
		run: (run) => execute(planOf(run, store.types()), new InlineWorkflowRunner(), run.signal),
		credential: (type) => store.read(type),
		setCredential: (type, data) => store.write(type, data),
		close: () => rm(home, { recursive: true, force: true }),
	};
}

/** The engine only needs a valid URL. */
const origin = 'http://n8n.invalid/';

// --- what is run

interface Plan {
	workflow: Omit<WorkflowParameters, 'nodeTypes'>;
	items: INodeExecutionData[];
}

function planOf(
	{ items = [{}], rounds = 1, credentials, signal: _, ...settings }: NodeRunOptions,
	stored: string[],
): Plan {
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node: INode = {
		id: 'node',
		name: 'Node',
		typeVersion: 1,
		position: [200, 0],
		parameters: {},
		...settings,
		credentials: Object.fromEntries((credentials ?? stored).map((type) => [type, { id: type, name: type }])),
	};
	const toNode = Array.from({ length: rounds }, () => ({ node: 'Node', type: 'main' as const, index: 0 }));
	return {
		workflow: {
			id: 'workflow',
			name: 'Workflow',
			active: false,
			nodes: [start, node],
			connections: { Start: { main: [toNode] } },
			settings: { executionOrder: 'v1' },
		},
		items: items.map((item) => (isItem(item) ? item : { json: item })),
	};
}

const isItem = (item: IDataObject | INodeExecutionData): item is INodeExecutionData =>
	typeof item['json'] === 'object' && Object.keys(item).every((key) => ['json', 'binary', 'pairedItem'].includes(key));

// --- the package

/**
 * Copies the package next to n8n's own n8n-workflow, as in a real install, so that error classes and constants are the same objects.
 */
async function loadPackage(n8n: N8n, packageDir: string, home: string): Promise<Loader> {
	const { name } = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')) as { name: string };
	const modules = path.join(home, '.n8n/nodes/node_modules');
	for (const part of ['package.json', 'dist'])
		await cp(path.join(packageDir, part), path.join(modules, name, part), { recursive: true });
	await symlink(n8n.workflowDir, path.join(modules, 'n8n-workflow'), 'junction');
	const loader = new n8n.core.LazyPackageDirectoryLoader(path.join(modules, name));
	await loader.loadAll();
	return loader;
}

function knownNodeTypes(n8n: N8n, loader: Loader): INodeTypes {
	const getByName = (type: string) => {
		const prefix = `${loader.packageName}.`;
		if (type.startsWith(prefix)) return loader.getNode(type.slice(prefix.length)).type;
		return n8n.ownNode(type);
	};
	return {
		getByName,
		getByNameAndVersion: (type, version) => n8n.workflow.NodeHelpers.getVersionedNodeType(getByName(type), version),
		getKnownTypes: () => ({}),
	};
}

// --- credentials

/** The part of n8n's `LoadNodesAndCredentials` that its `CredentialTypes` needs. */
function credentialTypes(n8n: N8n, loader: Loader) {
	const loaded = new Map<string, ICredentialType>();
	const known = Object.entries(loader.known.credentials).map(([name, { extends: parents, supportedNodes }]) => [
		name,
		{ extends: parents, supportedNodes: supportedNodes?.map((node) => `${loader.packageName}.${node}`) },
	]);
	return new n8n.CredentialTypes({
		loadedCredentials: {},
		knownCredentials: { oAuth2Api: {}, ...(Object.fromEntries(known) as object) },
		getCredential(name: string) {
			const type = loaded.get(name) ?? (name === 'oAuth2Api' ? n8n.oAuth2Api() : loader.getCredential(name).type);
			if (!loaded.has(name)) type.properties = n8n.workflow.injectDomainRestrictionFields(type);
			loaded.set(name, type);
			return { type };
		},
	});
}

/** A credentials table, encrypted as in n8n's database. */
function credentialStore(n8n: N8n) {
	const rows = new Map<
		string,
		{ id: string; name: string; type: string; data: string; usageScope: string; isResolvable: boolean }
	>();
	const find = (type: string) => {
		const row = rows.get(type);
		if (!row) throw new Error(`the engine has no credential of type ${type}`);
		return row;
	};
	return {
		types: () => [...rows.keys()],
		read: (type: string) => new n8n.core.Credentials({ id: type, name: type }, type, find(type).data).getData(),
		async write(type: string, data: ICredentialDataDecryptedObject) {
			const credentials = new n8n.core.Credentials({ id: type, name: type }, type);
			await credentials.setData(data);
			rows.set(type, {
				id: type,
				name: type,
				type,
				data: credentials.getDataToSave().data,
				usageScope: 'project',
				isResolvable: false,
			});
		},
		repository: {
			findOneByOrFail: async ({ type }: { type: string }) => ({ ...find(type) }),
			update: async ({ type }: { type: string }, { data }: { data: string }) =>
				void Object.assign(find(type), { data }),
		},
	};
}

// --- n8n

/** The parts of n8n's classes that are used here. Their types are not in the workspace. */
interface Loader {
	packageName: string;
	known: { credentials: Record<string, { extends?: string[]; supportedNodes?: string[] }> };
	loadAll(): Promise<void>;
	getNode(name: string): { type: INodeType | IVersionedNodeType };
	getCredential(name: string): { type: ICredentialType };
}

interface StoredCredentials {
	getData(): Promise<ICredentialDataDecryptedObject>;
	setData(data: ICredentialDataDecryptedObject): Promise<void>;
	getDataToSave(): { data: string };
}

interface Execution extends Promise<IRun> {
	cancel(): void;
}

interface Core {
	LazyPackageDirectoryLoader: new (dir: string) => Loader;
	Cipher: new (...parts: never[]) => { encryptDEKWithInstanceKey(key: string): string };
	EncryptionKeyProxy: new () => { setProvider(provider: object): void };
	Credentials: new (details: { id: string; name: string }, type: string, data?: string) => StoredCredentials;
	ExecutionLifecycleHooks: new (mode: WorkflowExecuteMode, executionId: string, workflow: object) => object;
	WorkflowExecute: new (
		additionalData: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
		data?: IRunExecutionData,
	) => {
		run(options: { workflow: Workflow; pinData: IPinData }): Execution;
		processRunExecutionData(workflow: Workflow): Execution;
	};
}

interface Container {
	get<T>(service: new (...parts: never[]) => T): T;
}

type N8n = Awaited<ReturnType<typeof loadN8n>>;

async function loadN8n(home: string) {
	// n8n reads these variables when its first service starts. Without the first one, it writes to the home folder.
	process.env['N8N_USER_FOLDER'] ??= home;
	process.env['N8N_ENCRYPTION_KEY'] ??= 'only for tests';
	process.env['NODE_ENV'] ??= 'test';
	// At other log levels n8n prints the stack of every failure that a test provokes.
	process.env['N8N_LOG_LEVEL'] ??= 'silent';
	await mkdir(path.join(home, '.n8n'), { recursive: true });

	const require = createRequire(path.join(await realpath(n8nDir), 'package.json'));
	require('reflect-metadata');
	const core = require('n8n-core') as Core;
	giveKey(core, (require('@n8n/di') as { Container: Container }).Container);
	const workflowFile = require.resolve('n8n-workflow');
	const { CredentialsHelper } = require('./dist/credentials-helper.js') as {
		CredentialsHelper: new (...parts: unknown[]) => object;
	};
	const { CredentialTypes } = require('./dist/credential-types.js') as {
		CredentialTypes: new (loader: object) => object;
	};
	const { DynamicCredentialsProxy } = require('./dist/credentials/dynamic-credentials-proxy.js') as {
		DynamicCredentialsProxy: new () => object;
	};
	return {
		core,
		workflow: require('n8n-workflow') as typeof import('n8n-workflow'),
		workflowDir: workflowFile.slice(0, workflowFile.lastIndexOf(`${path.sep}dist${path.sep}`)),
		CredentialTypes,
		oAuth2Api() {
			const file = 'n8n-nodes-base/dist/credentials/OAuth2Api.credentials.js';
			return new (require(file) as { OAuth2Api: new () => ICredentialType }).OAuth2Api();
		},
		/** One of n8n's own nodes, such as `n8n-nodes-base.httpRequest`. */
		ownNode(type: string) {
			const name = type.slice(type.indexOf('.') + 1);
			const known = require('n8n-nodes-base/dist/known/nodes.json') as Record<
				string,
				Record<'className' | 'sourcePath', string>
			>;
			const { className, sourcePath } = known[name] ?? {};
			if (className === undefined) throw new Error(`${type} is not a node of n8n`);
			const file = require(`n8n-nodes-base/${sourcePath}`) as Record<string, new () => INodeType | IVersionedNodeType>;
			const NodeClass = file[className];
			if (NodeClass === undefined) throw new Error(`${type} is not a node of n8n`);
			return new NodeClass();
		},
		/**
		 * n8n's credential helper, without the features that need a license or a server: overwrites, secret stores,
		 * policies, AI credits.
		 */
		credentialsHelper: (types: object, repository: object) =>
			new CredentialsHelper(
				types,
				{ applyOverwrite: (_type: string, data: object) => data },
				repository,
				new DynamicCredentialsProxy(),
				{},
				{ isExternalSecretsLicensed: () => false },
				{},
				{},
				{ enforceCredentialDecrypt: async () => {} },
			),
	};
}

/** Sets the encryption key of credentials, which a server stores in its database. */
function giveKey(core: Core, container: Container) {
	const key = {
		id: 'test',
		algorithm: 'aes-256-gcm',
		value: container.get(core.Cipher).encryptDEKWithInstanceKey('0'.repeat(64)),
	};
	const always = async () => key;
	container
		.get(core.EncryptionKeyProxy)
		.setProvider({ getActiveKey: always, getKeyById: always, getLegacyKey: always });
}
