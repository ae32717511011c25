import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

const windows = process.platform === 'win32';

export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

export interface OwnedProcessOptions {
	command: string;
	args: string[];
	cwd?: string;
	/** Another user to run as. */
	uid?: number;
	gid?: number;
	env: NodeJS.ProcessEnv;
	/** Where all output goes too; the last lines are kept in memory in any case. */
	logFile?: string;
	/** Told every line when it is complete. */
	hear?: (line: string) => void;
}

const running = new Set<OwnedProcess>();
let listening = false;
const killAll = () => {
	for (const owned of running) owned.killGroup();
};
// The last resort when this process ends without having stopped its children.
process.once('exit', killAll);

/**
 * The same where a signal would end this process on the spot, without an exit event: for programs that do nothing about
 * signals themselves, such as a test run that is interrupted.
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
 * A child process with a process group of its own (n8n starts task runners of its own), which is gone when we are.
 * Its own group also keeps a Ctrl-C in the terminal away from it: we decide when it stops.
 */
export class OwnedProcess {
	readonly child: ChildProcess;
	readonly exit: Promise<Exit>;
	exited: Exit | undefined;
	private readonly lines: string[] = [];
	private readonly hear: ((line: string) => void) | undefined;

	constructor(options: OwnedProcessOptions) {
		this.hear = options.hear;
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

	/** The end of what the process has printed so far. */
	logTail(count = 40): string {
		return this.lines.slice(-count).join('\n').trim();
	}

	/** Asks it to stop, kills it after the grace period, and kills the processes that it leaves behind. */
	async stop(graceMs = 15_000): Promise<Exit> {
		const insist = setTimeout(() => this.killGroup(), graceMs);
		if (!this.exited) this.child.kill('SIGTERM');
		const exit = await this.exit;
		clearTimeout(insist);
		this.killGroup();
		return exit;
	}

	/** At once, without asking. */
	killGroup(): void {
		const { pid } = this.child;
		if (pid === undefined) return;
		try {
			if (!windows) process.kill(-pid, 'SIGKILL');
			else if (!this.exited) execFileSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
		} catch {
			// Nobody of the group is left, which is what was wanted.
		}
	}

	private remember(text: string) {
		// A line may arrive in pieces; the last, perhaps unfinished one is continued.
		const [first = '', ...rest] = text.split('\n');
		this.lines.push((this.lines.pop() ?? '') + first, ...rest);
		if (this.hear) for (const line of this.lines.slice(-rest.length - 1, -1)) this.hear(line);
		if (this.lines.length > 500) this.lines.splice(0, this.lines.length - 400);
	}
}
