/** Installs the package as docs/admin.md describes, from a registry on loopback. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LocalRegistry, localName, startLocalRegistry } from '../../../src/localRegistry.ts';
import { ensureN8nInstalled } from '../../../src/n8nInstall.ts';
import { type N8nInstance, placePackage, startN8n } from '../../../src/n8nProcess.ts';
import { N8nRest, N8nRestError } from '../../../src/n8nRest.ts';
import { hostDir, nodesPackageDir, repoDir } from '../../../src/paths.ts';
import { freePort } from '../../../src/ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'n8n-install-'));
/** The version in the docs. */
const version = '0.1.0';
/** Further packages, so that a start shows several cases. n8n stores the names of nodes only once, so these have nodes of their own. */
const [second, third] = [`${localName}-second`, `${localName}-third`];
let registry: LocalRegistry;
let checksum: string;
let checksumOfThird: string;
const running: N8nInstance[] = [];

beforeAll(async () => {
	await ensureN8nInstalled();
	registry = await startLocalRegistry(folder);
	// Copies the files that a tarball would have, without packing one.
	await placePackage({ name: 'packed', dir: nodesPackageDir }, folder);
	checksum = await registry.publish(join(folder, '.n8n/nodes/node_modules/packed'), version);
	await registry.publish(withOneNode('Second'), version, second);
	checksumOfThird = await registry.publish(withOneNode('Third'), version, third);
	await registry.publish(withOneNode('Third'), '0.1.1', third);
});

afterEach(stopAll);

afterAll(async () => {
	await registry?.stop();
	rmSync(folder, { recursive: true, force: true });
});

async function stopAll() {
	for (const n8n of running.splice(0)) await n8n.stop();
}

/** Writes a package with a node that does nothing, and returns its folder. */
function withOneNode(name: string): string {
	const dir = mkdtempSync(join(folder, 'package-'));
	const description = { displayName: name, name: 'bank', group: ['transform'], version: 1, description: '' };
	const form = { defaults: { name }, inputs: ['main'], outputs: ['main'], properties: [] };
	const text = JSON.stringify({ ...description, ...form });
	writeFileSync(join(dir, `${name}.node.js`), `exports.${name} = class ${name} { description = ${text} };`);
	const n8n = { n8nNodesApiVersion: 1, nodes: [`${name}.node.js`], credentials: [] };
	writeFileSync(join(dir, 'package.json'), JSON.stringify({ n8n }));
	return dir;
}

/** The shell commands of the page, with the package and checksum of the test registry. */
function documented(): string[] {
	const page = readFileSync(join(repoDir, 'docs/admin.md'), 'utf8');
	return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
		block.replaceAll('n8n-nodes-bank', localName).replaceAll('sha512-…', checksum),
	);
}

/** Starts n8n with these packages in `N8N_COMMUNITY_PACKAGES` and an existing database. Returns the packages that it has loaded. */
async function start(packages: object[], env: Record<string, string> = {}) {
	const n8n = await startN8n({
		userFolder: join(folder, 'n8n'),
		port: await freePort(),
		encryptionKey: '0'.repeat(32),
		editor: false,
		env: {
			...registry.npmEnv,
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			...env,
			N8N_COMMUNITY_PACKAGES: JSON.stringify(packages),
		},
	});
	running.push(n8n);
	const rest = new N8nRest(n8n.url);
	const login = { email: 'owner@n8n-nodes-bank.example', password: 'Check-1234567890' };
	await rest.setUpOwner(login).catch(() => rest.login(login));
	const loaded: string[] = [];
	for (const name of [localName, second, third]) {
		const nodeInfos = [{ name: `${name}.bank`, version: 1 }];
		try {
			await rest.request('POST', '/rest/node-types', { nodeInfos });
			loaded.push(name);
		} catch (error) {
			if (!(error instanceof N8nRestError)) throw error;
		}
	}
	return { loaded, log: n8n.logTail(200) };
}

