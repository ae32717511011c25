#!/usr/bin/env node
// Replaces Podman and Docker in the test of imageCheck.ts: runs the n8n of packages/host/n8n with only the variables that a container
// would have.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const [command, ...args] = process.argv.slice(2);
if (command === 'run') run();

function run() {
	const names = [];
	while (args[0]?.startsWith('--')) if (args.shift() === '--env') names.push(args.shift());
	const [image, ...n8nArgs] = args;
	if (!/^docker\.io\/n8nio\/n8n:[\w.]+$/.test(image)) throw new Error(`No image: ${image}`);
	const env = Object.fromEntries(names.map((name) => [name, process.env[name]]));
	const modules = join(import.meta.dirname, '../../n8n/node_modules');
	const own = {
		PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
		NODE_ENV: 'production',
		// n8n starts faster with a compile cache.
		NODE_COMPILE_CACHE: join(modules, '.compile-cache'),
	};
	const child = spawn(process.execPath, [join(modules, 'n8n/bin/n8n'), ...n8nArgs], {
		env: { ...own, ...env },
		stdio: 'inherit',
	});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	child.on('exit', (code) => process.exit(code ?? 1));
}
