/** What a person sets in the options, as the rooms take it. */
import { outputOf } from '../../nodes/shared/run/output.ts';
import { againOf } from '../../nodes/shared/run/again.ts';
import { arrayFormatIn, guardWorkflowOf, journalOf } from '../../nodes/shared/run/settings.ts';
import { faultsOf, list, make, runOf } from './support.ts';

const withOptions = (options: Record<string, unknown>) => runOf(make, { parameters: { options } });
const nothing = [undefined, null, '', ' ', {}, []];

it.each(nothing)('an expression that gives %j sets nothing', (value) => {
	expect(arrayFormatIn({ arrayFormat: value as never })).toEqual({});
	expect(journalOf(withOptions({ journal: value }))).toBeUndefined();
	expect(guardWorkflowOf(withOptions({ guardWorkflow: value }))).toBeUndefined();
	expect(guardWorkflowOf(withOptions({ guardWorkflow: { __rl: true, value } }))).toBeUndefined();
	expect(againOf(withOptions({ sendAgain: value }), [0])).toBeUndefined();
});

it('spaces around what is set mean nothing', () => {
	expect(arrayFormatIn({ arrayFormat: ' comma ' })).toEqual({ arrayFormat: 'comma' });
	expect(journalOf(withOptions({ journal: ' Payouts ' }))).toBe('Payouts');
	expect(againOf(withOptions({ sendAgain: ' once more ' }), [0])).toBe('once more');
});

it.each([' w-1 ', { __rl: true, mode: 'id', value: ' w-1' }])(
	'a workflow is known however n8n gives the choice: %j',
	(guardWorkflow) => {
		expect(guardWorkflowOf(withOptions({ guardWorkflow }))).toBe('w-1');
	},
);

it.each(['={{ $json.nope }}', { __rl: true, mode: 'id', value: '={{ $json.nope }}' }])(
	'an expression that names no workflow is refused, for the others would not know what it sent: %j',
	async (guardWorkflow) => {
		const found = await faultsOf(() => guardWorkflowOf(withOptions({ guardWorkflow })));
		expect(found).toEqual([expect.objectContaining({ path: 'guardWorkflow' })]);
	},
);

it('items that go in one request say the same about sending it again', async () => {
	const items = [{ word: 'x' }, {}, { word: 'x' }];
	const run = runOf(make, { items, parameters: { options: { sendAgain: '={{ $json.word }}' } } });
	expect(againOf(run, [0, 2])).toBe('x');
	expect(await faultsOf(() => againOf(run, [0, 1, 2]))).toEqual([
		expect.objectContaining({ path: 'sendAgain', item: 1 }),
	]);
});

it.each([
	[{ output: 'all' }, 'output', 'must be simple, raw or fields'],
	[{ output: 'fields' }, 'fields', 'is required'],
	[{ output: 'fields', fields: ' , ' }, 'fields', 'is required'],
])('an output of %j is refused: nothing of the rows would be left', async (parameters, path, message) => {
	expect(await faultsOf(() => outputOf(runOf(list, { parameters }), 0, Object))).toEqual([{ path, message }]);
});
