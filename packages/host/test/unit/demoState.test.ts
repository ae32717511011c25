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

test("what the demo keeps is its owner's alone, also in a folder that was readable for everybody", async () => {
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

test('what a start leaves to the next is good for one start, and readable for nobody else', async () => {
	const left = { tokens: new Map([['a', { payload: {}, expiresAt: Infinity }]]), credentials: 'made' };
	await leaveHandover(parent, left);
	expect(await modeOf(join(parent, 'handover'))).toBe('600');
	expect(await takeHandover(parent)).toEqual(left);
	expect(await takeHandover(parent)).toBeUndefined();
});
