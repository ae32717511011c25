import { N8nRest } from '../../src/n8nRest.ts';
import { connectToSandbox, type SandboxAdmin } from '../../src/sandboxAdmin.ts';
import { sharedBed } from './sharedBed.ts';

export interface Bed {
	n8nUrl: string;
	/** Base URL to which the sandbox bank delivers. */
	webhookUrl: string;
	login: { email: string; password: string };
	/** Signed in as the owner. */
	rest: N8nRest;
	sandbox: SandboxAdmin;
}

/** The n8n and sandbox shared by the tests in `main` and `all/sharedN8n`. */
export async function openBed(): Promise<Bed> {
	const { n8nUrl, sandboxUrl, login, session } = sharedBed();
	const sandbox = await connectToSandbox(sandboxUrl);
	return { n8nUrl, webhookUrl: n8nUrl, login, rest: new N8nRest(n8nUrl, session), sandbox };
}
