import { seededRandom } from '../../fixtures/src/seededRandom.ts';
import { decimalValue, exactTotal, hundredths, hundredthsText, readRecipients } from '../src/index.ts';
import { bodyOf, issuesOf, prepared } from './support/bank.ts';
import { sampleOf } from './support/samples.ts';

const { body: sample } = sampleOf('payment.sendPackage', 'only the required fields').input as {
	body: { payments: object[] };
};
const packageOf = (amounts: readonly unknown[], total: unknown, change: (index: number) => object = () => ({})) => ({
	body: {
		...sample,
		total,
		payments: amounts.map((amount, index) => ({
			...sample.payments[0],
			amount,
			sequence: `s${index}`,
			...change(index),
		})),
	},
});
const issues = (amounts: readonly unknown[], total: unknown) =>
	issuesOf('payment.sendPackage', packageOf(amounts, total));

/** Parses decimals independently of core. */
function written(size: bigint): string {
	const decimals = String(size % 100n).padStart(2, '0');
	return `${size / 100n}${decimals === '00' ? '' : decimals.endsWith('0') ? `.${decimals[0]}` : `.${decimals}`}`;
}

describe('exact sums', () => {
	const { below } = seededRandom(20260331);
	const cases = Array.from({ length: 2000 }, () => {
		const scale = 10 ** (1 + below(11)); // up to 10^11 hundredths each, 150 of them stay below 10^15
		return Array.from({ length: 1 + below(150) }, () => BigInt(1 + below(scale)));
	});

	test('of 2,000 packages equal integer arithmetic, digit for digit in JSON', () => {
		let floatsDiffer = 0;
		for (const sizes of cases) {
			const sum = written(sizes.reduce((a, b) => a + b));
			const amounts = sizes.map((size) => Number(written(size)));
			expect(JSON.stringify(exactTotal(amounts))).toBe(sum);
			expect(JSON.stringify(exactTotal(sizes.map(written)))).toBe(sum);
			if (JSON.stringify(amounts.reduce((a, b) => a + b)) !== sum) floatsDiffer++;
		}
		expect(floatsDiffer).toBeGreaterThan(500); // otherwise adding floats would give the same results
	});

	test('pass the rule of the package; a hundredth more or less does not', () => {
		for (const sizes of cases.slice(0, 150)) {
			const amounts = sizes.map(written);
			const sum = sizes.reduce((a, b) => a + b);
			expect(prepared('payment.sendPackage', packageOf(amounts, written(sum))).body).toContain(
				`"total":${written(sum)},`,
			);
			for (const wrong of [sum + 1n, sum - 1n].filter((size) => size > 0n)) {
				expect(issues(amounts, written(wrong))).toEqual([
					{ path: 'total', message: expect.stringContaining(`the payments add up to ${written(sum)}`) },
				]);
			}
		}
	});

	test.each([
		[[0.1, 0.2], '0.3'],
		[['+5', '+0.50'], '5.5'],
		[Array.from({ length: 100_000 }, () => 0.01), '1000'],
		[[9999999999999.98, 0.01], '9999999999999.99'],
		[[], '0'],
	])('%#: %s', (amounts, sum) => {
		expect(JSON.stringify(exactTotal(amounts))).toBe(sum);
	});

	test.each([[[1, 0.001]], [[NaN]], [['1e5']], [['']], [[1e21]], [[0.1 + 0.2]], [['1,500']], [['1.500']], [['٣']]])(
		'are undefined for %j',
		(amounts) => {
			expect(exactTotal(amounts)).toBeUndefined();
		},
	);
});

describe('hundredths', () => {
	test.each([
		[0.29, 29n],
		['0.290000', 29n],
		[-1.05, -105n],
		[-0, 0n],
		[999_999_999_999_999, 99_999_999_999_999_900n],
		[' 7 ', 700n],
		['1 000', 100_000n],
		['12\u00a0345.5', 1_234_550n],
		['1\u2007000\u2009000,50', 100_000_050n],
		['1500.000', 150_000n],
		['0.500', 50n],
	])('of %p', (value, size) => {
		expect(hundredths(value)).toBe(size);
	});

	test.each([0.005, 1e-7, 1e16, Infinity, '1.', '.5', '1 00', '1\u200b', '0x1', '1.500', '-150.000', '1.500.000'])(
		'of %p are undefined',
		(value) => {
			expect(hundredths(value)).toBeUndefined();
		},
	);

	test.each([
		[5n, '0.05'],
		[-5n, '-0.05'],
		[-150n, '-1.5'],
		[0n, '0'],
		[100n, '1'],
		[10n, '0.1'],
		[10n ** 20n + 1n, '1000000000000000000.01'],
	])('%p reads %s', (size, text) => {
		expect(hundredthsText(size)).toBe(text);
		expect(hundredths(text.length > 16 ? '1' : text)).toBe(text.length > 16 ? 100n : size);
	});
});

