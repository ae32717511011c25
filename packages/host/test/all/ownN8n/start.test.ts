import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyWorkspace } from '../../../../fixtures/src/workspaceCopy.ts';
import { readExamples } from '../../../src/examples.ts';
import type { WorkflowFile } from '../../../src/n8nCli.ts';
import { listen } from '../../../src/listen.ts';
import { type Login, N8nRest } from '../../../src/n8nRest.ts';
import { OwnedProcess } from '../../../src/ownedProcess.ts';
import { n8nInstallDir, repoDir } from '../../../src/paths.ts';
import { pollUntil } from '../../../src/poll.ts';
import { freePort } from '../../../src/ports.ts';

let stateDir: string;
let port: number;
let sandboxPort: number;
let sandboxTlsPort: number;
const started: Demo[] = [];

const has = ({ nodes }: WorkflowFile, field: 'type' | 'name', value: string): boolean =>
	nodes.some((node) => node[field] === value);

/** Whether the example sends payments; the nodes that do have such names in the examples. */
const pays = (workflow: WorkflowFile): boolean => has(workflow, 'name', 'Pay');

/** The examples that a click runs to their end. The others wait for a user or the bank (triggers.test.ts). */
const clickable = readExamples()
	.map(({ workflow }) => workflow)
	.filter((workflow) => {
		const waits = ['n8n-nodes-base.wait', 'n8n-nodes-base.form', '@n8n/n8n-nodes-langchain.chatHitlTool'];
		return has(workflow, 'type', 'n8n-nodes-base.manualTrigger') && !waits.some((type) => has(workflow, 'type', type));
	});
const [changed, deleted] = clickable as [WorkflowFile, WorkflowFile];

beforeAll(async () => {
	stateDir = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-demo-'));
	port = await freePort();
	sandboxPort = await freePort();
	sandboxTlsPort = await freePort();
});

afterAll(async () => {
	for (const demo of started) await demo.stop('SIGTERM');
	await rm(stateDir, { recursive: true, force: true });
});

describe('before anything is started', () => {
	test.each(['--port', '--sandbox-port', '--sandbox-tls-port'])(
		'a taken port is named, with the option that chooses another: %s',
		async (option) => {
			const server = createServer();
			const taken = await listen(server);
			const demo = start([option, String(taken)]);
			expect(await demo.exit).toBe(1);
			expect(demo.output()).toContain(`port ${taken} is taken`);
			expect(demo.output()).toContain(`npm start -- ${option} ${taken + 1}`);
			await new Promise((resolve) => server.close(resolve));
		},
	);

	test.each([
		['--prot', '5680'],
		['--port', 'five'],
	])('an invalid option is refused: %s %s', async (...options) => {
		const demo = start(options);
		expect(await demo.exit).toBe(1);
		expect(demo.output()).toMatch(/--port( +<number>| wants a port number)/);
	});
});

// The following tests use two starts of one demo, in this order.
let login: Login;

describe('a first start', () => {
	let demo: Demo;

	beforeAll(async () => {
		demo = start([], [join(repoDir, 'tools/run.mjs'), 'start']);
		await demo.prints('Ctrl-C stops both.');
		const [, email = ''] = /e-mail\s+(\S+)/.exec(demo.output()) ?? [];
		const [, password = ''] = /password\s+(\S+)/.exec(demo.output()) ?? [];
		login = { email, password };
	});

	test('prints the addresses of n8n, the sandbox and every example', async () => {
		expect(demo.output()).toMatch(new RegExp(`n8n +http://127.0.0.1:${port}\\n`));
		expect(demo.output()).toMatch(new RegExp(`Sandbox console +http://127.0.0.1:${sandboxPort} `));
		expect(demo.output()).toMatch(new RegExp(`mutual TLS +https://\\S+:${sandboxTlsPort}\\n`));
		for (const { workflow } of readExamples()) expect(demo.output()).toContain(`${workflow.name} `);
		for (const { workflow } of readExamples())
			expect(demo.output()).toContain(`http://127.0.0.1:${port}/workflow/${workflow.id}`);
		expect((await fetch(`http://127.0.0.1:${sandboxPort}/`)).status).toBe(200);
	});

	test('accepts the printed login, and the examples run', async () => {
		const rest = await signIn(login);
		const examples = readExamples();
		expect([...(await rest.workflowIds())].sort()).toEqual(examples.map(({ workflow }) => workflow.id).sort());
		// What each example does: main/examples.test.ts.
		for (const workflow of new Set([...oneForEachCredential(clickable), ...clickable.filter(pays)]))
			expect([workflow.name, (await rest.runToEnd(workflow.id)).status]).toEqual([workflow.name, 'success']);

		// For the test of the next start.
		await rest.request('PATCH', `/rest/workflows/${changed.id}`, { name: 'My own name' });
		await rest.request('POST', `/rest/workflows/${deleted.id}/archive`, {});
		await rest.request('DELETE', `/rest/workflows/${deleted.id}`);
	});

	test('ends with code 0 on Ctrl-C and leaves no process behind', async () => {
		const family = demo.family();
		// run.mjs, start.ts, n8n and n8n's task runner.
		expect(family.length).toBeGreaterThanOrEqual(4);
		expect(await demo.stop('SIGINT')).toBe(0);
		// The system removes ended processes a moment later.
		expect(await pollUntil(async () => !family.some(isAlive), { what: 'The end of all processes' })).toBe(true);
	});
});

