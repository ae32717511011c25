import {
	InputError,
	operationById,
	type OperationInput,
	operations,
	prepare,
	restOperations,
	toRequest,
} from '../src/index.ts';
import { fields, text } from '../src/schemas/fields.ts';
import { bodyOf, issuesOf, pathsIn, pathsOf, prepared } from './support/bank.ts';
import { pathText, valuePathsIn, sampleOf, withValue } from './support/samples.ts';

const webhookPath = { id: '00000000-0000-4000-8000-00000000a001' };

const payment = (change: Record<string, unknown> = {}) => {
	const { body } = sampleOf('payment.sendPackage', 'only the required fields').input as {
		body: { payments: object[] };
	};
	const [first] = body.payments;
	return { ...body, total: 0.1, payments: [{ ...first, ...change }] };
};
const sentPayment = (change: Record<string, unknown>) =>
	(bodyOf('payment.sendPackage', { body: payment(change) }).payments as Record<string, unknown>[])[0];
const paymentFaults = (change: Record<string, unknown>) => issuesOf('payment.sendPackage', { body: payment(change) });

const packageIssues = (change: Record<string, unknown>) =>
	issuesOf('payment.sendPackage', { body: { ...payment(), ...change } });
const sentPackage = (change: Record<string, unknown>) =>
	bodyOf('payment.sendPackage', { body: { ...payment(), ...change } });

const statement = (change: Record<string, unknown>) => ({
	body: { dateBegin: '2026-01-01', dateEnd: '2026-01-31', accountIds: ['40702810000000000001'], ...change },
});
const loan = (partner: unknown) => ({ body: { dealId: webhookPath.id, borrower: {}, partner } });
const statementIssues = (change: Record<string, unknown>) => issuesOf('statement.orderAccount', statement(change));
const loanIssues = (partner: unknown) => issuesOf('loanApplication.create', loan(partner));
const sentPartner = (partner: unknown) => bodyOf('loanApplication.create', loan(partner)).partner;

describe('every place of P1 to P11, in the sample with all fields:', () => {
	const everyPlace = (which: 'leaves' | 'objects') =>
		restOperations.flatMap(({ id }) => {
			const input = sampleOf(id, 'all fields').input as OperationInput & Record<string, unknown>;
			return (['path', 'query', 'body'] as const)
				.filter((group) => input[group] !== undefined)
				.flatMap((group) =>
					valuePathsIn(input[group], which).map((steps) => ({ id, input, group, steps, path: pathText(steps) })),
				);
		});
	const change = (
		input: OperationInput,
		group: 'path' | 'query' | 'body',
		steps: (string | number)[],
		value: unknown,
	): OperationInput => ({ ...input, [group]: withValue(input[group], steps, value) });

	const leaves = everyPlace('leaves');
	// The rows of a list have the same fields, so the first row of each list is enough.
	const distinct = leaves.filter(({ steps }) => steps.every((step) => typeof step === 'string' || step === 0));

	test('there are enough places to test', () => {
		expect(distinct.length).toBeGreaterThan(120);
		expect(everyPlace('objects').length).toBeGreaterThan(60);
	});

	test('an object in place of a value is refused at exactly its path, and nothing else is', () => {
		for (const { id, input, group, steps, path } of leaves) {
			const issues = issuesOf(id, change(input, group, steps, { nested: 1 }));
			expect({ id, paths: pathsOf(issues) }).toEqual({ id, paths: [path] });
			expect(issues[0]?.message).toMatch(/^must be (text|a number|true or false|a day such as .*), got an object$/);
		}
	});

	test('a field that the description does not name is refused at exactly its path', () => {
		for (const { id, input, group, steps } of everyPlace('objects')) {
			for (const name of ['unheardOf', 'constructor', 'toString']) {
				const at = [...steps, name];
				const issues = issuesOf(id, change(input, group, at, { deep: 1 }));
				expect({ id, paths: pathsOf(issues) }).toEqual({ id, paths: [pathText(at)] });
				expect(issues[0]?.message).toContain('is not a field of this operation');
			}
		}
	});

	test('no issue repeats the value', () => {
		let refused = 0;
		const values = [
			'OFFENDING 4111111111111111',
			'1e5OFFENDING',
			4111111111111111.5,
			-4111111111111111,
			Number('41111111111111112222'),
			{ OFFENDING: 'OFFENDING' },
			['OFFENDING', ['OFFENDING']],
			4111111111111111n,
			true,
			new Date(4111111111111),
		];
		for (const { id, input, group, steps } of distinct) {
			for (const value of values) {
				const issues = issuesOf(id, change(input, group, steps, value));
				refused += issues.length;
				for (const { message, path } of issues)
					expect(`${path} ${message}`).not.toMatch(/(?<!nested\.)OFFENDING(?!$)|41111|2100-/);
			}
		}
		expect(refused).toBeGreaterThan(500);
	});

	test('blank text, null and undefined count as an absent field', () => {
		const outcome = (id: string, input: OperationInput) => {
			const issues = issuesOf(id, input);
			return issues.length > 0 ? issues : prepared(id, input);
		};
		for (const { id, input, group, steps } of distinct) {
			if (typeof steps.at(-1) === 'number') continue; // elements of lists: see below
			const without = outcome(id, change(input, group, steps, undefined));
			const result = [null, '', ' \t\n'].map((empty) => outcome(id, change(input, group, steps, empty)));
			expect({ id, steps, result }).toEqual({ id, steps, result: [without, without, without] });
		}
	});

	test('a required field that is missing is refused by name', () => {
		for (const { id, input, group, steps, path } of distinct) {
			if (typeof steps.at(-1) === 'number') continue;
			const without = change(input, group, steps, undefined);
			for (const { path: at, message } of issuesOf(id, without)) {
				expect({ id, at }).toEqual({ id, at: path });
				expect(message).toMatch(/^is required/);
			}
		}
		expect(issuesOf('payment.sendPackage', {})).toEqual(
			['client', 'inn', 'account', 'total', 'payments', 'signedBody'].map((path) => ({ path, message: 'is required' })),
		);
	});
});

