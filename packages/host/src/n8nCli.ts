import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type N8nSettings, runN8n } from './n8nProcess.ts';

/** A credential with a given ID and plain-text values, which n8n encrypts on import. */
export interface CredentialToImport {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** The parts of n8n's workflow file that are used here; the rest is kept unchanged. */
export interface WorkflowFile {
	id: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	active?: boolean;
	[other: string]: unknown;
}

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	disabled?: boolean;
	webhookId?: string;
	[other: string]: unknown;
}

/**
 * Uses n8n's import command, because the REST API chooses the ID itself and drops `oauthTokenData`. Works before the first start (it
 * creates the database) and replaces a credential with the same ID.
 */
export async function importCredentials(settings: N8nSettings, credentials: CredentialToImport[]): Promise<void> {
	await mkdir(settings.userFolder, { recursive: true });
	const dir = await mkdtemp(join(settings.userFolder, 'import-'));
	try {
		const file = join(dir, 'credentials.json');
		// The file contains secrets.
		await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
		const { exit, output } = await runN8n(settings, ['import:credentials', `--input=${file}`]);
		// n8n reports some failures only in its log and exits with code 0.
		if (exit.code !== 0 || !/Successfully imported \d+ credential/.test(output))
			throw new Error(`n8n did not import the credentials:\n${output}`);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}
