// `npm run bench`: how much the nodes' own work is worth, as ratios of two things measured in the same run on the same machine.
// Nothing passes or fails by time. It does fail when a side does not bring the rows it should: then there is nothing to compare.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox } from '@bank/fixtures/sandbox';

import { demoCredentials } from '../demoCredentials.ts';
import { importCredentials } from '../n8nCli.ts';
import { ensureN8nInstalled } from '../n8nInstall.ts';
import { startN8n } from '../n8nProcess.ts';
import { N8nRest } from '../n8nRest.ts';
import { nodesPackageDir } from '../paths.ts';
import { freePort } from '../ports.ts';
import { findStores, startStores } from '../stores.ts';
import { isThere } from '../wanted.ts';
import { type Comparison, type Contender, compare, type Measured, table } from './compare.ts';
import { loadTimes } from './loadTimes.ts';
import { claimedPackage, unclaimedPackage } from './payouts.ts';
import { cardLimits, httpRequestListing, operationListing, type Workflow } from './workflows.ts';

/** Added to every answer of the sandbox. The larger it is, the more parallel requests are worth. */
const latencyMs = 50;
const operationCount = 2000;
const pageSize = 50;
const cardCount = 200;
const repetitions = 3;
const payoutRepetitions = 5;

const opened: Array<() => Promise<unknown>> = [];
let interrupted = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);

try {
	await main();
} catch (error) {
	// Whatever an interruption breaks off is no failure.
	if (!interrupted) console.error(error);
	process.exitCode = 1;
} finally {
	await closeAll();
}

function stop() {
	interrupted = true;
	void closeAll().finally(() => process.exit(130));
}

async function main() {
	await ensureN8nInstalled();
	const { rest, sandbox } = await startN8nAndSandbox();
	const contender = contenders(rest, sandbox);

	const listing = (concurrency: number) =>
		contender(`${concurrency} at a time`, () => operationListing({ concurrency, pageSize, rows: operationCount }));
	const byHttpRequest = contender('HTTP Request + Split Out', () =>
		httpRequestListing({ baseUrl: sandbox.baseUrl, pageSize, rows: operationCount }),
	);
	const limitRows = cardCount * sandbox.bank.cardLimits.of('card-0001').length;
	const limits = (concurrency: number) =>
		contender(`${concurrency} at a time`, () => cardLimits({ concurrency, items: cardCount, rows: limitRows }));

	console.log(
		`A real n8n and the sandbox bank on loopback, every answer ${latencyMs} ms ` +
			`late. Medians of ${repetitions} runs; this takes a few minutes …\n`,
	);
	const comparisons = [
		await compare(`Bank, ${operationCount} operations`, [listing(1), listing(5)], repetitions),
		await compare(
			`HTTP Request or Bank, ${operationCount} operations`,
			[byHttpRequest, { ...listing(5), name: 'Bank, 5 at a time' }],
			repetitions,
		),
		await compare(
			`HTTP Request or Bank, ${operationCount} operations`,
			[byHttpRequest, { ...listing(1), name: 'Bank, 1 at a time' }],
			repetitions,
		),
		await compare(`Bank, limits of ${cardCount} cards`, [limits(1), limits(5)], repetitions),
		...(await payouts('SQLite', rest, sandbox)),
		...(await payoutsOnPostgres()),
		await compare('require() in a new process', loadTimes(nodesPackageDir), 9),
	];
	console.log(table(comparisons));
	console.log(
		'\nIn brackets: the lowest and the highest ratio of a single pair of runs. Pages are of 50; reading ahead asks for a few past the end.',
	);
}

function contenders(rest: N8nRest, sandbox: RunningSandbox) {
	/** How long the nodes took by n8n's own account of the execution. */
	const measure = async ({ file, measured, rows }: Workflow): Promise<Measured> => {
		const { id } = await rest.createWorkflow(file);
		sandbox.clearCalls();
		const { status, data } = await rest.runToEnd(id, { timeoutMs: 300_000 });
		const { runData, error } = data.resultData;
		if (status !== 'success') throw new Error(`${file.name} ended with ${status}: ${error?.message}`);
		const runs = measured.map((name) => runData[name]?.[0]);
		const found = runs.at(-1)?.data?.['main']?.[0]?.length;
		if (found !== rows) throw new Error(`${file.name} brought ${found} rows instead of ${rows}`);
		return {
			milliseconds: runs.reduce((sum, run) => sum + (run?.executionTime ?? Number.NaN), 0),
			requests: sandbox.calls.length,
		};
	};
	return (name: string, workflow: () => Workflow): Contender => ({ name, run: () => measure(workflow()) });
}

/** What it takes to claim each recipient before the package is sent. */
async function payouts(database: string, rest: N8nRest, sandbox: RunningSandbox): Promise<Comparison[]> {
	const contender = contenders(rest, sandbox);
	const comparisons: Comparison[] = [];
	for (const count of [1, 1000])
		comparisons.push(
			await compare(
				`Payout to ${count}, ${database}`,
				[
					contender('Bank, claimed', () => claimedPackage(count)),
					contender('HTTP Request', () => unclaimedPackage(count, sandbox.baseUrl)),
				],
				payoutRepetitions,
			),
		);
	return comparisons;
}

/** In one process, as SQLite: what differs is the database. */
async function payoutsOnPostgres(): Promise<Comparison[]> {
	if (!isThere(findStores)) return [];
	const stores = await startStores();
	opened.push(() => stores.stop());
	const { rest, sandbox } = await startN8nAndSandbox({ ...stores.env, EXECUTIONS_MODE: 'regular' });
	return await payouts('PostgreSQL', rest, sandbox);
}

type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

async function startN8nAndSandbox(env: Record<string, string> = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-bench-'));
	opened.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
	const port = await freePort();
	const sandbox = await startSandbox({ port: 0, n8nUrl: `http://127.0.0.1:${port}`, operationCount });
	opened.push(() => sandbox.close());
	for (const operation of ['accountOperation.getMany', 'cardLimit.getMany'])
		sandbox.addFault({ operation, times: 1_000_000, fault: { kind: 'latency', ms: latencyMs } });
	const settings = {
		userFolder: folder,
		port,
		encryptionKey: randomBytes(16).toString('hex'),
		packages: [{ name: 'n8n-nodes-bank', dir: nodesPackageDir }],
		env,
	};
	// The HTTP Request node, beside which ours is measured, may not use the credential before its owner allows it.
	const ofUser = await demoCredentials(sandbox);
	for (const { data } of ofUser) if ('oauthTokenData' in data) data.allowedHttpRequestDomains = 'all';
	await importCredentials(settings, ofUser);
	const n8n = await startN8n(settings);
	opened.push(() => n8n.stop());
	const rest = new N8nRest(n8n.url);
	await rest.setUpOwner({
		email: 'owner@n8n-nodes-bank.example',
		password: `Bench-1${randomBytes(8).toString('hex')}`,
	});
	return { rest, sandbox };
}

async function closeAll() {
	for (const close of opened.splice(0).reverse()) await close().catch((error: unknown) => console.error(error));
}