describe('text', () => {
	test('numbers for identifiers and phones are sent as text, with every digit', () => {
		expect(
			sentPayment({ nspkBankId: 100000000111, phone: 79000000001, sequence: 7, paymentDescription: 42 }),
		).toMatchObject({ nspkBankId: '100000000111', phone: '79000000001', sequence: '7', paymentDescription: '42' });
		expect(sentPackage({ inn: 7700000000 })).toMatchObject({ inn: '7700000000' });
		expect(sentPackage({ account: 40702810000000000001n })).toMatchObject({
			account: '40702810000000000001',
		});
		expect(prepared('cardLimit.delete', { path: { cardId: 12, limitId: 1001 } }).url).toBe(
			'/api/pp/v1/cards/12/user-limits/1001',
		);
	});

	const tooLong = expect.stringContaining('more than 15 digits');
	const notFinite = 'must be text, got a number that is not finite';
	test.each<[unknown, unknown]>([
		...[2 ** 53, Number('40702810000000000001'), -(2 ** 53), 1e21].map((account): [unknown, unknown] => [
			account,
			tooLong,
		]),
		...[NaN, Infinity, -Infinity].map((account): [unknown, unknown] => [account, notFinite]),
		[true, 'must be text, got a boolean'],
		[['x'], 'must be text, got a list'],
		[new Date(0), 'must be text, got an object'],
		[() => 'x', 'must be text, got a function'],
		[Symbol('x'), 'must be text, got a symbol'],
	])('%p is refused', (account, message) => {
		expect(packageIssues({ account })).toEqual([{ path: 'account', message }]);
	});

	test('is trimmed, except the signature', () => {
		expect(sentPackage({ account: ' 40702810000000000001 \n', signedBody: ' c2ln\n' })).toMatchObject({
			account: '40702810000000000001',
			signedBody: ' c2ln\n',
		});
	});

	test('keeps characters of any script', () => {
		const paymentDescription = 'Вознаграждение за март 👩‍👩‍👧 “№ 5” — ½.';
		expect(sentPayment({ paymentDescription })).toMatchObject({ paymentDescription });
	});

	const withText = operations.filter(({ pathFields, query, body }) => pathFields ?? query ?? body);
	test.each(withText.map(({ id }) => [id] as const))('with a control character is refused by its name: %s', (id) => {
		const { input } = sampleOf(id, 'all fields');
		const given = { path: input.path, query: input.query, body: input.body };
		for (const place of valuePathsIn(given, 'leaves')) {
			const [, ...steps] = place;
			const value: unknown = place.reduce<unknown>((at, step) => Reflect.get(Object(at), step), given);
			if (typeof value !== 'string' || steps.at(-1) === 'signedBody') continue;
			for (const invisible of ['\u0000', '\u0007', '\n', '\r\nHost: x', '\t', '\u007f', '\u0085', '\u202e', '\ud83d']) {
				const changed = withValue(given, place, `${value}${invisible}x`) as OperationInput;
				const paths = pathsIn(id, { ...input, ...changed });
				// Line breaks and tabs separate the values of a list, and the digits of a phone.
				const isSeparator =
					/\s/.test(invisible) &&
					(typeof steps.at(-1) === 'number' || ['phone', 'chklst'].includes(String(steps.at(-1))));
				if (!isSeparator)
					expect([place, invisible, paths]).toEqual([place, invisible, expect.arrayContaining([pathText(steps)])]);
			}
		}
	});

	test('a choice accepts only its values', () => {
		expect(prepared('accountOperation.getMany', { query: { operationDirection: ' INCOME ' } }).url).toMatch(
			/operationDirection=INCOME$/,
		);
		expect(issuesOf('accountOperation.getMany', { query: { operationDirection: 'income' } })).toEqual([
			{ path: 'operationDirection', message: 'must be one of INCOME, EXPENSE' },
		]);
	});
});

