/** A separate working tree, for tests of the tools that write into it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyWorkspace } from '../../../fixtures/src/workspaceCopy.ts';

/** Names that neither the API description nor anybody's unfinished contribution uses. */
export const restId = 'cardLimit.getAsOf';
export const serviceId = 'trip.getFinished';
/** The first operation of a resource, with a scope that no other operation needs. */
export const newResourceId = 'currencyRate.get';

export const oracleFile = (id: string) => `packages/fixtures/oracle/${id.replace('.', '/')}.json`;
/** Facts of the operations whose responses the API description does not show. */
export const serviceFacts = 'packages/fixtures/oracle/partnerServices.json';
export const sampleFile = (id: string) => `packages/fixtures/samples/${id.replace('.', '/')}.json`;

export interface Outcome {
	code: number | null;
	output: string;
}

/** A copy of the workspace with a git repository that shows changes. */
export class WorkingTree {
	readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'n8n-nodes-bank-contribution-')));

	constructor() {
		copyWorkspace(this.root);
		this.#git('init', '--quiet');
		this.#git('add', '--all');
		this.#git(
			'-c',
			'user.name=test',
			'-c',
			'user.email=test@example.com',
			'-c',
			'commit.gpgsign=false',
			'commit',
			'--quiet',
			'--message=copy',
		);
	}

	/** Runs Node as a person would: not in CI and not inside a test. */
	node(folder: string, ...args: string[]): Outcome {
		const env = Object.fromEntries(
			Object.entries(process.env).filter(([name]) => !/^(CI$|JEST_|NODE_ENV$)/.test(name)),
		);
		const { status, stdout, stderr } = spawnSync(process.execPath, args, {
			cwd: join(this.root, folder),
			env,
			encoding: 'utf8',
			// Ends commands that hang.
			timeout: 600_000,
		});
		return { code: status, output: stdout + stderr };
	}

	newOperation(...args: string[]): Outcome {
		return this.node('.', 'tools/newOperation/newOperation.mjs', ...args);
	}

	jest(name: string, ...args: string[]): Outcome {
		return this.node(join('packages', name), join(this.root, 'node_modules/jest/bin/jest.js'), ...args);
	}

	typecheck(): Outcome {
		return this.node('.', join(this.root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--incremental', 'false');
	}

	generate(): Outcome {
		return this.node(
			'packages/n8n-nodes-bank',
			'--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
			'scripts/generate.ts',
		);
	}

	changed(): string[] {
		return this.#git('status', '--porcelain', '--untracked-files=all')
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => line.slice(3))
			.sort();
	}

	diff(file: string): string {
		return this.#git('diff', '--unified=0', '--', file);
	}

	files(pattern: string): string[] {
		return globSync(pattern, { cwd: this.root }).sort();
	}

	close(): void {
		rmSync(this.root, { recursive: true, force: true });
	}

	#git(...args: string[]): string {
		return execFileSync('git', args, { cwd: this.root, encoding: 'utf8' });
	}
}

export function edit({ root }: WorkingTree, file: string, from: string | RegExp, to: string): void {
	const path = join(root, file);
	const text = readFileSync(path, 'utf8');
	const changed = text.replace(from, () => to);
	if (changed === text) throw new Error(`${file} does not contain ${String(from)}`);
	writeFileSync(path, changed);
}
