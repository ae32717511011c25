import { execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { OwnedProcess } from './ownedProcess.ts';
import { freePort, isPortFree } from './ports.ts';

/** Fresh Redis and PostgreSQL on free ports, which the processes of an n8n in queue mode share. */
export async function startTestServices() {
	const programs = findTestServices();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-stores-'));
	const user = await ownUser(folder);
	const [redisPort, postgresPort] = [await freePort(), await freePort()];
	const data = join(folder, 'postgres');
	const started: OwnedProcess[] = [];
	const stop = async () => {
		for (const each of started.splice(0).reverse()) await each.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		execFileSync(programs.initdb, ['-D', data, '-U', 'n8n', '--auth=trust', '-E', 'UTF8', '--no-sync'], {
			stdio: 'pipe',
			cwd: folder,
			...user,
		});
		// Fast settings: data of tests need not survive.
		const settings = [
			`port=${postgresPort}`,
			'listen_addresses=127.0.0.1',
			'unix_socket_directories=',
			'fsync=off',
		].flatMap((setting) => ['-c', setting]);
		const redis = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
		for (const [name, port, command, args] of [
			['PostgreSQL', postgresPort, programs.postgres, ['-D', data, ...settings]],
			['Redis', redisPort, programs.redis, redis],
		] as const) {
			const service = new OwnedProcess({ command, args: [...args], cwd: folder, env: process.env, ...user });
			started.push(service);
			await service.until(`${name} listening`, async () => !(await isPortFree(port)));
		}
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		/** Settings of n8n for these services. */
		env: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
		},
		stop,
	};
}

/** PostgreSQL refuses to run as root. In that case it runs as the user that its package created. */
async function ownUser(folder: string): Promise<{ uid: number; gid: number } | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const [uid = 0, gid = 0] = ['-u', '-g'].map((option) =>
		Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' })),
	);
	await chown(folder, uid, gid);
	return { uid, gid };
}

/** @throws Error if a program is missing; the message says how to install it */
export function findTestServices() {
	return { redis: find('redis-server'), initdb: find('initdb'), postgres: find('postgres') };
}

function find(program: string): string {
	// Debian does not put PostgreSQL's programs on PATH. The newest version is last.
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
	const folders = [
		...versions.map((version) => join(debian, version, 'bin')),
		...(process.env['PATH'] ?? '').split(delimiter),
	];
	const found = folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
	if (found) return found;
	throw new Error(
		`The queue mode tests need ${program}, which was not found. Install Redis and PostgreSQL ` +
			`(Debian: apt-get install redis-server postgresql; macOS: brew install redis postgresql).`,
	);
}
