import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LocalRegistry, localName, startLocalRegistry } from '../../src/localRegistry.ts';
import { ensureN8nInstalled } from '../../src/n8nInstall.ts';
import { type N8nInstance, placePackage, startN8n } from '../../src/n8nProcess.ts';
import { N8nRest, N8nRestError } from '../../src/n8nRest.ts';
import { nodesPackageDir, repoDir } from '../../src/paths.ts';
import { freePort } from '../../src/ports.ts';

/** The version of the package that the docs name. */
export const version = '0.1.0';

/** Further packages, so that a start shows several cases. n8n stores the names of nodes only once, so these have nodes of their own. */
export const [second, third] = [`${localName}-second`, `${localName}-third`];

const login = { email: 'owner@n8n-nodes-bank.example', password: 'Check-1234567890' };

/** Installs the package as docs/admin.md describes, from a registry on loopback. The same n8n is started again and again. */
export class InstallBed {
	readonly folder = mkdtempSync(join(tmpdir(), 'n8n-install-'));
	checksum = '';
	checksumOfThird = '';
	readonly #running: N8nInstance[] = [];
	#registry: LocalRegistry | undefined;

	async open(): Promise<this> {
		await ensureN8nInstalled();
		this.#registry = await startLocalRegistry(this.folder);
		// Copies the files that a tarball would have, without packing one.
		await placePackage({ name: 'packed', dir: nodesPackageDir }, this.folder);
		const { publish } = this.#registry;
		this.checksum = await publish(join(this.folder, '.n8n/nodes/node_modules/packed'), version);
		await publish(this.#withOneNode('Second'), version, second);
		this.checksumOfThird = await publish(this.#withOneNode('Third'), version, third);
		await publish(this.#withOneNode('Third'), '0.1.1', third);
		return this;
	}

	async close(): Promise<void> {
		await this.#registry?.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** Environment of an npm that uses the registry on loopback. */
	get npmEnv(): Record<string, string> {
		return this.#registry?.npmEnv ?? {};
	}

	/** The shell commands of the page, with the package and checksum of the test registry. */
	documented(): string[] {
		const page = readFileSync(join(repoDir, 'docs/admin.md'), 'utf8');
		return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
			block.replaceAll('n8n-nodes-bank', localName).replaceAll('sha512-…', this.checksum),
		);
	}

	/** Starts n8n on an existing database. */
	async n8n(userFolder: string, env: Record<string, string>): Promise<{ n8n: N8nInstance; rest: N8nRest }> {
		const port = await freePort();
		const n8n = await startN8n({ userFolder, port, encryptionKey: '0'.repeat(32), editor: false, env });
		this.#running.push(n8n);
		const rest = new N8nRest(n8n.url);
		await rest.setUpOwner(login).catch(() => rest.login(login));
		return { n8n, rest };
	}

	async stopAll(): Promise<void> {
		for (const n8n of this.#running.splice(0)) await n8n.stop();
	}

	/** Starts n8n with these packages in `N8N_COMMUNITY_PACKAGES`. Returns the packages that it has loaded. */
	async start(packages: object[], env: Record<string, string> = {}): Promise<{ loaded: string[]; log: string }> {
		const { n8n, rest } = await this.n8n(join(this.folder, 'n8n'), {
			...this.npmEnv,
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			...env,
			N8N_COMMUNITY_PACKAGES: JSON.stringify(packages),
		});
		const loaded: string[] = [];
		for (const name of [localName, second, third]) {
			try {
				await rest.request('POST', '/rest/node-types', { nodeInfos: [{ name: `${name}.bank`, version: 1 }] });
				loaded.push(name);
			} catch (error) {
				if (!(error instanceof N8nRestError)) throw error;
			}
		}
		return { loaded, log: n8n.logTail(200) };
	}

	/** Writes a package with a node that does nothing, and returns its folder. */
	#withOneNode(name: string): string {
		const dir = mkdtempSync(join(this.folder, 'package-'));
		const description = { displayName: name, name: 'bank', group: ['transform'], version: 1, description: '' };
		const form = { defaults: { name }, inputs: ['main'], outputs: ['main'], properties: [] };
		const text = JSON.stringify({ ...description, ...form });
		writeFileSync(join(dir, `${name}.node.js`), `exports.${name} = class ${name} { description = ${text} };`);
		const n8n = { n8nNodesApiVersion: 1, nodes: [`${name}.node.js`], credentials: [] };
		writeFileSync(join(dir, 'package.json'), JSON.stringify({ n8n }));
		return dir;
	}
}

/** Opens a bed before the tests of a file and closes it after them. */
export function installBed(): () => InstallBed {
	const bed = new InstallBed();
	beforeAll(async () => void (await bed.open()));
	afterEach(() => bed.stopAll());
	afterAll(() => bed.close());
	return () => bed;
}
