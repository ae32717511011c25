/** Payment runs and sequences that are accepted must be the same on the next run. n8n's own engine evaluates the expressions. */
import { definitions, InputError } from '@bank/core';
import {
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeTypes,
	type NodeParameterValueType,
	Workflow,
} from 'n8n-workflow';

import { checkPaymentRun, checkSequences } from '../nodes/Bank/forms/identifiers.ts';
import { Parameters } from '../nodes/shared/form/parameters.ts';
import type { Run } from '../nodes/shared/form/run.ts';
import { runOf } from './pipeline/support.ts';

// The real `sleep`: expressions are evaluated twice, with time in between.
jest.mock('n8n-workflow', () => jest.requireActual<object>('n8n-workflow'));

/** @returns why the parameters are rejected; undefined if they are valid */
async function refusalOf(
	parameters: INodeParameters,
	json: IDataObject = {},
	check: (run: Run) => Promise<void> = checkPaymentRun,
): Promise<string | undefined> {
	const node: INode = { id: '1', name: 'Bank', type: 'bank', typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({
		// n8n drops parameters that the node type does not have.
		nodes: [structuredClone(node)],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => ({ description: { properties: [] } }) } as unknown as INodeTypes,
		settings: { timezone: 'Europe/Moscow' },
	});
	const evaluated = (text: string): NodeParameterValueType =>
		workflow.expression.resolveSimpleParameterValue(text, {}, null, 0, 0, node.name, [{ json }], 'manual', {
			$execution: { id: String(executions++), mode: 'test', resumeUrl: '', resumeFormUrl: '' },
		});
	const { context, ...run } = runOf(definitions.payment.sendPackage);
	const asked = {
		...run,
		context: { ...context, getNode: () => node, evaluateExpression: (text: string) => evaluated(`=${text}`) },
		parameters: new Parameters((name, _item, fallback) => {
			const mapped = (parameters.columns as { value?: INodeParameters } | undefined)?.value;
			const written = name.startsWith('columns.value') ? mapped?.sequence : (parameters[name] ?? fallback);
			return typeof written === 'string' && written.startsWith('=') ? evaluated(written) : written;
		}),
	};
	try {
		await check(asked as typeof asked & { context: typeof context });
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return error.message;
	}
}

let executions = 1;

it.each([
	'={{ $today }}',
	'={{ $now }}',
	"={{ $now.format('yyyy-MM-dd HH:mm:ss') }}",
	'={{ $now.toISO() }}',
	'={{ $now.day }}',
	"={{ DateTime.local().toFormat('HH') }}",
	'={{ Date.now() }}',
	'={{ new Date().getDate() }}',
	"={{ DateTime.local({ zone: 'Europe/Moscow' }).toISODate() }}",
	'={{ Date().slice(0, 10) }}',
	"={{ Date['now']() }}",
	'={{ $execution.id }}',
	'={{ $itemIndex }}',
	'=run {{ Math.random() }}',
	'={{ $workflow.name }}',
	'={{ $prevNode.name }}',
])('%s differs on each run and is refused', async (paymentRun) => {
	expect(await refusalOf({ paymentRun })).toContain('paymentRun must be the same on every run');
});

it.each([
	"={{ $now.format('yyyy-MM') }}",
	"=salary-{{ $today.minus({ months: 1 }).toFormat('LLLL yyyy') }}",
	"={{ $now.startOf('month').toISODate() }}",
	'={{ new Date().getFullYear() }}',
	'={{ Date().slice(11, 15) }}',
])('%s is a month or year and is accepted', async (paymentRun) => {
	expect(await refusalOf({ paymentRun })).toBeUndefined();
});

it.each([
	'salary-2026-11',
	'Day of $now',
	'Invoice [42]',
	'={{ $json.invoice }}',
	"={{ new Date('2026-11-22').getDate() }}",
	'=salary {{ $json.month }}',
])('%s is always the same and is accepted', async (paymentRun) => {
	expect(await refusalOf({ paymentRun }, { invoice: 42, month: '2026-11' })).toBeUndefined();
});

it.each([
	'={{ $json.payout }}',
	'=salary {{ $json.payout }}',
	'={{ String($json.payout) }}',
	"={{ DateTime.fromISO('2026-11-22') }}",
	"={{ DateTime.fromISO('x').toFormat('yyyy-MM') }}",
])('%s returns an object or its text, and is refused', async (paymentRun) => {
	const refusal = await refusalOf({ paymentRun }, { payout: { name: 'salary' }, months: ['2026-11'] });
	expect(refusal).toContain('paymentRun must be text or a number, but its expression returns an object');
});

describe('a sequence', () => {
	const listWith = (sequence: string) =>
		`={{ $json.rows.map((row) => ({ ...row, paymentDescription: 'run ' + $execution.id + $now.toISO(), sequence: ${sequence} })) }}`;
	const ways: [string, (sequence: string) => INodeParameters][] = [
		['of input items', (sequence) => ({ recipientsFrom: 'items', sequence: `={{ ${sequence} }}` })],
		['beside columns', (sequence) => ({ recipientsFrom: 'columns', sequence: `={{ ${sequence} }}` })],
		['of a list', (sequence) => ({ recipientsFrom: 'list', payments: listWith(sequence) })],
	];
	const json = { invoice: 'I-1', rows: [{ invoice: 'I-1' }, { invoice: 'I-2' }] };

	describe.each(ways)('%s', (_way, parametersWith) => {
		it.each(['$execution.id', '$now.toMillis()', "'p-' + Math.random()"])(
			'%s differs on each run and is refused',
			async (sequence) => {
				const refusal = await refusalOf(parametersWith(sequence), json, checkSequences);
				expect(refusal).toContain('sequence must be the same on every run');
			},
		);

		it.each(["'p-1'", "'salary ' + $now.format('yyyy-MM')"])(
			'%s is always the same and is accepted',
			async (sequence) => {
				expect(await refusalOf(parametersWith(sequence), json, checkSequences)).toBeUndefined();
			},
		);
	});

	it('that is an item position is refused', async () => {
		const parameters = { recipientsFrom: 'items', sequence: '=payout-{{ $itemIndex + 1 }}' };
		expect(await refusalOf(parameters, json, checkSequences)).toContain('item positions');
	});

	it.each([
		{ recipientsFrom: 'items', sequence: '={{ $json.invoice }}' },
		{ recipientsFrom: 'items', sequence: '' },
		{ recipientsFrom: 'columns' },
		{ recipientsFrom: 'list', payments: '={{ $json.rows }}' },
		{ recipientsFrom: 'list', payments: listWith('row.invoice') },
	])('from the rows is accepted: %j', async (parameters) => {
		expect(await refusalOf(parameters, json, checkSequences)).toBeUndefined();
	});
});
