import { once } from 'node:events';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build } from 'n8n-nodes-bank/build.mjs';
import { placePackage } from '../n8nProcess.ts';
import { nodesPackageDir, repoDir } from '../paths.ts';
import { reloadOf } from './reload.ts';
import { SourceFiles } from './sourceFiles.ts';

export interface LoopSettings {
	/** User folder of an n8n with N8N_DEV_RELOAD, which reloads a package when its files change. */
	userFolder: string;
	restartSandbox: () => Promise<void>;
	say: (line: string) => void;
}

type Target = 'forms' | 'nodes' | 'sandbox';

/** What has to be updated after a change in a folder. */
const targets: Readonly<Record<string, readonly Target[]>> = {
	'packages/core/src': ['forms', 'nodes', 'sandbox'],
	'packages/credentials/src': ['nodes'],
	'packages/fixtures/src': ['sandbox'],
	'packages/n8n-nodes-bank/credentials': ['nodes'],
	'packages/n8n-nodes-bank/icons': ['nodes'],
	// Forms have hand-written parts.
	'packages/n8n-nodes-bank/nodes': ['forms', 'nodes'],
	'packages/n8n-nodes-bank/scripts': ['forms', 'nodes'],
};

/** Milliseconds between two comparisons of the sources. */
const period = 250;

/** Updates the running n8n and sandbox after every change of the sources, until it is stopped. */
export class Loop {
	private readonly settings: LoopSettings;
	private readonly sources = new SourceFiles(Object.keys(targets).map((folder) => join(repoDir, folder)));
	/** A failed update is tried again with the next change. */
	private readonly outdated = new Set<Target>(['forms', 'nodes']);
	/** Formatted texts of the generator. Formatting takes most of its time, and most forms do not change. */
	private formatted = new Map<string, string>();
	private isStopped = false;
	private readonly ended: Promise<void>;

	constructor(settings: LoopSettings) {
		this.settings = settings;
		this.ended = this.run();
	}

	async stop(): Promise<void> {
		this.isStopped = true;
		await this.ended;
	}

	private async run(): Promise<void> {
		await this.sources.changes();
		// Forms may be older than their definitions; the first update also fills the caches.
		await this.attempt('as it stands');
		while (!this.isStopped) {
			await sleep(period);
			await this.turn();
		}
	}

	private async turn(): Promise<void> {
		const changed = (await this.sources.changes()).map(pathInRepo);
		const [first, ...more] = changed;
		if (first === undefined) return;
		for (const file of changed) for (const target of targetsOf(file)) this.outdated.add(target);
		await this.attempt(more.length > 0 ? `${first} and ${more.length} more` : first);
	}

	private async attempt(title: string): Promise<void> {
		try {
			await this.renew((line) => this.settings.say(`${title}: ${line}`));
		} catch (error) {
			this.settings.say(`${title}: ${reasonOf(error)}\nWhat was built before stays in use.`);
		}
	}

	/** Updates n8n first, because the developer waits for it. */
	private async renew(say: (line: string) => void): Promise<void> {
		const started = performance.now();
		const taken = () => `${Math.round(performance.now() - started)} ms`;
		if (this.outdated.has('forms')) {
			const written = await this.generateForms();
			this.outdated.delete('forms');
			if (written.length > 0) say(`generated ${written.map(pathInRepo).join(', ')}`);
		}
		if (this.outdated.has('nodes')) {
			await build(nodesPackageDir);
			const outcome = await this.placeNodes();
			this.outdated.delete('nodes');
			say(`${outcome} (${taken()})`);
		}
		if (this.outdated.has('sandbox')) {
			await this.settings.restartSandbox();
			this.outdated.delete('sandbox');
			say(`the sandbox bank has begun anew (${taken()})`);
		}
	}

	/** Returns the files written. Throws if the definitions cannot be loaded. */
	private async generateForms(): Promise<string[]> {
		// Worker warnings are about packages, not about the definitions.
		const options = { workerData: this.formatted, stderr: true };
		const worker = new Worker(new URL('formsWorker.ts', import.meta.url), options);
		type Generated = { forms: string[]; formatted: Map<string, string> };
		const [{ forms, formatted }] = (await once(worker, 'message')) as [Generated];
		this.formatted = formatted;
		this.sources.remember(forms);
		return forms;
	}

	private async placeNodes(): Promise<string> {
		const { userFolder } = this.settings;
		const reload = reloadOf(userFolder);
		const files = await placePackage({ name: 'n8n-nodes-bank', dir: nodesPackageDir }, userFolder);
		if (files.length === 0) return 'nothing new for n8n';
		await reload(files);
		return 'n8n has reloaded';
	}
}

function targetsOf(file: string): readonly Target[] {
	return Object.entries(targets).flatMap(([folder, found]) => (file.startsWith(`${folder}/`) ? found : []));
}

/** Location of an error in our own source, without the stack through Node and libraries. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const lines = (error.stack ?? error.message).split('\n');
	return lines.filter((line) => !/^ +at .*(node:internal|node_modules)/.test(line)).join('\n');
}

function pathInRepo(file: string): string {
	return relative(repoDir, file).replaceAll('\\', '/');
}
