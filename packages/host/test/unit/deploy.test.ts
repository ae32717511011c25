/** The compose files for users. Starts no container. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DCLinter } from 'dclint';
import { parse } from 'yaml';

import { repoDir } from '../../src/paths.ts';

interface Compose {
	services: Record<
		string,
		{ image: string; command?: unknown; environment?: Record<string, string>; volumes?: string[] }
	>;
}

const deployDir = join(repoDir, 'deploy');
const files = globSync('compose.*.yaml', { cwd: deployDir });
const composed = files.map(
	(file) => [file, parse(readFileSync(join(deployDir, file), 'utf8'), { merge: true }) as Compose] as const,
);
const processesOf = ({ services }: Compose) => Object.values(services).filter(({ image }) => image.includes('/n8n:'));

it('there are compose files for a single n8n and for queue mode', () => {
	expect(files.toSorted()).toEqual(['compose.queue.yaml', 'compose.single.yaml']);
});

/** Violations of the specification, without matters of style such as the order of keys. */
function faultsIn(path: string) {
	const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
	const messages = linter.lintFiles([path], false).flatMap((file) => file.messages);
	return messages.filter(({ type }) => type === 'error').map(({ message }) => message);
}

it('the compose files follow the specification', () => {
	expect(faultsIn(deployDir)).toEqual([]);
});

it('a setting that the specification does not know is reported', () => {
	const folder = mkdtempSync(join(tmpdir(), 'compose-'));
	const text = readFileSync(join(deployDir, 'compose.single.yaml'), 'utf8');
	writeFileSync(join(folder, 'compose.yaml'), text.replace('restart:', 'restrat:'));
	expect(faultsIn(folder)).toEqual([expect.stringContaining('/services/n8n')]);
	rmSync(folder, { recursive: true });
});

/** The path of nginx: CI has that of Debian's package. */
const nginx = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find((path) => existsSync(path));
if (process.env.CI !== undefined && nginx === undefined)
	throw new Error('nginx is missing, and in CI nothing is skipped');

const proxies = ['deploy/README.md', 'docs/admin.md'].flatMap((file) =>
	[...readFileSync(join(repoDir, file), 'utf8').matchAll(/```nginx\n([\s\S]*?)```/g)].map(
		([, text = '']) => [file, text] as const,
	),
);

it('each document with a proxy is tested', () => {
	expect(proxies.map(([file]) => file)).toEqual(['deploy/README.md', 'docs/admin.md']);
});

(nginx === undefined ? it.skip : it).each(proxies)('nginx takes the proxy of %s', (_, text) => {
	const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
	// Users replace the certificate and the host name.
	const own = text.replace('listen 443 ssl', 'listen 443').replaceAll('http://n8n:', 'http://127.0.0.1:');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
	writeFileSync(
		join(folder, 'nginx.conf'),
		`pid ${folder}/pid; events {} http { access_log off; ${temporary.join(' ')}\n${own}}`,
	);
	const args = ['-t', '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
	const { status, stderr } = spawnSync(nginx ?? '', args, { encoding: 'utf8' });
	rmSync(folder, { recursive: true });
	expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
});

it.each(composed)('%s names n8n by a variable, and gives all of its processes the same settings', (_, compose) => {
	const processes = processesOf(compose);
	expect(processes.length).toBeGreaterThan(0);
	for (const { image, environment } of processes) {
		expect(image).toMatch(/\/n8n:\$\{N8N_VERSION\b/);
		expect(environment).toEqual(processes[0]?.environment);
		expect(environment).toMatchObject({
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_REINSTALL_MISSING_PACKAGES: 'true',
			// Otherwise a container without a volume would not reinstall the package.
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
			N8N_ENCRYPTION_KEY: expect.stringContaining('${N8N_ENCRYPTION_KEY') as string,
			N8N_WEBHOOK_URL: expect.stringContaining('{N8N_PUBLIC_URL') as string,
		});
		const filledIn = (environment?.N8N_COMMUNITY_PACKAGES ?? '').replace(/\$\{(\w+)[^}]*\}/g, '$1');
		expect(JSON.parse(filledIn)).toEqual([
			{ name: 'n8n-nodes-bank', version: 'BANK_NODES_VERSION', checksum: 'BANK_NODES_CHECKSUM' },
		]);
	}
});

it.each(composed)(
	'in %s no process but the main one keeps its folder, and with it an old version of the package',
	(_, compose) => {
		for (const { command, volumes = [] } of processesOf(compose))
			expect(volumes).toHaveLength(command === undefined ? 1 : 0);
	},
);

it.each(composed)('%s reads the variables of .env.example', (file, _) => {
	const asked = [...readFileSync(join(deployDir, file), 'utf8').matchAll(/\$\{(\w+)(?:\}|:\?)/g)].map(
		([, name]) => name,
	);
	const given = [...readFileSync(join(deployDir, '.env.example'), 'utf8').matchAll(/^(\w+)=/gm)].map(
		([, name]) => name,
	);
	expect(asked.filter((name) => !given.includes(name))).toEqual([]);
});

it.each(composed)('docs/admin.md explains every setting of %s', (_, compose) => {
	const text = readFileSync(join(repoDir, 'docs/admin.md'), 'utf8');
	const names = processesOf(compose).flatMap(({ environment = {} }) => Object.keys(environment));
	expect([...new Set(names)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

// n8n 2.41 serves these only if webhooks are enabled (`abstract-server.js`); other main processes respond with the editor.
it.each(['deploy/README.md', 'deploy/compose.queue.yaml', 'docs/admin.md'])(
	'%s sends to the webhook processes all that starts or resumes a workflow, forms too',
	(file) => {
		const text = readFileSync(join(repoDir, file), 'utf8');
		const paths = ['webhook', 'webhook-waiting', 'form', 'form-waiting', 'mcp'];
		expect(paths.filter((path) => !new RegExp(`[/(|]${path}[/)|]`).test(text))).toEqual([]);
	},
);