describe('a payment amount', () => {
	test.each([0.01, '0.01', '+5', 1500.5, '1500.50', '1500.5000', 9999999999999.99, '9999999999999.99', 1])(
		'may be %p',
		(amount) => {
			expect(issues([amount], amount)).toEqual([]);
		},
	);

	test.each([0, -0, '0.00', -1, '-0.01'])('cannot be %p: it must be more than zero', (amount) => {
		expect(issues([amount], 1)).toEqual([{ path: 'payments[0].amount', message: 'must be more than zero' }]);
	});

	test.each([...['1000.005', '10000000000000', 0.1 + 0.2, 1e13, 1e21, Number.MIN_VALUE, Infinity, 1.0000000000000002]])(
		'cannot be %p',
		(amount) => {
			expect(issues([amount], 1)).toEqual([
				{
					path: 'payments[0].amount',
					message: 'must have at most two decimals and 13 digits before them (round computed amounts)',
				},
			]);
		},
	);

	test('the same holds for the total', () => {
		expect(issues([1], 0)).toEqual([{ path: 'total', message: 'must be more than zero' }]);
		expect(issues([0.1, 0.2], 0.1 + 0.2)).toEqual([
			{ path: 'total', message: expect.stringContaining('at most two decimals') },
		]);
	});

	test('a sum that is too large for a package is refused', () => {
		expect(issues([9999999999999.99, 0.01], 9999999999999.99)).toEqual([
			{ path: 'total', message: expect.stringContaining('the payments add up to 10000000000000') },
		]);
	});

	test('is sent digit for digit', () => {
		expect(prepared('payment.sendPackage', packageOf(['0.10', 1234567890123.45], '1234567890123.55')).body).toMatch(
			/"total":1234567890123\.55,.*"amount":0\.1,.*"amount":1234567890123\.45,/,
		);
	});
});

describe('sequences', () => {
	const repeated = (...sequences: unknown[]) =>
		issuesOf(
			'payment.sendPackage',
			packageOf(
				sequences.map(() => 1),
				sequences.length,
				(index) => ({ sequence: sequences[index] }),
			),
		);

	test('must differ; every row with a repeated one is named', () => {
		expect(repeated('a', 'b', 'a', 'c', 'a').map(({ path, message }) => `${path} ${message.split(':')[0]}`)).toEqual([
			'payments[0].sequence must differ in every row',
			'payments[2].sequence must differ in every row',
			'payments[4].sequence must differ in every row',
		]);
		expect(repeated('a', 'A', 'а' /* Cyrillic */, 'a.')).toEqual([]);
	});

	test('that differ only in type or outer spaces are equal', () => {
		expect(repeated(1, '1', ' 1 ').map(({ path }) => path)).toEqual(
			[0, 1, 2].map((index) => `payments[${index}].sequence`),
		);
	});

	test('may be names of inherited properties', () => {
		expect(repeated('__proto__', 'constructor', 'toString')).toEqual([]);
		expect(repeated('__proto__', '__proto__')).toHaveLength(2);
	});

	test('that are repeated are reported together with invalid fields', () => {
		const input = packageOf(['x', 2], 4, () => ({ sequence: 'same' }));
		expect(issuesOf('payment.sendPackage', input).map(({ path }) => path)).toEqual([
			'payments[0].amount',
			'payments[0].sequence',
			'payments[1].sequence',
		]);
	});
});

test('the body that is sent is the input that was checked', () => {
	const input = packageOf(['0.10', 0.2], 0.3);
	expect(bodyOf('payment.sendPackage', input)).toEqual(prepared('payment.sendPackage', input).input.body);
});

describe('the decimal value of a money amount (2.1)', () => {
	test.each([
		[{ value: 150050, minorUnits: 100 }, 1500.5],
		[{ value: 22, minorUnits: 1 }, 22],
		[{ value: -1, minorUnits: 1000 }, -0.001],
		[{ value: 29, minorUnits: 100, currency: 'RUB' }, 0.29],
		[{ value: 0, minorUnits: 100 }, 0],
	])('of %j', (money, value) => {
		expect(decimalValue(money)).toBe(value);
	});

	test.each([
		[{ value: 1, minorUnits: 0 }],
		[{ value: 1, minorUnits: -100 }],
		[{ value: '9007199254740993', minorUnits: 100 }],
		[{ value: 1 }],
		[null],
		['1'],
		[undefined],
	])('is undefined for %j', (money) => {
		expect(decimalValue(money)).toBeUndefined();
	});
});

describe('recipients that come as a list', () => {
	const list = [{ phone: '+79000000001' }, { phone: '+79000000002' }];

	test.each([
		['a list', list],
		['JSON text of one', JSON.stringify(list)],
	])('may be %s', (_kind, given) => expect(readRecipients(given)).toEqual(list));

	test('may be an empty list', () => expect([readRecipients([]), readRecipients('[]')]).toEqual([[], []]));

	test.each([[list[0]], ['+79000000001'], [''], [undefined], [7], [[...list, 'x']], [[[]]], ['{"phone":"x"}']])(
		'cannot be %j',
		(given) => expect(readRecipients(given)).toBeUndefined(),
	);
});
