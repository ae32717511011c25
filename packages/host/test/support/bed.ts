import { N8nRest } from '../../src/n8nRest.ts';
import { SandboxAdmin } from '../../src/sandboxAdmin.ts';
import { sharedBed } from './setup/shared.ts';

export interface Bed {
	n8nUrl: string;
	login: { email: string; password: string };
	/** Signed in as the owner. */
	rest: N8nRest;
	sandbox: SandboxAdmin;
}

/** The n8n and the sandbox that all files of this folder share. */
export async function openBed(): Promise<Bed> {
	const { n8nUrl, sandboxUrl, login, session } = sharedBed();
	return { n8nUrl, login, rest: new N8nRest(n8nUrl, session), sandbox: await SandboxAdmin.connect(sandboxUrl) };
}
