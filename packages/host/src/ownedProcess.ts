import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { pollUntil, type PollOptions } from './poll.ts';

const windows = process.platform === 'win32';

export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

export interface OwnedProcessOptions {
	command: string;
	args: string[];
	cwd?: string;
	/** User to run as, if not the current one. */
	uid?: number;
	gid?: number;
	env: NodeJS.ProcessEnv;
	/** File for all output; the last lines are kept in memory in any case. */
	logFile?: string;
}

const running = new Set<OwnedProcess>();
let listening = false;
const killAll = () => {
	for (const owned of running) owned.killGroup();
};
// If this process ends without stopping its children, kill them.
process.once('exit', killAll);

/**
 * Stops the children also on signals that end this process without an exit event. For programs without signal handlers,
 * such as an interrupted test run.
 */
export function takeChildrenAlongOnSignals(): void {
	if (listening) return;
	listening = true;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => {
			killAll();
			process.kill(process.pid, signal);
		});
	}
}

/**
 * A child process in its own process group, because n8n starts further processes. It does not outlive this process. The group also
 * shields it from Ctrl-C in the terminal, so that it is stopped in order.
 */
export class OwnedProcess {
	readonly child: ChildProcess;
	readonly exit: Promise<Exit>;
	exited: Exit | undefined;
	private readonly lines: string[] = [];

	constructor(options: OwnedProcessOptions) {
		this.child = spawn(options.command, options.args, {
			cwd: options.cwd,
			uid: options.uid,
			gid: options.gid,
			env: options.env,
			detached: !windows,
			windowsHide: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const file = options.logFile ? createWriteStream(options.logFile, { flags: 'a' }) : undefined;
		for (const stream of [this.child.stdout, this.child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				this.remember(text);
				file?.write(text);
			});
		}
		running.add(this);
		this.exit = new Promise((resolve) => {
			this.child.once('error', (error) => {
				this.remember(`${error.message}\n`);
				resolve({ code: 1, signal: null });
			});
			this.child.once('close', (code, signal) => resolve({ code, signal }));
		});
		void this.exit.then((exit) => {
			this.exited = exit;
			running.delete(this);
			file?.end();
		});
	}

	/** The last lines of its output. */
	logTail(count = 40): string {
		return this.lines.slice(-count).join('\n').trim();
	}

	/** Polls until the process has done something. Fails with the end of its output if it ends before that. */
	async until(what: string, ask: () => Promise<unknown>, options: Partial<PollOptions> = {}): Promise<void> {
		const askRunning = async () => {
			if (this.exited) throw new Error(`${what} did not happen, because the process ended:\n${this.logTail()}`);
			return await ask();
		};
		await pollUntil(askRunning, { what, detail: () => this.logTail(), ...options });
	}

	/** Asks the process to stop, kills it after the grace period, and kills remaining processes of its group. */
	async stop(graceMs = 15_000): Promise<Exit> {
		const insist = setTimeout(() => this.killGroup(), graceMs);
		if (!this.exited) this.child.kill('SIGTERM');
		const exit = await this.exit;
		clearTimeout(insist);
		this.killGroup();
		return exit;
	}

	/** Kills the group immediately. */
	killGroup(): void {
		const { pid } = this.child;
		if (pid === undefined) return;
		try {
			if (!windows) process.kill(-pid, 'SIGKILL');
			else if (!this.exited) execFileSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
		} catch {
			// The group has already ended.
		}
	}

	private remember(text: string) {
		// A line may arrive in parts. The last part, which may be incomplete, is kept for the next call.
		const [first = '', ...rest] = text.split('\n');
		this.lines.push((this.lines.pop() ?? '') + first, ...rest);
		if (this.lines.length > 500) this.lines.splice(0, this.lines.length - 400);
	}
}
