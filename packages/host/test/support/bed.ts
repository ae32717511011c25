import { type Login, N8nRest } from '../../src/n8nRest.ts';
import { connectToSandbox, type SandboxAdmin } from '../../src/sandboxAdmin.ts';
import type { Testbed } from '../../src/testbed.ts';

export interface Bed {
	n8nUrl: string;
	/** Base URL to which the sandbox bank delivers. */
	webhookUrl: string;
	login: Login;
	/** Signed in as the owner. */
	rest: N8nRest;
	sandbox: SandboxAdmin;
}

// Test files may run in another process, and jest passes on the environment.
const variable = 'BANK_E2E_BED';

/** Shares an n8n and a sandbox with the tests in `main` and `all/sharedN8n`. */
export function shareBed({ n8n, sandbox, login, rest }: Testbed): void {
	process.env[variable] = JSON.stringify([n8n.url, sandbox.baseUrl, login, rest.session]);
}

export async function openBed(): Promise<Bed> {
	type Shared = [n8nUrl: string, sandboxUrl: string, login: Login, session: string];
	const [n8nUrl, sandboxUrl, login, session] = JSON.parse(process.env[variable] ?? '') as Shared;
	const sandbox = await connectToSandbox(sandboxUrl);
	return { n8nUrl, webhookUrl: n8nUrl, login, rest: new N8nRest(n8nUrl, session), sandbox };
}
