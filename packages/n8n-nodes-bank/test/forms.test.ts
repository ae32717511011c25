/** The forms contain every field of the operations, under names that saved workflows can depend on. */
import {
	type Operation,
	operations,
	operationName,
	resourceOf,
	resources,
	resolvePayment,
	resourcesOf,
} from '@bank/core';
import { type INodeProperties } from 'n8n-workflow';

import { oracle, type OperationOracle } from '../../fixtures/src/oracle.ts';
import { nodeNames } from '../scripts/names.ts';
import { credentialClasses } from './support/credentials.ts';
import {
	allFields,
	askedCredentials,
	credentialTypes,
	descriptions,
	fieldsIn,
	formOf,
	nodeOf,
	optionValues,
	selectorOf,
	shown,
	shownFor,
	type Values,
} from './support/forms.ts';

/** Local operations, which the bank does not have. */
const ownOperations = resources.flatMap((resource) => resource.operations).filter(({ local }) => local === true);

describe('resources and operations', () => {
	it.each(nodeNames)('of %s are those of the API description, each once', (name) => {
		const resource = descriptions[name].properties.find((property) => property.name === 'resource');
		const inForm = optionValues(resource).flatMap((value) =>
			optionValues(selectorOf(name, String(value))).map((operation) => `${String(value)}.${String(operation)}`),
		);
		const described = oracle.filter(({ node }) => node === name).map(({ id }) => id);
		// Local operations.
		const own = ownOperations.filter((operation) => nodeOf(operation) === name).map(({ id }) => id);
		expect(inForm.sort()).toEqual([...described, ...own].sort());
		const selectors = descriptions[name].properties.filter((property) => property.name === 'operation');
		expect(selectors).toHaveLength(optionValues(resource).length);
	});
});

describe('the credential', () => {
	it('of bank is that of its flow, or host-to-host if the user chooses it for authorization codes', () => {
		for (const operation of resourcesOf('bank').flatMap(({ operations: own }) => own)) {
			const { id, auth } = operation;
			// Several credential types may be possible.
			if (auth === 'notShown' || operation === resolvePayment) continue;
			const values = { resource: resourceOf(operation), operation: operationName(operation) };
			expect([id, askedCredentials('bank', values)]).toEqual([id, [credentialTypes[auth]]]);
			// The field for the flow is displayed only if there is a choice (part 5, rule 2).
			const names = shown('bank', values).map(({ name }) => name);
			expect([id, names.includes('flow')]).toEqual([id, auth === 'authorizationCode']);
			expect([id, askedCredentials('bank', { ...values, flow: 'hostToHost' })]).toEqual([
				id,
				[auth === 'authorizationCode' ? 'bankHostToHostOAuth2Api' : credentialTypes[auth]],
			]);
		}
	});

	it('of bankCardIssuance is always the gateway (part 5, rule 7)', () => {
		for (const { value } of resourcesOf('bankCardIssuance'))
			expect(askedCredentials('bankCardIssuance', { resource: value })).toEqual(['bankGatewayApi']);
		expect(descriptions.bankCardIssuance.properties.map(({ name }) => name)).not.toContain('authenticateWith');
	});

	it.each(['bankChecks', 'bankCourier', 'bankPartnerServices'] as const)('of %s is the chosen one', (name) => {
		const field = descriptions[name].properties.find((property) => property.name === 'authenticateWith');
		expect([...optionValues(field)].sort()).toEqual(Object.keys(credentialTypes));
		for (const { value } of resourcesOf(name)) {
			for (const [authentication, credential] of Object.entries(credentialTypes))
				expect(askedCredentials(name, { resource: value, authenticateWith: authentication })).toEqual([credential]);
		}
	});

	it.each(nodeNames)('of %s hides no field of the form', (name) => {
		// n8n's editor hides a credential option if the `show` conditions of all credentials cover all of its values.
		const covered = new Map<string, unknown[]>();
		for (const { displayOptions, required } of descriptions[name].credentials ?? []) {
			expect(required).toBe(true);
			for (const [field, values] of Object.entries(displayOptions?.show ?? {}))
				covered.set(field, [...(covered.get(field) ?? []), ...(values as unknown[])]);
		}
		const hidden = [...covered]
			.filter(([field, values]) =>
				optionValues(descriptions[name].properties.find((property) => property.name === field)).every((value) =>
					values.includes(value),
				),
			)
			.map(([field]) => field);
		expect(hidden).toEqual([]);
	});
});

