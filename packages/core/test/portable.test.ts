/**
 * core runs wherever there is ECMAScript: in n8n, in a browser, in a worker. Its tsconfig.json has no types of Node or of a browser, so
 * that process, Buffer, URL, setTimeout, fetch and console are unknown names there.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const compiler = path.resolve(__dirname, '../../../node_modules/typescript/bin/tsc');

test('core uses nothing but ECMAScript', () => {
	const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', path.resolve(__dirname, '../src')]);
	expect([String(stdout), status]).toEqual(['', 0]);
}, 60_000);
