/** Columns that are read from the item without n8n's expression engine, and expressions that need it. */
import * as fc from 'fast-check';
import { type IExecuteFunctions, type INodeTypes, Workflow } from 'n8n-workflow';

import { Parameters } from '../../nodes/shared/form/parameters.ts';

/** The value of a parameter with this expression; `engine` if n8n is asked for it. */
function read(expression: unknown, json: object): unknown {
	const getNodeParameter = (_name: string, _item: number, _fallback: unknown, { rawExpressions = false } = {}) =>
		rawExpressions ? expression : 'engine';
	const getInputData = () => [{ json }];
	return Parameters.ofItems({ getNodeParameter, getInputData } as unknown as IExecuteFunctions).value('field', 0);
}

describe('an expression', () => {
	it.each([
		['={{ $json.amount }}', 1],
		['={{$json.amount}}', 1],
		["={{ $json['Amount due'] }}", 2],
		['={{ $json["it\'s"].list[0].net }}', 3],
	])('%s is read from the item', (expression, value) => {
		expect(read(expression, { amount: 1, 'Amount due': 2, "it's": { list: [{ net: 3 }] } })).toBe(value);
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
	])('%s needs the engine of n8n', (expression) => {
		expect(read(expression, { amount: 1 })).toBe('engine');
	});
});

describe("beside n8n's own engine", () => {
	const node = {
		id: 'a',
		name: 'Bank',
		type: 'bank',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
	};
	const known = { description: { properties: [] } };
	const nodeTypes = { getByName: () => known, getByNameAndVersion: () => known, getKnownTypes: () => ({}) };
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypes as unknown as INodeTypes,
	});
	const engine = (json: object, expression: string) => {
		const items = [{ json: { ...json } }];
		return workflow.expression.getParameterValue(expression, null, 0, 0, 'Bank', items, 'manual', {});
	};
	const names = [
		'a',
		'b',
		'a b',
		'name',
		'length',
		'if',
		'0',
		'constructor',
		'isEmpty',
		'toString',
		'__proto__',
		'=',
		'ключ',
	];
	const plain = fc.oneof(
		fc.constantFrom(null, '', '={{ 1 + 1 }}', '=1', ' x ', '2026-01-31T00:00:00.000Z', 0, -0, true, false, undefined),
		fc.string(),
		fc.double(),
	);
	const { json } = fc.letrec<{ json: object; value: unknown }>((tie) => ({
		value: fc.oneof(
			{ withCrossShrink: true, maxDepth: 3 },
			plain,
			tie('json'),
			fc.array(tie('value'), { maxLength: 3 }),
		),
		json: fc.dictionary(fc.constantFrom(...names.filter((name) => name !== '__proto__')), tie('value'), { maxKeys: 5 }),
	}));
	const steps = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
	const written = steps.map(
		(path) => `={{ $json${path.map((name) => (/^[a-z_]+$/i.test(name) ? `.${name}` : `['${name}']`)).join('')} }}`,
	);

	it('a column has the value that the engine returns, for any item', () => {
		fc.assert(
			fc.property(json, written, (item, expression) => {
				const looked = read(expression, item);
				if (looked !== 'engine') expect(Object.is(looked, engine(item, expression))).toBe(true);
			}),
			{ numRuns: 1500 },
		);
	});

	it.each([
		'={{ $json.constructor }}',
		'={{ $json.constructorOf }}',
		"={{ $json['__proto__'] }}",
		'={{ $json.a.prototype }}',
	])('%s needs the engine, which refuses it', (expression) => {
		expect(read(expression, {})).toBe('engine');
		expect(() => engine({ constructorOf: 1, a: { prototype: 1 } }, expression)).toThrow();
	});
});

it('the engine evaluates only other expressions, and constants once', () => {
	const asked: string[] = [];
	const raw: Record<string, unknown> = { amount: '={{ $json.amount }}', phone: '={{ $json.a + $json.b }}', fixed: 'x' };
	const getNodeParameter = (name: string, item: number, fallback: unknown, options?: { rawExpressions?: boolean }) => {
		if (options?.rawExpressions === true) return raw[name] ?? fallback;
		asked.push(`${name} ${item}`);
		return raw[name] ?? fallback;
	};
	const parameters = Parameters.ofItems({
		getNodeParameter,
		getInputData: () => [{ json: { amount: 10 } }, { json: { amount: '20' } }, { json: {} }, { json: { amount: [1] } }],
	} as unknown as IExecuteFunctions);
	expect([0, 1, 2].map((item) => parameters.value('amount', item, 'fallback'))).toEqual([10, '20', undefined]);
	expect([0, 1].map((item) => parameters.value('fixed', item))).toEqual(['x', 'x']);
	for (const item of [0, 1]) parameters.value('phone', item);
	parameters.value('amount', 3);
	expect(['one', 'other'].map((fallback) => parameters.value('hidden', 0, fallback))).toEqual(['one', 'other']);
	expect(asked).toEqual(['fixed 0', 'phone 0', 'phone 1', 'amount 3', 'hidden 0', 'hidden 0']);
});