const wrong = `sha512-${Buffer.from(randomBytes(64)).toString('base64')}`;
const unverified = { N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' };

// The same n8n is started again and again.
describe('by environment', () => {
	test('n8n does not start if the checksum is missing', async () => {
		await expect(start([{ name: localName, version }])).rejects.toThrow('no checksum available');
	});

	test('the variables in docs/admin.md install the package; they need no checksum, and refuse a wrong one', async () => {
		const [variables = ''] = documented();
		const env = Object.fromEntries(
			[...variables.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
		);
		expect(Object.keys(env)).toHaveLength(3);
		const packages = JSON.parse(env['N8N_COMMUNITY_PACKAGES'] ?? '') as object[];
		const others = [
			{ name: second, version, checksum: wrong },
			{ name: third, version },
		];
		expect((await start([...packages, ...others], env)).loaded).toEqual([localName, third]);
	});

	test('a tarball is installed without a registry, as docs/admin.md describes', async () => {
		const home = mkdtempSync(join(folder, 'offline-'));
		const shell = (command: string, cwd = home) => {
			const { status, stderr } = spawnSync('sh', ['-c', command], {
				cwd,
				encoding: 'utf8',
				env: { ...process.env, HOME: home },
			});
			expect([status, stderr.replace(/^npm notice.*$/gm, '').trim()]).toEqual([0, '']);
		};
		shell(`npm pack --ignore-scripts --silent --pack-destination ${home}`, nodesPackageDir);
		const [tarball = ''] = readdirSync(home).filter((name) => name.endsWith('.tgz'));
		const commands = documented().find((block) => block.includes('--offline')) ?? '';
		shell(commands.replace(/\/path\/to\/\S+/, join(home, tarball)));
		const n8n = await startN8n({
			userFolder: home,
			port: await freePort(),
			encryptionKey: '0'.repeat(32),
			editor: false,
			env: {},
		});
		running.push(n8n);
		const rest = new N8nRest(n8n.url);
		await rest.setUpOwner({ email: 'owner@n8n-nodes-bank.example', password: 'Check-1234567890' });
		const nodeInfos = [{ name: 'n8n-nodes-bank.bank', version: 1 }];
		expect(await rest.request('POST', '/rest/node-types', { nodeInfos })).toHaveLength(1);
	});

	test('a wrong checksum installs and updates nothing; n8n does not compare that of the installed version', async () => {
		const { loaded, log } = await start([
			{ name: localName, version, checksum: wrong },
			{ name: second, version, checksum: wrong },
			{ name: third, version: '0.1.1', checksum: wrong },
		]);
		expect(loaded).toEqual([localName, third]);
		expect(log).toContain('Failed to install community package');
		expect(log).toContain('Failed to update community package');
	});

	test('a new container on an existing database has the packages again only with unverified packages', async () => {
		rmSync(join(folder, 'n8n/.n8n/nodes'), { recursive: true });
		const packages = [
			{ name: localName, version, checksum },
			{ name: third, version, checksum: checksumOfThird },
		];
		const env = { N8N_REINSTALL_MISSING_PACKAGES: 'true' };
		expect((await start(packages, env)).loaded).toEqual([]);
		await stopAll();
		expect((await start(packages, { ...env, ...unverified })).loaded).toEqual([localName, third]);
	});
});

describe('docs/admin.md', () => {
	test('has four blocks of commands', () => {
		expect(documented()).toHaveLength(4);
	});

	/** Runs commands in an empty folder; npm uses the registry on loopback. */
	const run = (commands: string) => {
		const cwd = mkdtempSync(join(folder, 'shell-'));
		return spawnSync('bash', ['-c', commands], { cwd, encoding: 'utf8', env: { ...process.env, ...registry.npmEnv } });
	};

	test('its command prints the checksum', () => {
		expect(run(documented()[1] ?? '').stdout.trim()).toBe(checksum);
	});

	test('its commands for the provenance install one package and ask for the keys of sigstore', () => {
		const { stdout, stderr } = run(`export npm_config_fetch_retries=0\n${documented()[3]}`);
		expect(stdout).toContain('added 1 package');
		// The test cannot reach this host.
		expect(stderr).toContain('sigstore.dev');
	});
});

test('npm run test:image passes with an engine that runs n8n', () => {
	const script = join(hostDir, 'src/imageCheck.ts');
	const engine = join(hostDir, 'test/support/fakeEngine.mjs');
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('JEST_')));
	const { stdout, stderr } = spawnSync(process.execPath, [script, '2.41.1', '--engine', engine], {
		encoding: 'utf8',
		env: { ...env, NODE_ENV: '' },
		timeout: 580_000,
	});
	expect([stdout.trim().split('\n').at(-1), stderr]).toEqual(['The package works in docker.io/n8nio/n8n:2.41.1.', '']);
});
