import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExamples } from '../../src/examples.ts';
import { N8nRest } from '../../src/n8nRest.ts';
import { repoDir } from '../../src/paths.ts';
import { pollUntil } from '../../src/poll.ts';
import { freePort } from '../../src/ports.ts';

let stateDir: string;
let port: number;
let sandboxPort: number;
let running: Demo | undefined;

beforeAll(async () => {
	stateDir = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-demo-'));
	port = await freePort();
	sandboxPort = await freePort();
});

afterEach(() => running?.stop('SIGTERM'));

afterAll(() => rm(stateDir, { recursive: true, force: true }));

test('brings up n8n, the sandbox, the login and the examples, and leaves nothing behind on Ctrl-C', async () => {
	const demo = start();
	await demo.prints('Ctrl-C stops both.');

	const block = demo.output();
	expect(block).toContain(`http://127.0.0.1:${port}`);
	expect(block).toContain(`http://127.0.0.1:${sandboxPort}`);
	const [, email = ''] = /e-mail\s+(\S+)/.exec(block) ?? [];
	const [, password = ''] = /password\s+(\S+)/.exec(block) ?? [];

	const rest = new N8nRest(`http://127.0.0.1:${port}`);
	await rest.login({ email, password });
	const examples = await readExamples();
	expect([...(await rest.workflowIds())].sort()).toEqual(examples.map(({ workflow }) => workflow.id).sort());
	for (const { workflow } of examples) expect(block).toContain(`http://127.0.0.1:${port}/workflow/${workflow.id}`);
	expect((await fetch(`http://127.0.0.1:${sandboxPort}/`)).status).toBe(200);

	const family = demo.family();
	expect(await demo.stop('SIGINT')).toBe(0);
	expect(family.length).toBeGreaterThan(2);
	expect(family.filter(isAlive)).toEqual([]);
});

test('a second start keeps what the user has changed and brings back what is missing', async () => {
	const settled = start();
	await settled.prints('Ctrl-C stops both.');
	const login = JSON.parse(await readFile(join(stateDir, 'secrets.json'), 'utf8')).owner;
	const rest = new N8nRest(`http://127.0.0.1:${port}`);
	await rest.login(login);
	const [changed, deleted] = (await readExamples()).map(({ workflow }) => workflow);
	if (!changed || !deleted) throw new Error('Two examples are needed for this test.');
	await rest.request('PATCH', `/rest/workflows/${changed.id}`, { name: 'My own name' });
	await rest.request('POST', `/rest/workflows/${deleted.id}/archive`, {});
	await rest.request('DELETE', `/rest/workflows/${deleted.id}`);
	expect(await settled.stop('SIGTERM')).toBe(0);

	const again = start();
	await again.prints('Ctrl-C stops both.');
	await rest.login(login);
	expect((await rest.getWorkflow(changed.id)).name).toBe('My own name');
	expect((await rest.getWorkflow(deleted.id)).name).toBe(deleted.name);
	expect(await again.stop('SIGINT')).toBe(0);
});

test.each(['--port', '--sandbox-port'])('names a taken port and the option that chooses another: %s', async (option) => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const taken = (server.address() as AddressInfo).port;
	const demo = start(option, String(taken));
	expect(await demo.exit).toBe(1);
	expect(demo.output()).toContain(`port ${taken} is taken`);
	expect(demo.output()).toContain(`npm start -- ${option} ${taken + 1}`);
	await new Promise((resolve) => server.close(resolve));
});

test('refuses to run twice on the same data', async () => {
	const first = start();
	await first.prints('Ctrl-C stops both.');
	const second = new Demo(['--port', String(await freePort()), '--sandbox-port', String(await freePort()), '--state-dir', stateDir]);
	expect(await second.exit).toBe(1);
	expect(second.output()).toContain('running already');
	expect(await first.stop('SIGINT')).toBe(0);
});

test('says what an option it does not know should have been', async () => {
	const demo = start('--prot', '5680');
	expect(await demo.exit).toBe(1);
	expect(demo.output()).toContain('--port <number>');
});

/** The demo as `npm start` starts it. A later option wins over an earlier one of the same name. */
function start(...options: string[]): Demo {
	running = new Demo(['--port', String(port), '--sandbox-port', String(sandboxPort), '--state-dir', stateDir, ...options]);
	return running;
}

class Demo {
	readonly exit: Promise<number | null>;
	private readonly child: ChildProcess;
	private readonly chunks: string[] = [];

	constructor(options: string[]) {
		const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(JEST_|NODE_ENV$|npm_)/.test(name)));
		this.child = spawn(process.execPath, [join(repoDir, 'tools/run.mjs'), 'start', ...options], { cwd: repoDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [this.child.stdout, this.child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => this.chunks.push(text));
		this.exit = new Promise((resolve) => this.child.once('close', resolve));
	}

	output(): string {
		return this.chunks.join('');
	}

	async prints(text: string): Promise<void> {
		await pollUntil(
			async () => {
				if (this.child.exitCode !== null) throw new Error(`It ended before it printed "${text}":\n${this.output()}`);
				return this.output().includes(text) || undefined;
			},
			{ what: `"${text}" in the output`, timeoutMs: 240_000, detail: () => this.output() },
		);
	}

	async stop(signal: NodeJS.Signals): Promise<number | null> {
		if (this.child.exitCode === null) this.child.kill(signal);
		return await this.exit;
	}

	/** The process and all it has started. */
	family(): number[] {
		const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
			.trim()
			.split('\n')
			.map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
		const found = [this.child.pid ?? 0];
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
