import { join } from 'node:path';
import type { Connection } from '@bank/fixtures/sandbox';
import { OwnedProcess } from './ownedProcess.ts';
import { repoDir } from './paths.ts';
import { pollUntil } from './poll.ts';
import { connectToSandbox, type SandboxAdmin } from './sandboxAdmin.ts';

export interface SandboxProcess {
	admin: SandboxAdmin;
	logTail(): string;
	stop(): Promise<void>;
}

/** The sandbox bank in a separate process, on free ports, because jest compiles to CommonJS and cannot load its libraries. */
export async function startSandboxProcess(n8nUrl: string): Promise<SandboxProcess> {
	const cli = join(repoDir, 'packages/fixtures/src/sandbox/cli.ts');
	const owned = new OwnedProcess({
		command: process.execPath,
		args: [cli, '--port', '0', '--tls-port', '0', '--n8n-url', n8nUrl, '--json'],
		env: childEnv(),
	});
	try {
		const { baseUrl } = await pollUntil(
			async () => {
				const line = owned
					.logTail()
					.split('\n')
					.find((text) => text.startsWith('{'));
				if (!line && owned.exited) throw new Error(`The sandbox ended while it was starting:\n${owned.logTail()}`);
				return line ? (JSON.parse(line) as Pick<Connection, 'baseUrl'>) : undefined;
			},
			{ what: 'The start of the sandbox', timeoutMs: 60_000, detail: () => owned.logTail() },
		);
		return {
			admin: await connectToSandbox(baseUrl),
			logTail: () => owned.logTail(),
			stop: async () => void (await owned.stop()),
		};
	} catch (error) {
		await owned.stop();
		throw error;
	}
}

/** jest's settings would turn the child into a test process. */
function childEnv(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^(JEST_|NODE_ENV$|NODE_OPTIONS$)/.test(name)),
	);
}