describe('phone numbers', () => {
	test.each([
		['+7 (900) 000-00-01', '+79000000001'],
		['\u00a0+7\u00a0900 0000001', '+79000000001'],
		[9000000001, '9000000001'],
		['123456789012345', '123456789012345'],
		// A column of numbers in a spreadsheet.
		['89009002002.0', '89009002002'],
		['+79009002002.00', '+79009002002'],
		['8.900.900.20.00', '89009002000'],
		['8009002002', '8009002002'],
		['+886 912 345 678', '+886912345678'],
		['+1 234 567 8901', '+12345678901'],
		// Invisible characters, such as those for the direction of the text in a number from an address book.
		['\u202a+7 900 000-00-01\u202c', '+79000000001'],
		// Dashes of Word and Excel.
		['+7 900 000\u201000\u201001', '+79000000001'],
		['+7 900 000\u201100\u201201', '+79000000001'],
		['+7 900 000\u201300\u201401', '+79000000001'],
		['+7 900 000\u221200\uff0d01', '+79000000001'],
		['\ufeff+7\u200b900\u00ad0000001\u2069', '+79000000001'],
		['\u202a89009002002.0\u202c', '89009002002'],
	])('%j goes as %s', (phone, sent) => {
		expect(sentPayment({ phone })).toMatchObject({ phone: sent });
	});

	test.each([
		...['900000000', '1234567890123456', '7900000000a', '+-+79000000001', '٠٩٠٠٠٠٠٠٠٠١', '+7900\u00000000001'],
		// Digits of a footnote are not part of the phone.
		...['+79000000001\u00b2', '9000000001\u2460', '+7900000000\u2080', '79000000001 \u00b9'],
	])('%j is refused', (phone) => {
		expect(paymentFaults({ phone })).toEqual([
			{ path: 'payments[0].phone', message: 'must be a phone number of 10 to 15 digits, with or without a leading +' },
		]);
	});

	test.each([
		...['+7 900 900 200', '87900000003 1', '790000000011', '+7 (8) 900 900 20 02', '89009002002.5', 890090020020],
	])('%j is refused, because numbers of the country code 7 have 11 digits', (phone) => {
		expect(paymentFaults({ phone })).toEqual([
			{
				path: 'payments[0].phone',
				message: 'must have 11 digits, such as +79000000001 (write numbers of other countries with +)',
			},
		]);
	});
});

