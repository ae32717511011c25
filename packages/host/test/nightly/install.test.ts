/** What docs/admin.md says about n8n's own installer of packages, and `npm run test:image`. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { localName } from '../../src/localRegistry.ts';
import { hostDir, nodesPackageDir } from '../../src/paths.ts';
import { installBed, second, third, version } from '../support/installBed.ts';

const bed = installBed();
const wrong = `sha512-${Buffer.from(randomBytes(64)).toString('base64')}`;

test('n8n does not start if the checksum is missing', async () => {
	await expect(bed().start([{ name: localName, version }])).rejects.toThrow('no checksum available');
});

test('a wrong checksum installs and updates nothing; n8n does not compare that of the installed version', async () => {
	const { checksum, checksumOfThird } = bed();
	const installed = [
		{ name: localName, version, checksum },
		{ name: third, version, checksum: checksumOfThird },
	];
	expect((await bed().start(installed)).loaded).toEqual([localName, third]);
	await bed().stopAll();
	const { loaded, log } = await bed().start([
		{ name: localName, version, checksum: wrong },
		{ name: second, version, checksum: wrong },
		{ name: third, version: '0.1.1', checksum: wrong },
	]);
	expect(loaded).toEqual([localName, third]);
	expect(log).toContain('Failed to install community package');
	expect(log).toContain('Failed to update community package');
});

test('a new container on an existing database has the packages again only with unverified packages', async () => {
	rmSync(join(bed().folder, 'n8n/.n8n/nodes'), { recursive: true });
	const packages = [
		{ name: localName, version, checksum: bed().checksum },
		{ name: third, version, checksum: bed().checksumOfThird },
	];
	const env = { N8N_REINSTALL_MISSING_PACKAGES: 'true' };
	expect((await bed().start(packages, env)).loaded).toEqual([]);
	await bed().stopAll();
	const unverified = { N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' };
	expect((await bed().start(packages, { ...env, ...unverified })).loaded).toEqual([localName, third]);
});

test('a tarball is installed without a registry, as docs/admin.md describes', async () => {
	const home = mkdtempSync(join(bed().folder, 'offline-'));
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
	const commands =
		bed()
			.documented()
			.find((block) => block.includes('--offline')) ?? '';
	shell(commands.replace(/\/path\/to\/\S+/, join(home, tarball)));
	const { rest } = await bed().n8n(home, {});
	const nodeInfos = [{ name: 'n8n-nodes-bank.bank', version: 1 }];
	expect(await rest.request('POST', '/rest/node-types', { nodeInfos })).toHaveLength(1);
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
