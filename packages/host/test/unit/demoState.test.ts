import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { leaveHandover, takeHandover } from '../../src/demoState.ts';
import { hostDir } from '../../src/paths.ts';

let parent: string;

beforeEach(async () => {
	parent = await mkdtemp(join(tmpdir(), 'demo-state-'));
});

afterEach(() => rm(parent, { recursive: true, force: true }));

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test('the state of the demo is readable only by its owner, also in a folder that everybody could read', async () => {
	const dir = join(parent, 'demo');
	await mkdir(dir);
	await chmod(dir, 0o755);
	// In a separate process, because the sandbox, which makes the certificates, uses ES modules.
	const script = `import { openDemoState } from '${pathToFileURL(join(hostDir, 'src/demoState.ts')).href}';
		await openDemoState(process.argv[1]);`;
	execFileSync(process.execPath, ['--input-type=module', '--eval', script, dir], { cwd: hostDir });
	expect(await modeOf(dir)).toBe('700');
	expect(await modeOf(join(dir, 'secrets.json'))).toBe('600');
	// Generates keys, which is slow on a busy machine.
}, 60_000);

test('the handover to the next start is valid for one start, and readable only by its owner', async () => {
	const left = { tokens: new Map([['a', { payload: {}, expiresAt: Infinity }]]), credentials: 'made' };
	await leaveHandover(parent, left);
	expect(await modeOf(join(parent, 'handover'))).toBe('600');
	expect(await takeHandover(parent)).toEqual(left);
	expect(await takeHandover(parent)).toBeUndefined();
});