describe('tax numbers', () => {
	test.each(['7700000000', '770000000000'])('of a payer have 10 or 12 digits: %s', (inn) => {
		expect(sentPackage({ inn })).toMatchObject({ inn });
	});

	test.each([
		['77000000001', expect.stringMatching(/^must have 10 or 12 digits, got 11\. A leading 0 may have been lost/)],
		[770000000, 'must have 10 or 12 digits, got 9. A leading 0 may have been lost: enter it as text'],
		['77000O0000', 'must contain digits only'],
		['7700000000\u200b', 'must contain digits only'],
	])('%j is refused', (inn, message) => {
		expect(packageIssues({ inn })).toEqual(expect.arrayContaining([{ path: 'inn', message }]));
	});

	test('of a borrower have 12 digits for a sole proprietor and 10 for a legal entity', () => {
		const borrower = (individual: string, legal: string) => ({
			body: {
				dealId: webhookPath.id,
				borrower: { individual: { legalInfo: { inn: individual } }, legal: { legalInfo: { inn: legal } } },
				partner: {},
			},
		});
		expect(issuesOf('loanApplication.create', borrower('770000000000', '7700000000'))).toEqual([]);
		expect(issuesOf('loanApplication.create', borrower('7700000000', '770000000000'))).toEqual([
			{ path: 'borrower.individual.legalInfo.inn', message: 'must have 12 digits, got 10' },
			{ path: 'borrower.legal.legalInfo.inn', message: 'must have 10 digits, got 12' },
		]);
	});
});

describe('numbers', () => {
	test.each([
		['1500.50', 1500.5],
		[' +7 ', 7],
		// One or two digits after a single comma must be decimals.
		['1000,00', 1000],
		['12\u00a0345\u202f678,90', 12345678.9],
		['1 500', 1500],
		['-1\u00a0500.50', -1500.5],
		['1 500.500', 1500.5],
		['-1,5', -1.5],
		['007.10', 7.1],
		['1500.500000000000000000', 1500.5],
		['0.000000000000001', 1e-15],
		['9007199254740991', 9007199254740991],
		[12n, 12],
		// Numbers of 16 and more digits that JavaScript writes back unchanged.
		['0.1234567890123456', 0.1234567890123456],
	])('%p goes as %d', (sum, sent) => {
		expect(sentPartner({ feeList: [{ sum }] })).toEqual({ feeList: [{ sum: sent }] });
	});

	const malformed = [
		...['1e5', '0x10', '.5', '5.', '1.5.0', '--1', '１２', '1\u200b', 'Infinity', 'abc', 'x1,5', '1,5x'],
		...['1,000.50', '1,000,00', '1 00', ',50', '1,500', '1.500,50', '10 00,50', '1500,505', '1.500.000'],
		...['1 5 00', '1  500', '1500 000', '1 500,505', '1500 500.50', '0 500', '1\t500', '1 500 \u20bd'],
	];
	// These numbers are not rounded.
	const inexact = ['1.0000000000000001', '123456789012345.678', 9007199254740993n];
	test.each<[unknown, string]>([
		...malformed.map((sum): [unknown, string] => [sum, 'must be a number such as 1500.50']),
		...inexact.map((sum): [unknown, string] => [sum, 'has more digits than can be sent exactly']),
		[NaN, 'must be a number, got a number that is not finite'],
		[Infinity, 'must be a finite number'],
		[true, 'must be a number, got a boolean'],
		[[1], 'must be a number, got a list'],
	])('%p is refused', (sum, message) => {
		expect(loanIssues({ feeList: [{ sum }] })).toEqual([{ path: 'partner.feeList[0].sum', message }]);
	});

	test.each(['1,5', '1 500,50', 'abc', '1e3', '1.5', '1.500'])(
		'%j is refused for a whole number with a whole one as example',
		(quantity) => {
			expect(loanIssues({ sellerQuality: { returnedQuantityList: [{ quantity }] } })).toEqual([
				{
					path: 'partner.sellerQuality.returnedQuantityList[0].quantity',
					message: expect.stringMatching(/^must be a whole number(?: such as 12)?$/),
				},
			]);
		},
	);

	test('a dot before three digits is ambiguous in amounts and whole numbers of every operation', () => {
		const ambiguous = /^(?:may mean thousands or decimals: write 1500 or 1\.50|must be a whole number such as 12)$/;
		const money = /amount|total|balance|price|cost|fee|(?<!Of)sum$/i;
		const isNumber = (value: unknown) => typeof value === 'number';
		const refusals = restOperations.flatMap(({ id }) => {
			const { input } = sampleOf(id, 'all fields');
			const given = { path: input.path, query: input.query, body: input.body };
			const places = valuePathsIn(given, 'leaves').filter((place) =>
				isNumber(place.reduce<unknown>((at, step) => Reflect.get(Object(at), step), given)),
			);
			return places.flatMap((place) => {
				const issues = (value: unknown) =>
					issuesOf(id, { ...input, ...(withValue(given, place, value) as OperationInput) }).filter(
						({ path }) => path === pathText(place.slice(1)),
					);
				// Decimals that are not money, such as a rating.
				if (!money.test(String(place.at(-1))) && issues('1.500').length === 0) return [];
				for (const value of ['1.500', ' +1.000', '-15.000', '150.125'])
					expect([place, value, issues(value)]).toEqual([
						place,
						value,
						[{ path: pathText(place.slice(1)), message: expect.stringMatching(ambiguous) }],
					]);
				return [place.at(-1)];
			});
		});
		expect(refusals).toEqual(expect.arrayContaining(['amount', 'total', 'sum', 'ric', 'quantity']));
		expect(refusals.length).toBeGreaterThan(30);
	});

	test.each(['1500.000', '1500.0000', '0.500', '1.5000', '150.0000', '1.50'])(
		'%j is a decimal number of a database, and not ambiguous',
		(amount) => {
			expect(paymentFaults({ amount }).filter(({ path }) => path !== 'total')).toEqual([]);
		},
	);

	test('a whole number cannot have decimals, and a count cannot be negative', () => {
		expect(paymentFaults({ ric: 1.5 })).toEqual([{ path: 'payments[0].ric', message: 'must be a whole number' }]);
		expect(paymentFaults({ ric: 2 ** 53 })).toEqual([{ path: 'payments[0].ric', message: 'must be a whole number' }]);
		expect(issuesOf('accountOperation.getMany', { query: { offset: -1 } })).toEqual([
			{ path: 'offset', message: 'must not be negative' },
		]);
		expect(sentPartner({ feeList: [{ sum: -5 }] })).toEqual({ feeList: [{ sum: -5 }] });
	});

	test('minus zero is sent as zero', () => {
		expect(prepared('loanApplication.create', loan({ feeList: [{ sum: -0 }] })).body).toContain('"sum":0}');
		expect(prepared('accountOperation.getMany', { query: { offset: -0 } }).url).toMatch(/offset=0$/);
	});
});

