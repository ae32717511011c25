/** Columns that are read from the item without n8n's expression engine, and what is left to it. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { columnIn, columnPath } from '../nodes/shared/columnPath.ts';
import { Parameters } from '../nodes/shared/parameters.ts';

describe('an expression', () => {
	it.each([
		['={{ $json.amount }}', ['amount']],
		['={{$json.amount}}', ['amount']],
		["={{ $json['Amount due'] }}", ['Amount due']],
		['={{ $json["it\'s"].list[0].net }}', ["it's", 'list', '0', 'net']],
	])('%s is a mere path', (expression, steps) => {
		expect(columnPath(expression)).toEqual(steps);
	});

	it.each([
		'={{ $json.amount * 2 }}',
		'={{ $json.amount }}{{ $json.net }}',
		'={{ $json.amount }} ',
		'={{ $json?.amount }}',
		'={{ $json.amount.toFixed(2) }}',
		"={{ $('Edit Fields').item.json.amount }}",
		"={{ $json['a\\'b'] }}",
		'={{ $json }}',
		'{{ $json.amount }}',
		42,
	])('%s is left to the engine', (expression) => {
		expect(columnPath(expression)).toBeUndefined();
	});
});

describe('a column', () => {
	it('is what the item has there', () => {
		expect(columnIn({ a: [{ b: 0 }] }, ['a', '0', 'b'])).toBe(0);
		expect(columnIn({ a: '' }, ['a'])).toBe('');
		expect(columnIn({ a: false }, ['a'])).toBe(false);
	});

	it('is left to the engine where the item has no plain value of its own', () => {
		for (const [json, steps] of [
			[{ a: 1 }, ['b']],
			[{ a: null }, ['a']],
			[{ a: { b: 1 } }, ['a']],
			[{ a: 'text' }, ['a', 'length']],
			[{ a: [1] }, ['a', 'length']],
			[{}, ['constructor', 'name']],
		] as const)
			expect(columnIn(json, steps)).toBeUndefined();
	});
});

it('the engine is asked only for what it alone can tell, once for each item', () => {
	const asked: string[] = [];
	const raw: Record<string, unknown> = { amount: '={{ $json.amount }}', phone: '={{ $json.a + $json.b }}', fixed: 'x' };
	const getNodeParameter = (name: string, item: number, fallback: unknown, options?: { rawExpressions?: boolean }) => {
		if (options?.rawExpressions === true) return raw[name] ?? fallback;
		asked.push(`${name} ${item}`);
		return name === 'fixed' ? 'x' : undefined;
	};
	const parameters = Parameters.ofItems({
		getNodeParameter,
		getInputData: () => [{ json: { amount: 10 } }, { json: { amount: '20' } }, { json: {} }],
	} as unknown as IExecuteFunctions);
	expect([0, 1, 2].map((item) => parameters.value('amount', item))).toEqual([10, '20', undefined]);
	expect([0, 1].map((item) => parameters.value('fixed', item))).toEqual(['x', 'x']);
	parameters.value('phone', 1);
	expect(asked).toEqual(['amount 2', 'fixed 0', 'fixed 1', 'phone 1']);
});