describe('a later start, with the sources watched, as npm run dev has it', () => {
	// The test edits a copy of the sources, not the repository.
	let copy: string;
	let demo: Demo;
	let rest: N8nRest;

	const checks = 'packages/n8n-nodes-bank/nodes/BankChecks/BankChecks.node.ts';
	const definition = 'packages/core/src/operations/statement/orderAccount.ts';

	beforeAll(async () => {
		copy = await realpath(await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-sources-')));
		copyWorkspace(copy);
		await symlink(join(n8nInstallDir, 'node_modules'), join(copy, 'packages/host/n8n/node_modules'), 'junction');
		execFileSync(process.execPath, [join(copy, 'packages/n8n-nodes-bank/build.mjs')]);
		demo = start(['--watch'], [join(copy, script)]);
		await demo.prints('as it stands: nothing new for n8n');
		rest = await signIn(login);
	});

	afterAll(async () => {
		await demo.stop('SIGTERM');
		await rm(copy, { recursive: true, force: true });
	});

	test('keeps what the user has changed', async () => {
		expect((await rest.getWorkflow(changed.id)).name).toBe('My own name');
	});

	test('brings back an example that the user has deleted', async () => {
		expect((await rest.getWorkflow(deleted.id)).name).toBe(deleted.name);
	});

	test('has credentials that the new sandbox takes', async () => {
		for (const workflow of oneForEachCredential(clickable.filter((one) => !pays(one))))
			expect([workflow.name, (await rest.runToEnd(workflow.id)).status]).toEqual([workflow.name, 'success']);
	});

	test('pays nobody again who was paid in the first start', async () => {
		const payouts = clickable.filter(pays);
		expect(payouts.length).toBeGreaterThan(1);
		for (const { id } of payouts) {
			const { data } = await rest.runToEnd(id);
			expect(JSON.stringify(data)).toContain('alreadyAccepted');
		}
	});

	test('a changed label of a node is served', async () => {
		await edit(checks, "displayName: 'Bank Checks'", "displayName: 'Bank Checks, renamed'");
		expect(await isServed('"displayName":"Bank Checks, renamed"')).toBe(true);
	});

	test('a changed name in a definition is served, through the form that is generated from it', async () => {
		await edit(definition, "name: 'Order Account Statement'", "name: 'Order Account Statement, renamed'");
		expect(await isServed('"name":"Order Account Statement, renamed"')).toBe(true);
		await demo.prints(/generated .*Bank\/descriptions\/generated\/operationFields\.ts/);
	});

	test('a failed build is reported, and n8n keeps the previous nodes', async () => {
		await edit(checks, "displayName: 'Bank Checks, renamed'", "displayName: 'Bank Checks, broken'; const");
		await demo.prints(/BankChecks\.node\.ts:.*\[PARSE_ERROR\]/s);
		await demo.prints('What was built before stays in use.');
		expect(await isServed('"displayName":"Bank Checks, renamed"')).toBe(true);
	});

	test('ends with code 0 on SIGTERM', async () => {
		expect(await demo.stop('SIGTERM')).toBe(0);
	});

	async function edit(file: string, from: string, to: string) {
		const text = await readFile(join(copy, file), 'utf8');
		const changed = text.replace(from, to);
		if (changed === text) throw new Error(`${file} does not contain ${from}.`);
		await writeFile(join(copy, file), changed);
	}

	/** n8n writes the file in place, so a reader may see an incomplete file. */
	async function isServed(text: string): Promise<boolean> {
		const types = async () =>
			await rest.nodeTypes().catch((error: Error) => {
				if (error instanceof SyntaxError) return [];
				throw error;
			});
		return await pollUntil(async () => JSON.stringify(await types()).includes(text), {
			what: `n8n serving ${text}`,
			detail: () => demo.output(),
		});
	}
});

/** For each credential, the shortest workflow that uses it. */
function oneForEachCredential(workflows: WorkflowFile[]): Set<WorkflowFile> {
	const found = new Map<string, WorkflowFile>();
	for (const workflow of workflows.toSorted((one, other) => one.nodes.length - other.nodes.length))
		for (const { name } of workflow.nodes.flatMap(({ credentials }) => Object.values(credentials ?? {})))
			if (!found.has(name)) found.set(name, workflow);
	return new Set(found.values());
}

async function signIn(login: Login): Promise<N8nRest> {
	const rest = new N8nRest(`http://127.0.0.1:${port}`);
	await rest.login(login);
	return rest;
}

const script = 'packages/host/src/start.ts';

/** Starts the demo; of an option that occurs twice, the later one applies. By default without the build that `npm start` does first. */
function start(options: string[], program = [join(repoDir, script)]): Demo {
	const ports = ['--port', port, '--sandbox-port', sandboxPort, '--sandbox-tls-port', sandboxTlsPort].map(String);
	const demo = new Demo([...program, ...ports, '--state-dir', stateDir, ...options]);
	started.push(demo);
	return demo;
}

class Demo {
	readonly exit: Promise<number | null>;
	private readonly started: OwnedProcess;

	constructor(args: string[]) {
		const env = Object.fromEntries(
			Object.entries(process.env).filter(([name]) => !/^(JEST_|NODE_ENV$|npm_)/.test(name)),
		);
		this.started = new OwnedProcess({ command: process.execPath, args, cwd: repoDir, env });
		this.exit = this.started.exit.then(({ code }) => code);
	}

	output(): string {
		return this.started.logTail(400);
	}

	async prints(text: string | RegExp): Promise<void> {
		const isPrinted = async () => (typeof text === 'string' ? this.output().includes(text) : text.test(this.output()));
		await this.started.until(`"${text}" in the output`, isPrinted, { detail: () => this.output() });
	}

	async stop(signal: NodeJS.Signals): Promise<number | null> {
		if (!this.started.exited) this.started.child.kill(signal);
		return await this.exit;
	}

	/** The IDs of the process and of all its descendants. */
	family(): number[] {
		const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
			.trim()
			.split('\n')
			.map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
		const found = [this.started.child.pid ?? 0];
		for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
		return found;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