describe('booleans', () => {
	test.each([
		[true, true],
		['true', true],
		[' False ', false],
		[false, false],
	])('%j goes as %s', (nameCheck, sent) => {
		expect(sentPackage({ nameCheck })).toMatchObject({ nameCheck: sent });
	});

	test.each([
		['yes', 'text'],
		[1, 'a number'],
		[[true], 'a list'],
	])('%j is refused', (nameCheck, got) => {
		expect(packageIssues({ nameCheck })).toEqual([{ path: 'nameCheck', message: `must be true or false, got ${got}` }]);
	});
});

describe('lists', () => {
	const sentAccounts = (accountIds: unknown) => bodyOf('statement.orderAccount', statement({ accountIds })).accountIds;

	test('a single value becomes a list', () => {
		expect(sentAccounts('a')).toEqual(['a']);
		expect(sentAccounts(407)).toEqual(['407']);
		expect(sentAccounts('[not JSON')).toEqual(['not', 'JSON']);
	});

	test('a number too long in JSON text is refused like any other', () => {
		expect(statementIssues({ accountIds: '[40702810000000000001]' })).toEqual([
			{ path: 'accountIds[0]', message: expect.stringContaining('more than 15 digits') },
		]);
	});

	test.each([['a'], [true], [7]])('rows cannot be made of %j', (payments) => {
		expect(packageIssues({ payments })).toEqual([
			{ path: 'payments', message: expect.stringMatching(/^must be a list, got (text|a boolean|a number)$/) },
		]);
	});

	test('rows may come as JSON text', () => {
		const { payments, ...rest } = payment();
		expect(bodyOf('payment.sendPackage', { body: { ...rest, payments: JSON.stringify(payments) } })).toMatchObject({
			payments,
		});
		expect(bodyOf('payment.sendPackage', { body: JSON.stringify({ ...rest, payments }) })).toMatchObject({ payments });
	});

	test('a row that is not an object is one issue, not one per field', () => {
		const { payments, ...rest } = payment();
		expect(issuesOf('payment.sendPackage', { body: { ...rest, payments: [...payments, 'x', 7, ['y']] } })).toEqual([
			{ path: 'payments[1]', message: 'must be an object, got text' },
			{ path: 'payments[2]', message: 'must be an object, got a number' },
			{ path: 'payments[3]', message: 'must be an object, got a list' },
		]);
	});

	test.each([[[]], [['']], [[{ a: ' ' }, [null]]], ['[]'], ['""'], ['null']])(
		'%j, such as an added form row, is empty: it is reported as missing',
		(partner) => {
			expect(loanIssues(partner)).toEqual([{ path: 'partner', message: 'is required' }]);
		},
	);

	test.each([[[0]], [['', false]], [[{ a: 0 }]], [[new Date(0)]], ['[1]'], ['0']])(
		'%j is not empty and not an object',
		(partner) => {
			expect(loanIssues(partner)).toEqual([
				{ path: 'partner', message: expect.stringMatching(/^must be an object, got /) },
			]);
		},
	);

	test.each([
		[['a'], 'a list'],
		['text', 'text'],
		[7, 'a number'],
		[[], 'a list'],
		['null', 'null'],
	])('a body cannot be %j', (body, kind) => {
		expect(issuesOf('loanApplication.create', { body })).toEqual([
			{ path: '', message: `must be an object, got ${kind}` },
		]);
	});

	test('categories of goods are sent unchanged, as text or list', () => {
		const sent = (categories: unknown) => sentPartner({ procuredGoodsInfo: { categories } });
		expect(sent('Kettles, lamps')).toEqual({ procuredGoodsInfo: { categories: 'Kettles, lamps' } });
		expect(sent(['Kettles, lamps', ' Cups '])).toEqual({
			procuredGoodsInfo: { categories: ['Kettles, lamps', 'Cups'] },
		});
	});
});

