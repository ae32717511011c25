import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Certificates, Signer, TokenStore } from '@bank/fixtures/sandbox';
import type { Login } from './n8nRest.ts';

/** State that is kept between starts of the demo. All its secrets are generated; the repository contains none. */
export interface DemoState {
	n8nUserFolder: string;
	logFile: string;
	encryptionKey: string;
	owner: Login;
	clientSecrets: { clientCredentials: string; authorizationCode: string };
	/** Secret for signing events and courier orders. */
	signingSecret: string;
	gatewaySecret: string;
	/** Certificates of the port with mutual TLS. */
	certificates: Certificates;
	/** Key and certificate with which the demo credential signs packages. */
	signer: Signer;
}

export async function openDemoState(dir: string): Promise<DemoState> {
	await mkdir(dir, { recursive: true });
	// n8n creates its database, log and pid file with its own permissions, so the folder itself is closed to other users.
	await chmod(dir, 0o700);
	const logFile = join(dir, 'n8n.log');
	// The log file of the current start only.
	await rm(logFile, { force: true });
	return { ...(await secrets(join(dir, 'secrets.json'))), n8nUserFolder: join(dir, 'n8n'), logFile };
}

/**
 * State that an orderly shutdown leaves for the next start. With these tokens, the credentials in n8n's database stay
 * valid.
 */
export interface Handover {
	tokens: TokenStore;
	/** The values that the credentials were created from. */
	credentials: string;
}

const handoverFile = (dir: string): string => join(dir, 'handover');

/** Valid for one start. If the demo does not shut down in an orderly way, there is no handover. */
export async function takeHandover(dir: string): Promise<Handover | undefined> {
	const file = handoverFile(dir);
	const kept = await readFile(file).catch(() => undefined);
	await rm(file, { force: true });
	return kept === undefined ? undefined : (deserialize(kept) as Handover);
}

export async function leaveHandover(dir: string, handover: Handover): Promise<void> {
	await writeFile(handoverFile(dir), serialize(handover), { mode: 0o600 });
}

async function secrets(file: string): Promise<Omit<DemoState, 'n8nUserFolder' | 'logFile'>> {
	const kept = await readFile(file, 'utf8').catch(() => undefined);
	const secret = () => randomBytes(24).toString('hex');
	if (kept !== undefined) return JSON.parse(kept);
	// Imported only now, because the sandbox takes a second to load, and later starts run it in a separate thread.
	const { issueCertificates, issueSigner } = await import('@bank/fixtures/sandbox');
	const made = {
		encryptionKey: secret(),
		// n8n requires a capital letter and a digit.
		owner: { email: 'owner@n8n-nodes-bank.example', password: `Bank-1${randomBytes(6).toString('hex')}` },
		clientSecrets: { clientCredentials: secret(), authorizationCode: secret() },
		signingSecret: secret(),
		gatewaySecret: secret(),
		certificates: await issueCertificates(),
		signer: await issueSigner(),
	};
	await writeFile(file, `${JSON.stringify(made, undefined, '\t')}\n`, { mode: 0o600 });
	return made;
}