/** Choices that together display every field of a form. */
const openings: Values[] = [
	{
		recipientsFrom: 'items',
		waitForResult: true,
		upload: 'whole',
		authenticateWith: 'gateway',
		checks: ['WSCustomerComplianceCheckGet'],
	},
	{
		recipientsFrom: 'list',
		waitForResult: true,
		upload: 'rejected',
		authenticateWith: 'mutualTls',
		flow: 'hostToHost',
	},
	{ waitForResult: true, authenticateWith: 'clientCredentials' },
];
const further: Values = {
	returnAll: false,
	preview: false,
	object: 'ul_transaction_default',
	accountsMode: 'listed',
	borrowerType: 'legal',
};

describe('fields', () => {
	const where = ({ name, displayOptions }: INodeProperties) => `${name} ${JSON.stringify(displayOptions?.show ?? {})}`;

	it('have a label and a description', () => {
		const bare = allFields.filter((field) => field.displayName === '' || field.displayName === field.name);
		expect(bare.map(where)).toEqual([]);
		// n8n displays fields of these types without a description: resource, operation and collections.
		const undescribed = allFields.filter(
			(field) =>
				(field.description ?? '') === '' &&
				// Notices have no label; hidden fields, and those of the credential section, are not displayed.
				!['credentials', 'hidden', 'notice'].includes(field.type) &&
				!['resource', 'operation', 'additionalFields', 'filters', 'options', 'toolDescription'].includes(field.name),
		);
		expect(undescribed.map(where)).toEqual([]);
	});

	it('never mention the API description, which users do not have', () => {
		const texts = allFields.flatMap((field) => [field.displayName, field.description ?? '', String(field.default)]);
		const isOfPayments = (text: string) => /signedBody|several packages|is signed/.test(text);
		expect(texts.filter((text) => /API description/.test(text) && !isOfPayments(text))).toEqual([]);
	});

	it('for the two ends of a period have different examples', () => {
		const starts = allFields.filter(({ name, placeholder }) => /From$/.test(name) && placeholder !== undefined);
		const ends = (start: INodeProperties) =>
			allFields.filter((field) => field.name === start.name.replace(/From$/, 'To') && field.type === start.type);
		const pairs = starts.flatMap((start) => ends(start).map((end) => [start.placeholder, end.placeholder]));
		expect(pairs.length).toBeGreaterThan(0);
		expect(pairs.filter(([start, end]) => start === end)).toEqual([]);
	});

	it('with text have a placeholder, unless they have a default', () => {
		const texts = allFields.filter(({ type, default: given }) => ['string', 'json'].includes(type) && !given);
		expect(texts.length).toBeGreaterThan(60);
		expect(texts.filter(({ placeholder = '' }) => !/^e\.g\. ./.test(placeholder)).map(where)).toEqual([]);
	});

	it('of an operation have unique names and labels, for all choices', () => {
		const twice: unknown[] = [];
		const look = (id: string, words: string[]) => {
			const repeated = words.filter((word, index) => words.indexOf(word) !== index);
			if (repeated.length > 0) twice.push([id, repeated]);
		};
		for (const operation of operations) {
			for (const opening of openings) {
				const form = formOf(operation, { ...further, ...opening });
				const namesOf = (fields: readonly INodeProperties[]) => fields.map(({ name }) => name);
				look(operation.id, namesOf(form));
				// Two fields with equal labels could not be distinguished.
				const labels = form.map(({ displayName }) => displayName);
				look(operation.id, labels);
				for (const field of fieldsIn(form).filter(({ type }) => type === 'collection'))
					look(operation.id, namesOf(field.options as INodeProperties[]));
			}
		}
		expect(twice).toEqual([]);
	});

	it('of an operation end with the options', () => {
		const misplaced = operations.flatMap((operation) =>
			openings.flatMap((opening) => {
				const names = formOf(operation, { ...further, ...opening }).map(({ name }) => name);
				return names.at(-1) === 'options' ? [] : [[operation.id, names]];
			}),
		);
		expect(misplaced).toEqual([]);
	});

	it('are all shown for some choice', () => {
		const reached = new Set(
			operations.flatMap((operation) => openings.flatMap((opening) => shownFor(operation, { ...further, ...opening }))),
		);
		const others: Values[] = [
			{ borrowerType: 'individual' },
			{ recipientsFrom: 'items' },
			{ recipientsFrom: 'columns' },
			{ recipientsFrom: 'prepared' },
			{ paymentsFrom: 'log' },
			{ waitForResult: true, waitUntil: 'isNot' },
			{ output: 'fields' },
		];
		const all = [...operations, ...ownOperations];
		const forAll = others.flatMap((more) => all.flatMap((operation) => shownFor(operation, more)));
		for (const field of forAll) reached.add(field);
		const never = Object.values(descriptions).flatMap(({ properties }) =>
			// agents.test.ts tests the fields of tools.
			properties.filter((property) => !reached.has(property) && property.name !== 'toolDescription'),
		);
		expect(never.map(where)).toEqual([]);
	});
});