describe('empty values', () => {
	test('optional fields, lists and objects are omitted', () => {
		const empty = {
			procuredGoodsInfo: { categories: [] },
			premiumAccount: {},
			feeList: [],
			vat: { counterparts: [], totalTaxBaseList: [{}] },
			delay: { loans: [{ sum: '', overDueDate: null }] },
			calculationsInformation: { currentInterestsSum: ' ' },
		};
		expect(sentPartner(empty)).toEqual({});
		expect(sentPartner({ procuredGoodsInfo: { categories: ['', null] } })).toEqual({});
		expect(sentPayment({ name: { first: ' ', middle: '', last: null } })).not.toHaveProperty('name');
		expect(
			prepared('accountOperation.getMany', { query: { accounts: [], cards: ['', ' '], dateFrom: '', limit: null } })
				.url,
		).toBe('/api/pp/v1/operations');
	});

	test('required objects are sent empty', () => {
		expect(
			bodyOf('loanApplication.create', {
				body: { dealId: webhookPath.id, borrower: { individual: { legalInfo: {} }, legal: {} }, partner: { vat: {} } },
			}),
		).toEqual({ dealId: webhookPath.id, borrower: {}, partner: {} });
	});

	test('an empty account list of a webhook is sent: it means all accounts (P10, rule 2)', () => {
		for (const accounts of [[], '[]', ' []']) {
			expect(
				bodyOf('webhook.update', { path: webhookPath, body: { object: 'ul_transaction_default', data: { accounts } } }),
			).toEqual({ object: 'ul_transaction_default', data: { accounts: [] } });
		}
	});

	test.each([{ accounts: [null, ' '] }, { accounts: ',;' }, { accounts: ['', ','] }, { accounts: [[]] }])(
		'%j, nothing but empty values, does not become all accounts',
		({ accounts }) => {
			expect(
				issuesOf('webhook.update', {
					path: webhookPath,
					body: { object: 'ul_transaction_default', data: { accounts } },
				}),
			).toEqual([
				{ path: 'data.accounts', message: expect.stringMatching(/^is required .* an empty list means all accounts$/) },
			]);
		},
	);

	test('empty rows are dropped only where every field is optional', () => {
		expect(sentPartner({ feeList: [{ sum: 1 }, {}, { date: '' }, null, { sum: 0 }] })).toEqual({
			feeList: [{ sum: 1 }, { sum: 0 }],
		});
		expect(pathsOf(paymentFaults({}))).toEqual([]);
		const { payments, ...rest } = payment();
		const required = ['amount', 'nspkBankId', 'phone', 'sequence', 'paymentDescription', 'ric'];
		for (const empty of [{}, null])
			expect(pathsIn('payment.sendPackage', { body: { ...rest, payments: [...payments, empty] } })).toEqual(
				required.map((name) => `payments[1].${name}`),
			);
	});

	test('an issue names the row that the user sees, also after empty rows', () => {
		const sales = [{}, { date: 'someday' }];
		const counterparts = [{}, null, { sales }];
		expect(pathsOf(loanIssues({ vat: { counterparts } }))).toEqual(['partner.vat.counterparts[2].sales[1].date']);
	});

	test('a package without payments and a statement without accounts are refused', () => {
		expect(packageIssues({ payments: [] })).toEqual([
			{ path: 'payments', message: 'must contain at least one payment' },
		]);
		expect(statementIssues({ accountIds: [] })).toEqual([
			{ path: 'accountIds', message: 'must contain at least one account' },
		]);
		expect(statementIssues({ accountIds: ['', ' '] })).toEqual([{ path: 'accountIds', message: 'is required' }]);
	});
});

