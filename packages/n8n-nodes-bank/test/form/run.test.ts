/** Values that are read once per run. */
import { oncePerRun } from '../../nodes/shared/form/run.ts';
import { make, runOf } from '../pipeline/support.ts';

it('a value is read once per run, and again in the next run', async () => {
	let readings = 0;
	const read = oncePerRun(async () => ++readings);
	const [run, next] = [runOf(make), runOf(make)];
	expect(await Promise.all([read(run), read(run)])).toEqual([1, 1]);
	expect(await read(run)).toBe(1);
	expect(await read(next)).toBe(2);
});
