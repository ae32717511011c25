import { type ICredentialDataDecryptedObject, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { credentialErrorOf, isOperationAllowed, restrictionsOf, validateCredential } from '../src/index.ts';
import { forms } from '../src/forms/index.ts';

const address = { environment: 'sandbox', sandboxBaseUrl: 'https://api.test' };
const errorOf = (restrictions: object) => credentialErrorOf(() => validateCredential({ ...address, ...restrictions }));
const connections = Object.entries(forms).filter(([name]) => !/Inbound|Signature/.test(name));

const given = {
	allowedOperations: 'list',
	operationList: 'payment.sendPackage\npayment.preparePackage',
	largestPayment: '15 000,50',
	largestPackageTotal: 300000,
	largestDailyTotal: '0',
	mostPaymentsPerDay: '50',
	limitTimeZone: 'Europe/Moscow',
	allowedAccounts: '40702 810 0 00000000001, 40702810000000000002',
	allowedPhones: '8 (900) 000-00-01; +7 900 000-00-02',
	allowedBanks: '100000000004 100000000111',
	onlyPreparedPackages: true,
};
const read = {
	operations: ['payment.sendPackage', 'payment.preparePackage'],
	largestPayment: 1_500_050n,
	largestPackageTotal: 30_000_000n,
	largestDailyTotal: 0n,
	mostPaymentsPerDay: 50,
	timeZone: 'Europe/Moscow',
	accounts: ['40702810000000000001', '40702810000000000002'],
	phones: ['+79000000001', '+79000000002'],
	banks: ['100000000004', '100000000111'],
	onlyPreparedPackages: true,
};
/** The hidden field in which the administrator sets the restriction. */
const ofInstance = (name: string) => `instance${name.charAt(0).toUpperCase()}${name.slice(1)}`;

it('are those of the owner, then those of the administrator, who enters a list of operation IDs', () => {
	expect(restrictionsOf({ restrictUse: true, ...given })).toEqual([{ setBy: 'owner', ...read }]);
	const { operationList, ...others } = given;
	const fields = Object.entries({ ...others, allowedOperations: operationList.split('\n') });
	const instance = Object.fromEntries(fields.map(([name, value]) => [ofInstance(name), value]));
	expect(restrictionsOf({ restrictUse: false, ...given, ...instance })).toEqual([{ setBy: 'administrator', ...read }]);
	expect(restrictionsOf({ restrictUse: true, ...given, ...instance })).toHaveLength(2);
});

it('are none if nothing is restricted', () => {
	for (const [, properties] of connections)
		expect(
			restrictionsOf(Object.fromEntries(properties.map(({ name, default: initial }) => [name, initial as string]))),
		).toEqual([]);
});

it.each([
	['allowedOperations', 'some'],
	['operationList', ''],
	['operationList', 'payment.sendPackages'],
	['largestPayment', 'plenty'],
	['largestPayment', '15.000'],
	['largestPayment', {}],
	['largestPackageTotal', '-1'],
	['largestDailyTotal', '1,000'],
	['mostPaymentsPerDay', '1.5'],
	['mostPaymentsPerDay', '-1'],
	['limitTimeZone', 'Moscow'],
	['allowedAccounts', ','],
	['allowedPhones', '12345'],
	['allowedBanks', ';'],
	['onlyPreparedPackages', 'yes'],
	['onlyPreparedPackages', 1],
])('%s = %j makes the credential invalid, and names the field', (name, value) => {
	const error = errorOf({ restrictUse: true, ...given, [name]: value });
	expect(error?.what.replace(/ /g, '').toLowerCase()).toMatch(
		new RegExp(`^(?:${name.toLowerCase()}|operationlist)(?:mustbe|isempty)`),
	);
	if (name === 'operationList') return;
	const field = ofInstance(name);
	expect(errorOf({ [field]: value })).toMatchObject({
		what: expect.stringContaining(field),
		next: expect.stringContaining('administrator'),
	});
});

/** n8n's REST API and its import store any JSON value. */
it.each(Object.keys(given))('%s is refused if it is an object or a list without a value', (name) => {
	for (const value of [{}, [], [[]], [''], [' '], [null], [{}], [['1']], ['79000000001', []]]) {
		const owner = { restrictUse: true, ...given, [name]: value };
		const administrator = { instanceLargestPackageTotal: '1', [ofInstance(name)]: value };
		for (const restrictions of name === 'operationList' ? [owner] : [owner, administrator])
			expect([restrictions, errorOf(restrictions)]).not.toContain(undefined);
	}
});

it.each([
	['read', [true, false, false]],
	['prepare', [true, true, false]],
	['all', [true, true, true]],
] as const)('%s allows operations by their effect', (operations, expected) => {
	const [restrictions] = restrictionsOf({ restrictUse: true, allowedOperations: operations, largestPayment: '1' });
	if (restrictions === undefined) throw new Error('there are restrictions');
	const effects = ['read', 'none', 'money'] as const;
	expect(effects.map((effect) => isOperationAllowed(restrictions, { id: 'a.b', effect }))).toEqual(expected);
	for (const effect of ['order', 'change', 'delete'] as const)
		expect(isOperationAllowed(restrictions, { id: 'a.b', effect })).toBe(expected[2]);
});

describe('a switch that is neither true nor false', () => {
	/** The fields that n8n passes to a node: fields that the form does not show for the stored values are missing. */
	const opened = (properties: INodeProperties[], stored: object) =>
		NodeHelpers.getNodeParameters(
			properties,
			stored as never,
			true,
			false,
			null,
			null,
		) as unknown as ICredentialDataDecryptedObject;

	const switches = connections.flatMap(([type, properties]) =>
		properties
			.filter(({ default: initial }) => typeof initial === 'boolean')
			.map(({ name, displayName }) => ({ type, properties, name, displayName })),
	);

	it.each(switches)('makes $type invalid: $name', ({ type, properties, name, displayName }) => {
		const wrong = ['true', 'false', 'TRUE', 'yes', 'on', '1', 1, 0, {}, [], [true], '=true'];
		for (const value of wrong) {
			const credential = opened(properties, { ...address, restrictUse: true, ...given, [name]: value });
			expect([value, credentialErrorOf(() => validateCredential(credential))?.what]).toEqual([
				value,
				expect.stringContaining(
					`${type === 'bankGatewayApi' && name === 'useGateway' ? 'Gateway Headers' : displayName} must be true or false`,
				),
			]);
		}
	});

	it.each(connections)('never leaves a restricted %s without limits', (_type, properties) => {
		for (const restrictUse of [true, 'true', 1, 'yes', '={{ true }}', [], {}]) {
			const credential = opened(properties, { ...address, ...given, restrictUse });
			const refused = credentialErrorOf(() => restrictionsOf(credential)) !== undefined;
			expect([restrictUse, refused || restrictionsOf(credential).length > 0]).toEqual([restrictUse, true]);
		}
	});
});

it.each([
	{ restrictUse: true },
	{ restrictUse: true, limitTimeZone: 'UTC', allowedOperations: 'all', onlyPreparedPackages: false },
	{ restrictUse: true, largestPayment: ' ', allowedPhones: '' },
	{ instanceLimitTimeZone: 'UTC' },
])('restrictions without a limit allow nothing: %j', (restrictions) => {
	expect(errorOf(restrictions)?.what).toMatch(/no limit/);
});

it('are refused if HTTP Request nodes may use the credential', () => {
	const restrictions = { restrictUse: true, largestPayment: '1' };
	for (const domains of ['all', 'domains', 'ALL', ''])
		expect(errorOf({ ...restrictions, allowedHttpRequestDomains: domains })?.what).toMatch(/HTTP Request/);
	expect(errorOf({ ...restrictions, allowedHttpRequestDomains: 'none' })).toBeUndefined();
	expect(errorOf({ restrictUse: false, allowedHttpRequestDomains: 'all' })).toBeUndefined();
});

describe.each(connections)('%s', (_name, properties: INodeProperties[]) => {
	const named = (name: string) => properties.find((property) => property.name === name);

	it('lets no workflow evaluate a restriction, and has a hidden field for each', () => {
		const restrictions = properties.filter(({ displayOptions }) => displayOptions?.show?.['restrictUse']?.[0] === true);
		expect(restrictions.length).toBeGreaterThanOrEqual(4);
		expect(named('restrictUse')).toMatchObject({ noDataExpression: true });
		for (const { name, noDataExpression } of restrictions) {
			expect([name, noDataExpression]).toEqual([name, true]);
			if (name === 'operationList') continue;
			expect(named(ofInstance(name))).toMatchObject({ type: 'hidden', default: '' });
		}
	});

	it('explains for each daily limit what counts, and who can change it', () => {
		const daily = properties.filter(({ name }) => /^(?:largestDaily|most\w+PerDay)/.test(name));
		expect(daily.length).toBeGreaterThan(0);
		for (const { description } of daily)
			expect(description).toMatch(/^.+Each project .+ editors can change.+no daily limit are not counted\.$/);
	});

	it('has the hidden field of every restriction of every type', () => {
		const hidden = (all: readonly INodeProperties[]) =>
			all.filter(({ name }) => name.startsWith('instance')).map(({ name }) => name);
		expect(hidden(properties)).toEqual(hidden(forms.bankClientCredentialsOAuth2Api));
	});

	it('can be used in HTTP Request nodes only if the owner allows it, and never with restrictions', () => {
		expect(named('httpRequestDomains')?.default).toBe('none');
		expect(named('allowedHttpRequestDomains')).toMatchObject({ type: 'hidden' });
		expect(String(named('allowedHttpRequestDomains')?.default)).toMatch(
			/^=\{\{ \$self\["restrictUse"\] \|\| .* \? "none" : /,
		);
	});
});
