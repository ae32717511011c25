import { join } from 'node:path';
import { OwnedProcess } from '../../src/ownedProcess.ts';
import { hostDir } from '../../src/paths.ts';
import { pollUntil } from '../../src/poll.ts';

const node = (script: string) =>
	new OwnedProcess({ command: process.execPath, args: ['-e', script], env: { ...process.env } });

const printed = (owned: OwnedProcess, text: string) =>
	owned.until(`"${text}" in the output`, async () => owned.logTail().includes(text));

const gone = (pid: number) =>
	pollUntil(
		async () => {
			try {
				process.kill(pid, 0);
				return false;
			} catch {
				return true;
			}
		},
		{ what: `The end of process ${pid}` },
	);

test('stop lets a process end by itself', async () => {
	const owned = node(
		`process.on('SIGTERM', () => { console.log('bye'); process.exit(3); }); setInterval(() => {}, 1000); console.log('up')`,
	);
	await printed(owned, 'up');
	expect(await owned.stop()).toEqual({ code: 3, signal: null });
	expect(owned.logTail()).toBe('up\nbye');
});

test('stop insists where a process does not listen', async () => {
	const owned = node(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`);
	await printed(owned, 'up');
	expect(await owned.stop(50)).toEqual({ code: null, signal: 'SIGKILL' });
});

test('stop takes along what the process has started', async () => {
	const owned = node(`
		const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
		process.on('SIGTERM', () => process.exit());
		console.log('child ' + child.pid);
	`);
	await printed(owned, 'child ');
	const pid = Number(/child (\d+)/.exec(owned.logTail())?.[1]);
	await owned.stop();
	expect(await gone(pid)).toBe(true);
});

test('a command that does not exist ends at once and says so', async () => {
	const owned = new OwnedProcess({ command: 'no-such-command-here', args: [], env: {} });
	expect((await owned.exit).code).toBe(1);
	expect(owned.logTail()).toContain('no-such-command-here');
	await expect(printed(owned, 'up')).rejects.toThrow(/the process ended:\n.*no-such-command-here/s);
});

test.each(['SIGINT', 'SIGTERM'] as const)('an interrupted program takes its children along: %s', async (signal) => {
	const program = `
		import { OwnedProcess, takeChildrenAlongOnSignals } from ${JSON.stringify(join(hostDir, 'src/ownedProcess.ts'))};
		takeChildrenAlongOnSignals();
		const owned = new OwnedProcess({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} });
		console.log('child ' + owned.child.pid);
	`;
	const owned = new OwnedProcess({
		command: process.execPath,
		args: ['--input-type=module', '-e', program],
		env: { ...process.env },
	});
	await printed(owned, 'child ');
	owned.child.kill(signal);
	expect(await owned.exit).toEqual({ code: null, signal });
	await gone(Number(/child (\d+)/.exec(owned.logTail())?.[1]));
});
