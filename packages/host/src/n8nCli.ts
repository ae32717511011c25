import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type N8nSettings, runN8n } from './n8nProcess.ts';
import { otherN8nVersion } from './paths.ts';

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
	await withFiles(settings, { 'credentials.json': credentials }, async (dir) => {
		await command(
			settings,
			['import:credentials', `--input=${join(dir, 'credentials.json')}`],
			/Successfully imported \d+ credential/,
		);
	});
}

/** Imports workflows with their IDs, replacing existing ones. They are not published. */
export async function importWorkflows(settings: N8nSettings, workflows: WorkflowFile[]): Promise<void> {
	if (!workflows.length) return;
	// Earlier versions do not assign a version ID.
	const version = otherN8nVersion === undefined ? {} : { versionId: randomUUID() };
	const files = Object.fromEntries(workflows.map((workflow, index) => [`${index}.json`, { ...workflow, ...version }]));
	await withFiles(settings, files, async (dir) => {
		await command(settings, ['import:workflow', '--separate', `--input=${dir}`], /Successfully imported \d+ workflow/);
	});
}

/**
 * `success`: text in the log by which the command is known to have succeeded. Some commands only log a failure and exit with code 0.
 */
async function command(settings: N8nSettings, args: string[], success = /(?:)/): Promise<string> {
	const { exit, output } = await runN8n(settings, args);
	if (exit.code !== 0 || !success.test(output)) throw new Error(`n8n ${args[0]} did not succeed:\n${output}`);
	return output;
}

/** The files contain secrets: readable for the current user only, and deleted afterwards. */
async function withFiles(settings: N8nSettings, files: Record<string, unknown>, use: (dir: string) => Promise<void>) {
	await mkdir(settings.userFolder, { recursive: true });
	const dir = await mkdtemp(join(settings.userFolder, 'import-'));
	try {
		for (const [name, content] of Object.entries(files))
			await writeFile(join(dir, name), JSON.stringify(content), { mode: 0o600 });
		await use(dir);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}
