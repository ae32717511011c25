/** A part of the tests of this package, told by its name in jest.config.cjs; the counts go where `npm test` adds them up. */
import { spawnSync } from 'node:child_process';

const [part = ''] = process.argv.slice(2);
const { status } = spawnSync('jest', ['--json', `--outputFile=.test-results/${part}.json`], {
	env: { ...process.env, TEST_PART: part },
	stdio: 'inherit',
	shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
