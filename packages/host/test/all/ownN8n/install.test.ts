/** Installs the package as docs/admin.md describes, from a registry on loopback. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LocalRegistry, localName, startLocalRegistry } from '../../../src/localRegistry.ts';
import { ensureN8nInstalled } from '../../../src/n8nInstall.ts';
import { type N8nInstance, placePackage, startN8n } from '../../../src/n8nProcess.ts';
import { N8nRest } from '../../../src/n8nRest.ts';
import { hostDir, nodesPackageDir, repoDir } from '../../../src/paths.ts';
import { freePort } from '../../../src/ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'n8n-install-'));
/** The version in the docs. */
const version = '0.1.0';
const packed = join(folder, '.n8n/nodes/node_modules/packed');
let registry: LocalRegistry;
let checksum: string;
const running: N8nInstance[] = [];

beforeAll(async () => {
	await ensureN8nInstalled();
	registry = await startLocalRegistry(folder);
	// Copies the files that a tarball would have, without packing one.
	await placePackage({ name: 'packed', dir: nodesPackageDir }, folder);
	checksum = await registry.publish(packed, version);
});

afterEach(stopAll);

afterAll(async () => {
	await registry?.stop();
	rmSync(folder, { recursive: true, force: true });
});

async function stopAll() {
	for (const n8n of running.splice(0)) await n8n.stop();
}

/** The shell commands of the page, with the package and checksum of the test registry. */
function documented(): string[] {
	const page = readFileSync(join(repoDir, 'docs/admin.md'), 'utf8');
	return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
		block.replaceAll('n8n-nodes-bank', localName).replaceAll('sha512-…', checksum),
	);
}

/** Starts n8n with the package in its environment and returns whether it has loaded its nodes. */
async function start(entry: object, env: Record<string, string> = {}, name = 'n8n') {
	const n8n = await startN8n({
		userFolder: join(folder, name),
		port: await freePort(),
		encryptionKey: '0'.repeat(32),
		env: {
			...registry.npmEnv,
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: localName, version, ...entry }]),
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			...env,
		},
	});
	running.push(n8n);
	const rest = new N8nRest(n8n.url);
	const login = { email: 'owner@n8n-nodes-bank.example', password: 'Check-1234567890' };
	await rest.setUpOwner(login).catch(() => rest.login(login));
	const nodes = (await rest.nodeTypes()).filter(({ name: type }) => type.startsWith(`${localName}.bank`));
	return { hasNodes: nodes.length > 0, log: n8n.logTail(200) };
}

const wrong = `sha512-${Buffer.from(randomBytes(64)).toString('base64')}`;
const unverified = { N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' };

// The same n8n is started again and again.
describe('by environment', () => {
	test('n8n does not start if the checksum is missing', async () => {
		await expect(start({})).rejects.toThrow('no checksum available');
	});

	test('n8n starts without the package if the checksum is wrong', async () => {
		const { hasNodes, log } = await start({ checksum: wrong });
		expect(hasNodes).toBe(false);
		expect(log).toContain('Failed to install community package');
	});

	test('a wrong checksum is refused with unverified packages, too', async () => {
		expect(await start({ checksum: wrong }, unverified)).toMatchObject({ hasNodes: false });
	});

	test('the variables in docs/admin.md install the package', async () => {
		const [variables = ''] = documented();
		const env = Object.fromEntries(
			[...variables.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
		);
		expect(Object.keys(env)).toHaveLength(3);
		expect(await start({}, env)).toMatchObject({ hasNodes: true });
	});

	test('n8n compares versions only, so a wrong checksum of the installed version changes nothing', async () => {
		expect(await start({ checksum: wrong })).toMatchObject({ hasNodes: true });
	});

	test('an update with a wrong checksum keeps the installed version', async () => {
		await registry.publish(packed, '0.1.1');
		const { hasNodes, log } = await start({ version: '0.1.1', checksum: wrong });
		expect(hasNodes).toBe(true);
		expect(log).toContain('Failed to update community package');
	});

	test('a new container on an existing database has the package again only with unverified packages', async () => {
		rmSync(join(folder, 'n8n/.n8n/nodes'), { recursive: true });
		const env = { N8N_REINSTALL_MISSING_PACKAGES: 'true' };
		expect(await start({ checksum }, env)).toMatchObject({ hasNodes: false });
		await stopAll();
		expect(await start({ checksum }, { ...env, ...unverified })).toMatchObject({ hasNodes: true });
	});

	test('no checksum is needed with unverified packages', async () => {
		expect(await start({}, unverified, 'unverified')).toMatchObject({ hasNodes: true });
	});
});

describe('docs/admin.md', () => {
	test('has three blocks of commands', () => {
		expect(documented()).toHaveLength(3);
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
		const { stdout, stderr } = run(`export npm_config_fetch_retries=0\n${documented()[2]}`);
		expect(stdout).toContain('added 1 package');
		// The test cannot reach this host.
		expect(stderr).toContain('sigstore.dev');
	});
});

test('npm run test:image passes with an engine that runs n8n', () => {
	const script = join(hostDir, 'src/cli/testImage.ts');
	const engine = join(hostDir, 'test/support/fakeEngine.mjs');
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('JEST_')));
	const { stdout, stderr } = spawnSync(process.execPath, [script, '2.41.1', '--engine', engine], {
		encoding: 'utf8',
		env: { ...env, NODE_ENV: '' },
		timeout: 280_000,
	});
	expect([stdout.trim().split('\n').at(-1), stderr]).toEqual(['The package works in docker.io/n8nio/n8n:2.41.1.', '']);
});
