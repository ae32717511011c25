/** What a payout may be called: whatever is the same when it is run again. The expressions are evaluated by n8n's own engine. */
import { definitions, InputError } from '@bank/core';
import { type IDataObject, type INode, type INodeTypes, type NodeParameterValueType, Workflow } from 'n8n-workflow';

import { checkPaymentRun } from '../nodes/Bank/forms/paymentRun.ts';
import { Parameters } from '../nodes/shared/parameters.ts';
import { runOf } from './run/support.ts';

/** @returns why it is refused; nothing where it is not */
async function refusalOf(paymentRun: string, json: IDataObject = {}): Promise<string | undefined> {
	const node: INode = {
		id: '1',
		name: 'Bank',
		type: 'bank',
		typeVersion: 1,
		position: [0, 0],
		parameters: { paymentRun },
	};
	const workflow = new Workflow({
		// The workflow leaves only those parameters that the type of the node has.
		nodes: [structuredClone(node)],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => ({ description: { properties: [] } }) } as unknown as INodeTypes,
		settings: { timezone: 'Europe/Moscow' },
	});
	const evaluated = (text: string): NodeParameterValueType =>
		workflow.expression.resolveSimpleParameterValue(text, {}, null, 0, 0, node.name, [{ json }], 'manual', {});
	const { context, ...run } = runOf(definitions.payment.sendPackage);
	const asked = {
		...run,
		context: { ...context, getNode: () => node, evaluateExpression: (text: string) => evaluated(`=${text}`) },
		parameters: new Parameters(() => (paymentRun.startsWith('=') ? evaluated(paymentRun) : paymentRun)),
	};
	try {
		await checkPaymentRun(asked as typeof asked & { context: typeof context });
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return error.message;
	}
}

it.each([
	'={{ $today }}',
	'={{ $now }}',
	"={{ $today.toFormat('yyyy-MM-dd') }}",
	"={{ $now.format('yyyy-MM-dd HH:mm:ss') }}",
	"=salary {{ $now.setZone('UTC').toFormat('dd.MM') }}",
	'={{ $today.toISODate() }}',
	'={{ $now.toISO() }}',
	'={{ $now.day }}',
	'={{ DateTime.now().toISO() }}',
	"={{ DateTime.local().toFormat('HH') }}",
	'={{ Date.now() }}',
	'={{ new Date().getDate() }}',
	'={{ new Date() }}',
	'={{ $execution.id }}',
	'={{ $itemIndex }}',
	'=run {{ Math.random() }}',
])('%s is another one each time, and refused', async (paymentRun) => {
	expect(await refusalOf(paymentRun)).toContain('paymentRun must not come from a clock');
});

it.each([
	"={{ $now.format('yyyy-MM') }}",
	"=salary-{{ $today.minus({ months: 1 }).toFormat('LLLL yyyy') }}",
	"={{ $now.startOf('month').toISODate() }}",
	'={{ $now.year }}-W{{ $now.weekNumber }}',
	'={{ new Date().getFullYear() }}',
])('%s says which month or week it is, and is taken', async (paymentRun) => {
	expect(await refusalOf(paymentRun)).toBeUndefined();
});

it.each([
	'salary-2026-11',
	'2026-11-22',
	'Day of $now',
	'Invoice [42]',
	'={{ $json.invoice }}',
	'=salary {{ $json.month }}',
])('%s stays the same, and is taken', async (paymentRun) => {
	expect(await refusalOf(paymentRun, { invoice: 42, month: '2026-11' })).toBeUndefined();
});

it.each([
	'={{ $json.payout }}',
	'={{ $json.months }}',
	'=salary {{ $json.payout }}',
	'={{ String($json.payout) }}',
	"={{ DateTime.fromISO('2026-11-22') }}",
	"={{ DateTime.fromISO('x').toFormat('yyyy-MM') }}",
])('%s gives an object or what is written in its place, and is refused', async (paymentRun) => {
	const refusal = await refusalOf(paymentRun, { payout: { name: 'salary' }, months: ['2026-11'] });
	expect(refusal).toContain('paymentRun must be a text or a number, and its expression gives an object');
});