describe('parts that an operation does not have', () => {
	test('may be absent', () => {
		const nothing = JSON.parse('null');
		expect(issuesOf('taxpayerAccount.get', { path: { requestId: 'a' }, query: nothing, body: nothing })).toEqual([]);
	});

	test('are refused: a body or a query of an operation without one', () => {
		expect(
			issuesOf('webhook.get', {
				path: webhookPath,
				query: { object: 'ul_transaction_default' },
				body: { enabled: true },
			}),
		).toEqual([{ path: 'enabled', message: expect.stringContaining('is not a field') }]);
		expect(pathsIn('statement.orderAccount', { ...statement({}), query: { limit: 1 }, path: { id: 1 } })).toEqual([
			'id',
			'limit',
		]);
		expect(issuesOf('taxpayerAccount.get', { path: { requestId: 'a' }, query: {}, body: {} })).toEqual([]);
	});

	test('a field named __proto__ is refused, adds no fields and changes no prototype', () => {
		const path = JSON.parse('{"__proto__":{"requestId":"x","polluted":true}}') as Record<string, unknown>;
		expect(pathsIn('taxpayerAccount.get', { path }).sort()).toEqual(['__proto__', 'requestId']);
		const body = JSON.stringify({ ...payment(), total: 1 }).replace('{', '{"__proto__":{"total":0.1},');
		expect(pathsIn('payment.sendPackage', { body })).toContain('__proto__');
		expect(Object.prototype).not.toHaveProperty('polluted');
	});

	test('an object that contains itself is refused', () => {
		const cyclic: Record<string, unknown> = { first: 'Ivan' };
		cyclic.self = cyclic;
		expect(pathsOf(paymentFaults({ name: cyclic }))).toEqual(['payments[0].name.self']);
		const list: unknown[] = ['a'];
		list.push(list);
		expect(pathsOf(loanIssues({ procuredGoodsInfo: { categories: list } }))).toEqual([
			'partner.procuredGoodsInfo.categories[1]',
		]);
	});
});

describe('the path', () => {
	const url = (requestId: unknown) =>
		prepared('taxpayerAccount.get', { path: { requestId } }).url.replace(
			'/api/semp/v1/selfemployed/taxpayer-account-info/',
			'',
		);

	test.each([
		['карта №1', '%D0%BA%D0%B0%D1%80%D1%82%D0%B0%20%E2%84%961'],
		['$& {requestId}', '%24%26%20%7BrequestId%7D'],
		['...', '...'],
		['100%', '100%25'],
	])('%j stays one segment', (given, encoded) => {
		expect(url(given)).toBe(encoded);
	});

	test.each(
		[
			['.', ' .. ', '..;', 'a/b', 'a\\b', 'a?x=1', 'a#y'],
			['..%2Fx', 'a%2Fb', 'a%5Cb', '%2e%2e', '%252e%252e', 'a%00', '%41', '．．', '․․', '..\u200b', 'a／b'],
		].flat(),
	)('%j is refused', (requestId) => {
		expect(issuesOf('taxpayerAccount.get', { path: { requestId } })).toEqual([
			{ path: 'requestId', message: 'must be an identifier, not a path' },
		]);
	});

	test.each([...['00000000-0000-4000-8000-00000000a001/x', 'g0000000-0000-4000-8000-00000000a001']])(
		'a webhook is named by a UUID, not by %j',
		(id) => {
			expect(issuesOf('webhook.get', { path: { id }, query: { object: 'ul_transaction_default' } })).toEqual([
				{ path: 'id', message: expect.stringMatching(/^must be a UUID/) },
			]);
		},
	);
});