describe('the form', () => {
	// The texts that a new user reads. A browser adds the names of resource and operation, and n8n's buttons.
	it('of a payment is short', () => {
		const form = formOf('payment.sendPackage').filter(({ type }) => !['credentials', 'hidden'].includes(type));
		const isNotice = ({ type }: INodeProperties) => type === 'notice';
		const words = form.flatMap(({ displayName, hint = '' }) =>
			`${displayName} ${hint}`.replace(/<.*?>/g, '').trim().split(/\s+/),
		);
		const fields = form.filter((field) => !isNotice(field));
		expect(fields.map(({ name }) => name)).toEqual([
			...['resource', 'operation'],
			...['recipientsFrom', 'paymentRun', 'sequence', 'options'],
		]);
		expect(form.filter(isNotice)).toHaveLength(1);
		expect(words.length).toBeLessThanOrEqual(55);
		const options = fieldsIn(form.filter(({ name }) => name === 'options'));
		const labels = options.flatMap(({ displayName, hint = '' }) => `${displayName} ${hint}`.trim().split(/\s+/));
		expect(words.length + labels.length).toBeLessThanOrEqual(130);
	});

	it('has a notice if Execute Step has an effect', () => {
		const noticed = (operation: Operation) =>
			shownFor(operation).some(({ type, displayName }) => type === 'notice' && displayName.startsWith('Execute Step '));
		const withEffect = operations.filter(({ effect }) => !['none', 'read'].includes(effect));
		expect(operations.filter(noticed).map(({ id }) => id)).toEqual(withEffect.map(({ id }) => id));
	});

	/** Set by the node or under another name; all other fields have their own name in the form. */
	const otherwise: Record<string, string> = {
		'accountOperation.getMany offset': 'options',
		'accountOperation.getMany limit': 'limit',
		'loanApplication.create inn': 'inn',
		'unifiedCheck.run checkName': 'checks',
		'unifiedCheck.run isToCall': 'checks',
	};
	const choices: Values = {
		...further,
		recipientsFrom: 'items',
		checks: ['WSCustomerComplianceCheckGet'],
	};

	/** Paths of the documented fields without subfields. */
	const leavesOf = ({ pathFields, query, body, unnamedFields }: OperationOracle): string[][] =>
		[pathFields, query, body, unnamedFields].flatMap((fields = {}) =>
			Object.entries(fields)
				.filter(([, type]) => !/^object\b/.test(type))
				.map(([name]) => name.replaceAll('[]', '').split('.')),
		);

	/** Whether the form has a field for the path, or a JSON field whose description names its block. */
	function isReached(id: string, at: string[]): boolean {
		const form = formOf(id, choices);
		const json = form.find(({ name, type }) => name === at[0] && type === 'json');
		if (json !== undefined) return json.description?.includes(at[1] ?? '') === true;
		const name = at.at(-1) ?? '';
		return fieldsIn(form).some((field) => field.name === (otherwise[`${id} ${name}`] ?? name));
	}

	it('has every field of the API description', () => {
		const cases = oracle.flatMap((operation) => leavesOf(operation).map((at) => [operation.id, at] as const));
		expect(cases.length).toBeGreaterThan(160);
		expect(cases.filter(([id, at]) => !isReached(id, at)).map(([id, at]) => `${id}: ${at.join('.')}`)).toEqual([]);
	});

	it('has exactly the values of the API description', () => {
		const listed = oracle.flatMap(({ id, query, body, unnamedFields }) =>
			[query, body, unnamedFields].flatMap((fields = {}) =>
				Object.entries(fields)
					.filter(([, type]) => /^\w+\|\w+/.test(type) && !/^(?:string|true)\|/.test(type))
					.map(([name, type]) => [id, name.split('.').at(-1) ?? '', (type.split(' ')[0] ?? '').split('|')] as const),
			),
		);
		expect(listed.length).toBeGreaterThan(4);
		for (const [id, name, values] of listed) {
			const field = fieldsIn(formOf(id, choices)).find((found) => found.name === (otherwise[`${id} ${name}`] ?? name));
			// A field may have an empty value for "not chosen".
			const offered = optionValues(field).filter((value) => value !== '' || field?.default !== '');
			expect([id, name, [...offered].sort()]).toEqual([id, name, [...values].sort()]);
		}
	});
});

it('the action nodes use every credential type except that of the triggers', () => {
	const asked = Object.values(descriptions).flatMap(({ credentials = [] }) => credentials.map(({ name }) => name));
	const all = credentialClasses.map(({ name }) => name);
	expect([...new Set(asked)].sort()).toEqual(all.filter((name) => name !== 'bankInboundApi').sort());
});
