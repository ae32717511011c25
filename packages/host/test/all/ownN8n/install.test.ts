import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { localName } from '../../../src/localRegistry.ts';
import { installBed, second, third, version } from '../../support/installBed.ts';

const bed = installBed();

test('the variables in docs/admin.md install the package; they need no checksum, and refuse a wrong one', async () => {
	const [variables = ''] = bed().documented();
	const env = Object.fromEntries(
		[...variables.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
	);
	expect(Object.keys(env)).toHaveLength(3);
	const packages = JSON.parse(env['N8N_COMMUNITY_PACKAGES'] ?? '') as object[];
	const checksum = `sha512-${Buffer.from(randomBytes(64)).toString('base64')}`;
	const others = [
		{ name: second, version, checksum },
		{ name: third, version },
	];
	expect((await bed().start([...packages, ...others], env)).loaded).toEqual([localName, third]);
});

describe('docs/admin.md', () => {
	test('has four blocks of commands', () => {
		expect(bed().documented()).toHaveLength(4);
	});

	/** Runs commands in an empty folder; npm uses the registry on loopback. */
	const run = (commands: string) => {
		const cwd = mkdtempSync(join(bed().folder, 'shell-'));
		return spawnSync('bash', ['-c', commands], { cwd, encoding: 'utf8', env: { ...process.env, ...bed().npmEnv } });
	};

	test('its command prints the checksum', () => {
		expect(run(bed().documented()[1] ?? '').stdout.trim()).toBe(bed().checksum);
	});

	test('its commands for the provenance install one package and ask for the keys of sigstore', () => {
		const { stdout, stderr } = run(`export npm_config_fetch_retries=0\n${bed().documented()[3]}`);
		expect(stdout).toContain('added 1 package');
		// The test cannot reach this host.
		expect(stderr).toContain('sigstore.dev');
	});
});