test.each([
	[undefined, 'accounts=a%26b&accounts=c%3Dd&cards=x'],
	['repeat', 'accounts=a%26b&accounts=c%3Dd&cards=x'],
	['brackets', 'accounts%5B%5D=a%26b&accounts%5B%5D=c%3Dd&cards%5B%5D=x'],
	['indices', 'accounts%5B0%5D=a%26b&accounts%5B1%5D=c%3Dd&cards%5B0%5D=x'],
	['comma', 'accounts=a%26b%2Cc%3Dd&cards=x'],
])('lists in the query with the array format %s: %s', (arrayFormat, query) => {
	const input = { query: { accounts: ['a&b', 'c=d'], cards: 'x' } };
	const { url } = prepared('accountOperation.getMany', input, { ...(arrayFormat && { arrayFormat }) });
	expect(url).toBe(`/api/pp/v1/operations?${query}`);
});

test('an unknown array format is rejected by name', () => {
	expect(() => prepare(operationById('accountOperation.getMany'), { query: {} }, { arrayFormat: 'pipes' })).toThrow(
		'arrayFormat must be one of repeat, brackets, indices, comma',
	);
});

test('all issues of an input are reported at once, and in the message', () => {
	const refused = () =>
		prepare(operationById('statement.orderCredit'), {
			body: { dateBegin: 'x', accountIds: {}, operationsHistory: 'maybe' },
		});
	expect(refused).toThrow(InputError);
	expect(refused).toThrow(
		'dateBegin must be a day such as 2026-01-31: "x"; accountIds[0] must be text, got an ' +
			'object; operationsHistory must be true or false, got text: "maybe"; dateEnd is required',
	);
});

test.each([
	['amount', '1 222,50 руб.', '1 222,50 руб.'],
	['ric', 1.5, '1.5'],
	['nspkBankId', 'Bank', 'Bank'],
	['nspkBankId', '044525225', '044525225'],
	['nspkBankId', 44525225, '44525225'],
	['phone', 'x'.repeat(60), `${'x'.repeat(39)}…`],
	// A computed amount, and an account number in the column of amounts.
	['amount', 0.7999999999999999, '0.7999999999999999'],
	['amount', 1234.1000000000001, '1234.1000000000001'],
	['amount', '-0.30000000000000004', '-0.30000000000000004'],
	['amount', 4111111111111111.5, '****1115'],
	['amount', '79000000001.5123456', '****3456'],
	['amount', '4070281000000000000a', '****0000a'],
	['amount', '1500\u200b', '1500[invisible]'],
	['paymentDescription', 'For [object Object]', 'For [object Object]'],
	['amount', '', undefined],
	['amount', { a: 1 }, undefined],
])('the value of an invalid %s is quoted, shortened and redacted: %j', (field, given, quoted) => {
	const values: unknown[] = [];
	try {
		prepare(operationById('payment.sendPackage'), { body: payment({ [field]: given }) });
	} catch (error) {
		if (error instanceof InputError) values.push(...error.issues.map(({ value }) => value));
	}
	expect(values).toEqual([quoted]);
});

test('a secret is never quoted', () => {
	const refused = () =>
		prepare(operationById('payment.sendPackage'), { body: { ...payment(), signedBody: 'c2ln\ud800' } });
	expect(refused).toThrow(/^signedBody contains half a character[^"]*$/);
});

test('a nested object may be JSON text', () => {
	const context = { timeZone: 'UTC', issues: [], at: [] };
	expect(
		toRequest(fields({ inner: fields({ name: text('Name', 'Name') }) }), { inner: '{"name":" x "}' }, context),
	).toEqual({ inner: { name: 'x' } });
	expect(context.issues).toEqual([]);
});
