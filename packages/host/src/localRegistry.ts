import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { OwnedProcess } from './ownedProcess.ts';
import { hostDir } from './paths.ts';
import { freePort } from './ports.ts';

/** n8n needs a paid license to use another default registry; npm can use one for a scope. */
export const localName = '@local/n8n-nodes-bank';

export interface LocalRegistry {
	url: string;
	/** Environment of an n8n that installs the package from this registry and reaches only loopback. */
	npmEnv: Record<string, string>;
	/** Publishes an unpacked tarball in this version, by default as `localName`, and returns its checksum. */
	publish(packed: string, version: string, name?: string): Promise<string>;
	stop(): Promise<void>;
}

/** An npm registry on loopback without uplinks. All its files, including npm's cache, are in `folder`. */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
	const dir = join(folder, 'registry');
	await mkdir(dir, { recursive: true });
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const config = {
		storage: join(dir, 'storage'),
		uplinks: {},
		packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } },
		web: { enable: false },
		log: { type: 'stdout', format: 'pretty', level: 'warn' },
	};
	// JSON is valid YAML.
	await writeFile(join(dir, 'config.yaml'), JSON.stringify(config));
	const args = [
		join(hostDir, 'node_modules/verdaccio/bin/verdaccio'),
		...['--config', join(dir, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
	];
	const verdaccio = new OwnedProcess({ command: process.execPath, args, cwd: dir, env: process.env });
	await verdaccio.until('The start of verdaccio', async () => {
		const response = await fetch(`${url}/-/ping`).catch(() => undefined);
		await response?.body?.cancel();
		return response?.ok;
	});

	const userconfig = join(dir, '.npmrc');
	// npm publishes with a token only; the registry accepts any.
	const npmrc = [`registry=${url}/`, `@local:registry=${url}/`, `//127.0.0.1:${port}/:_authToken=any`, ''];
	await writeFile(userconfig, npmrc.join('\n'));
	const cache = join(dir, 'npm-cache');
	const settings = { userconfig, cache, audit: 'false', fund: 'false', update_notifier: 'false' };
	// npm passes its settings on in lower case; users may have set them in upper case.
	const npmEnv = inBothCases(settings, (key) => `npm_config_${key}`);
	return {
		url,
		npmEnv: { ...npmEnv, ...onlyLoopback() },
		async publish(packed, version, name = localName) {
			await promisify(execFile)('npm', ['publish', '--ignore-scripts', '--provenance=false', '--tag=latest'], {
				cwd: await relabel(packed, join(dir, name, version), name, version),
				env: { ...process.env, ...npmEnv },
				shell: process.platform === 'win32',
			}).catch((error: Error & { stderr?: string }) => {
				throw new Error(`npm publish did not succeed: ${error.stderr ?? error.message}\n${verdaccio.logTail()}`);
			});
			const response = await fetch(`${url}/${encodeURIComponent(name)}/${version}`);
			const { dist } = (await response.json()) as { dist: { integrity: string } };
			return dist.integrity;
		},
		stop: async () => void (await verdaccio.stop()),
	};
}

/** Copies the unpacked tarball with another name, version and publishing settings. */
async function relabel(packed: string, target: string, name: string, version: string): Promise<string> {
	await cp(packed, target, { recursive: true });
	const { publishConfig: _, ...manifest } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as object &
		Record<'publishConfig', unknown>;
	const text = JSON.stringify({ ...manifest, name, version }, undefined, '\t');
	await writeFile(join(target, 'package.json'), text);
	return target;
}

/** Before an install n8n asks its own server and the public registry about the package, and continues without an answer. */
function onlyLoopback(): Record<string, string> {
	const nowhere = 'http://127.0.0.1:9';
	const settings = { http_proxy: nowhere, https_proxy: nowhere, all_proxy: nowhere, no_proxy: '127.0.0.1,localhost' };
	return inBothCases(settings, (key) => key);
}

function inBothCases(settings: Record<string, string>, name: (key: string) => string): Record<string, string> {
	return Object.fromEntries(
		Object.entries(settings).flatMap(([key, value]) => [
			[name(key), value],
			[name(key).toUpperCase(), value],
		]),
	);
}
