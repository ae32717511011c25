import { ownCertificate } from '../demoCredentials.ts';
import type { N8nInstance } from '../n8nProcess.ts';
import { type N8nRest, N8nRestError } from '../n8nRest.ts';
import { pollUntil } from '../poll.ts';
import { cleanups } from '../steps.ts';
import { startTestbed, type TestbedOptions } from '../testbed.ts';
import { type BenchBank, startBank, token } from './bank.ts';
import { references, type Workflow } from './workflows.ts';

/** A real n8n with credentials for the benchmark bank. Rows that need the same setup share one. */
export interface Bed {
	n8n: N8nInstance;
	rest: N8nRest;
	bank: BenchBank;
	/** Runs a workflow and returns the time that n8n reports for the measured nodes. */
	run(workflow: Workflow): Promise<number>;
	/** Runs a workflow without reading its data, which would be large. */
	runUnseen(workflow: Workflow): Promise<void>;
}

/** Created when a row first needs it. */
const shared = new Map<string, Promise<Bed>>();

export type Database = 'sqlite' | 'postgres';

export const databaseNames: Readonly<Record<Database, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/**
 * The n8n of a database, which several rows share. PostgreSQL also runs in one process, so that only the database
 * differs.
 * @param name tells several n8n with the same database apart
 */
export function sharedBed(database: Database, name = '', env: Record<string, string> = {}): Promise<Bed> {
	const onePostgres = { cluster: { receivers: 0, workers: 0 }, env: { EXECUTIONS_MODE: 'regular', ...env } };
	const key = `${database} ${name}`;
	const bed = shared.get(key) ?? openBed(database === 'postgres' ? onePostgres : { env });
	shared.set(key, bed);
	return bed;
}

export async function openBed(options: TestbedOptions = {}): Promise<Bed> {
	const bank = await startBank();
	cleanups.push(() => bank.close());
	const { n8n, rest, stop } = await startTestbed({ credentials: credentialsFor(bank), ...options });
	cleanups.push(stop);
	return {
		n8n,
		rest,
		bank,
		run: async (workflow) => await timeOf(rest, workflow),
		runUnseen: async (workflow) => await runUnseen(rest, workflow),
	};
}

function credentialsFor(bank: BenchBank) {
	const client = { clientId: 'bench', clientSecret: 'bench-client-secret' };
	const own = (url: string) => ({
		environment: 'sandbox',
		sandboxBaseUrl: url,
		accessTokenUrl: `${url}/token`,
		...client,
	});
	const { ca, partner } = bank.certificates;
	const hostToHost = { beginWith: 'refreshToken', refreshToken: 'bench-first-refresh-token' };
	const certificate = ownCertificate({ ca, ...partner } as Parameters<typeof ownCertificate>[0]);
	const oAuth2 = { accessTokenUrl: `${bank.url}/token`, ...client, oauthTokenData: token };
	const of = (kind: Record<string, { id: string; name: string }>, data: Record<string, unknown>) =>
		Object.entries(kind).map(([type, named]) => ({ ...named, type, data }));
	return [
		of(references.hostToHost, { ...own(bank.url), ...hostToHost }),
		of(references.mutualTls, { ...own(bank.tlsUrl), ...hostToHost, useCertificate: true, ...certificate }),
		of(references.authorizationCode, {
			...own(bank.url),
			grantType: 'authorizationCode',
			authUrl: `${bank.url}/authorize`,
			oauthTokenData: token,
		}),
		of(references.clientCredentials, { ...own(bank.url), signature: 'given' }),
		of(references.oAuth2, {
			grantType: 'authorizationCode',
			authUrl: `${bank.url}/authorize`,
			scope: '',
			authentication: 'header',
			...oAuth2,
		}),
		of(references.certificate, { ca, cert: partner.certificate, key: partner.privateKey, passphrase: '' }),
	].flat();
}

async function timeOf(rest: N8nRest, { file, measured, rows }: Workflow): Promise<number> {
	const { id } = await rest.createWorkflow(file);
	const execution = await rest.runWorkflow(id);
	const { status, data } = await pollUntil(
		async () => {
			const found = await rest.getExecution(execution).catch(unlessBusy);
			return found === undefined || ['new', 'running'].includes(found.status) ? undefined : found;
		},
		{ what: `The end of ${file.name}`, timeoutMs: 300_000, intervalMs: 250 },
	);
	const { runData, error } = data.resultData;
	if (status !== 'success') throw new Error(`${file.name} ended with ${status}: ${error?.message}`);
	const runs = measured.map((name) => runData[name]?.[0]);
	const found = runs.at(-1)?.data?.['main']?.[0]?.length;
	if (found !== rows) throw new Error(`${file.name} brought ${found} rows instead of ${rows}`);
	return runs.reduce((sum, run) => sum + (run?.executionTime ?? Number.NaN), 0);
}

/**
 * Ignores two errors of a busy n8n: while a thousand requests read their credential, it reports that its database is not ready, and
 * after evaluating thousands of expressions it closes idle connections.
 */
function unlessBusy(error: unknown): undefined {
	const isBusy = error instanceof N8nRestError ? error.status === 503 : error instanceof TypeError;
	if (!isBusy) throw error;
}

async function runUnseen(rest: N8nRest, { file }: Workflow): Promise<void> {
	const { id } = await rest.createWorkflow(file);
	await rest.runWorkflow(id);
	const [ended] = await rest.executionsToEnd(id, 1);
	if (ended?.status !== 'success') throw new Error(`${file.name} ended with ${ended?.status}`);
}
