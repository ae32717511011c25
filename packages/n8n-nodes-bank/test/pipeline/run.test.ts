/** Values that are read once per run. */
import { oncePerRun } from '../../nodes/shared/pipeline/run.ts';
import { make, runOf } from './support.ts';

it('what a credential holds is read once in a run, however many packages are signed with it, and anew in the next', async () => {
	let readings = 0;
	const read = oncePerRun(async () => ++readings);
	const [run, next] = [runOf(make), runOf(make)];
	expect(await Promise.all([read(run), read(run)])).toEqual([1, 1]);
	expect(await read(run)).toBe(1);
	expect(await read(next)).toBe(2);
});
