/** The forms say what the operations need, completely, and in names that saved workflows can rely on. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import {
	type NodeName,
	operations,
	operationName,
	type Operation,
	resourceOf,
	resources,
	resourcesOf,
	unwrap,
} from '@bank/core';
import { type ICredentialType, type INodeProperties, type INodePropertyCollection } from 'n8n-workflow';
import { type GenericSchema } from 'valibot';

import { BankAuthorizationCodeOAuth2Api } from '../credentials/BankAuthorizationCodeOAuth2Api.credentials.ts';
import { BankClientCredentialsOAuth2Api } from '../credentials/BankClientCredentialsOAuth2Api.credentials.ts';
import {
	allFields,
	askedCredentials,
	descriptions,
	fieldsIn,
	formOf,
	nodeOf,
	optionsOf,
	optionValues,
	selectorOf,
	shown,
	shownFor,
	type Values,
} from './support/forms.ts';

const nodeNames = Object.keys(descriptions) as NodeName[];
const eachOperation = operations.map((operation) => [`${nodeOf(operation)}, ${operation.id}`, operation] as const);
const eachResource = resources.map((resource) => [`${resource.node}, ${resource.value}`, resource] as const);

describe('what is generated', () => {
	it('is what stands in the repository', async () => {
		// Its own process: the script is a module that Node runs as it is.
		const { execFileSync } = await import('node:child_process');
		const script =
			"import('./scripts/generate.ts').then(async ({ generatedForms }) => console.log(JSON.stringify([...(await generatedForms())])))";
		const files = JSON.parse(
			execFileSync(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '-e', script], {
				cwd: path.resolve(__dirname, '..'),
				encoding: 'utf8',
			}),
		) as [string, string][];
		expect(files.map(([file]) => path.basename(file))).toEqual(expect.arrayContaining(['operationFields.ts']));
		for (const [file, text] of files) expect({ file, text: readFileSync(file, 'utf8') }).toEqual({ file, text });
	});
});

/** Every operation of part 4, in the words of the form. */
const described: Readonly<Record<NodeName, Readonly<Record<string, readonly string[]>>>> = {
	bank: {
		accountOperation: ['getMany'], // P6
		cardLimit: ['delete', 'getMany'], // P8, P7
		loanApplication: ['create'], // P3
		payment: ['sendPackage'], // P1
		statement: ['orderAccount', 'orderCredit'], // P5, P4
		taxpayerAccount: ['get'], // P2
		webhook: ['delete', 'get', 'update'], // P11, P9, P10
	},
	bankChecks: {
		entryScore: ['scoreCompany', 'scoreSoleProprietor'], // 4.17: /llc/score, /ie/score
		unifiedCheck: ['run'], // 4.14
	},
	bankCardIssuance: {
		application: ['cancel', 'complete', 'create'], // 4.15: 16, 3, 1
		card: ['check', 'getResult'], // 8, 9
		channelApplication: [
			'create',
			'getPrintForms',
			'getResults',
			'sendSignLink',
			'setStatus',
			'update',
			'uploadDocuments',
		], // 4.16
		configuration: ['create'], // 0
		issuance: ['confirm'], // 15
		offer: ['deselect', 'getMany', 'select'], // 7, 5, 6
		preApproved: ['activate', 'search'], // 4.16
		printForm: ['generate', 'getRequired', 'getResult'], // 11, 10, 12
		scan: ['getResults', 'upload'], // 14, 13
		scoring: ['getFull', 'getShort'], // 4, 2
	},
	bankCourier: {
		application: ['addNote', 'changeStatus'], // 4.13: AttachNote, ChangeStatus
		courier: ['authorize', 'checkCode'], // AuthorizePipe, CheckCodePipe
		file: ['attach', 'getContent', 'getMany'], // AttachFile, GetAttachedFileContent, GetAttachedFiles
	},
	bankPartnerServices: {
		directDebit: ['createConsent', 'debit', 'getOffer', 'getPaymentOrder'], // 4.18: consent, debit, offer, payment order
		profile: ['exchangeCode', 'get'], // 4.20: /accessToken, /getProfileInfo
		trip: ['send'], // 4.19
	},
};

describe('resources and operations', () => {
	it.each(nodeNames)('of %s are those of the description, none missing and none invented', (name) => {
		const resource = descriptions[name].properties.find((property) => property.name === 'resource');
		expect(optionValues(resource)).toEqual(Object.keys(described[name]));
		const inForm = optionValues(resource).map((value) => [value, optionValues(selectorOf(name, String(value))).sort()]);
		expect(Object.fromEntries(inForm)).toEqual(described[name]);
	});

	it.each(nodeNames)('of %s are those of core, each once', (name) => {
		const own = resourcesOf(name).flatMap((resource) => resource.operations.map(({ id }) => id));
		const inForm = Object.keys(described[name]).flatMap((resource) =>
			optionValues(selectorOf(name, resource)).map((operation) => `${resource}.${String(operation)}`),
		);
		expect(inForm.sort()).toEqual([...own].sort());
		const selectors = descriptions[name].properties.filter((property) => property.name === 'operation');
		expect(selectors).toHaveLength(Object.keys(described[name]).length);
	});

	it.each(eachResource)('%s is described as in core', (_name, { node, value, name, description }) => {
		const resource = descriptions[node].properties.find((property) => property.name === 'resource');
		expect(optionsOf(resource).find((option) => option.value === value)).toMatchObject({ name, description });
	});

	it.each(eachOperation)('%s reads as core says', (_id, operation) => {
		const option = optionsOf(selectorOf(nodeOf(operation), resourceOf(operation))).find(
			({ value }) => value === operationName(operation),
		);
		expect(option).toMatchObject({ name: operation.name, action: operation.action });
		expect(option?.description?.replace(/\.$/, '')).toBe(operation.description);
	});

	it.each(eachResource)(
		'%s begins with an operation that deletes nothing, cancels nothing and moves no money',
		(_name, { node, value, operations: own }) => {
			const selector = selectorOf(node, value);
			const first = own.find((operation) => operationName(operation) === selector?.default);
			expect(first).toBeDefined();
			if (own.length === 1) return;
			expect(['delete', 'money']).not.toContain(first?.effect);
			expect(selector?.default).not.toMatch(/cancel|deselect|confirm/i);
		},
	);
});

describe('the credential', () => {
	const rest = {
		clientCredentials: 'bankClientCredentialsOAuth2Api',
		authorizationCode: 'bankAuthorizationCodeOAuth2Api',
	} as Record<string, string>;
	const byAuthentication = {
		authorizationCode: 'bankAuthorizationCodeOAuth2Api',
		clientCredentials: 'bankClientCredentialsOAuth2Api',
		gateway: 'bankGatewayApi',
		hostToHost: 'bankHostToHostOAuth2Api',
		mutualTls: 'bankMutualTlsApi',
	};

	it.each(resourcesOf('bank').map((resource) => [resource.value, resource] as const))(
		'of bank, %s is the one of its flow, and H2H where the user has an authorization code of that kind',
		(value, { operations: own }) => {
			const flows = [...new Set(own.map(({ auth }) => auth))];
			expect(flows).toHaveLength(1);
			const [flow = ''] = flows;
			expect(askedCredentials('bank', { resource: value })).toEqual([rest[flow]]);
			// The choice is there only where there is something to choose (part 5, rule 2).
			expect(
				shown('bank', { resource: value })
					.map(({ name }) => name)
					.includes('flow'),
			).toBe(flow === 'authorizationCode');
			expect(askedCredentials('bank', { resource: value, flow: 'hostToHost' })).toEqual([
				flow === 'authorizationCode' ? 'bankHostToHostOAuth2Api' : rest[flow],
			]);
		},
	);

	it('of bankCardIssuance is always the gateway (part 5, rule 7)', () => {
		for (const { value } of resourcesOf('bankCardIssuance'))
			expect(askedCredentials('bankCardIssuance', { resource: value })).toEqual(['bankGatewayApi']);
		expect(descriptions.bankCardIssuance.properties.map(({ name }) => name)).not.toContain('authenticateWith');
	});

	it.each(['bankChecks', 'bankCourier', 'bankPartnerServices'] as const)(
		'of %s is the chosen one, whatever it is',
		(name) => {
			const field = descriptions[name].properties.find((property) => property.name === 'authenticateWith');
			expect([...optionValues(field)].sort()).toEqual(Object.keys(byAuthentication));
			for (const { value } of resourcesOf(name)) {
				for (const [authentication, credential] of Object.entries(byAuthentication))
					expect(askedCredentials(name, { resource: value, authenticateWith: authentication })).toEqual([credential]);
			}
		},
	);

	it('begins with what the description says of the service: a client certificate for checks, the gateway for the others', () => {
		expect(askedCredentials('bankChecks', {})).toEqual(['bankMutualTlsApi']);
		expect(askedCredentials('bankCourier', {})).toEqual(['bankGatewayApi']);
		expect(askedCredentials('bankPartnerServices', {})).toEqual(['bankGatewayApi']);
	});

	it.each(nodeNames)('of %s takes no field from the form', (name) => {
		// n8n's editor hides a field for the choice of the credential where the `show` of all credentials covers every one of its values.
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

/** Choices by which fields appear, so that together they bring every field of a form to light. */
const openings: Values[] = [
	{
		recipientsFrom: 'items',
		inputMode: 'fields',
		payloadFrom: 'json',
		waitForResult: true,
		waitUntil: 'is',
		upload: 'whole',
		authenticateWith: 'gateway',
		accessTokenAs: 'header',
		checks: ['WSCustomerComplianceCheckGet'],
	},
	{
		recipientsFrom: 'list',
		inputMode: 'json',
		payloadFrom: 'fields',
		waitForResult: true,
		waitUntil: 'present',
		upload: 'rejected',
		authenticateWith: 'mutualTls',
		accessTokenAs: 'query',
		flow: 'hostToHost',
	},
	{ payloadFrom: 'binary', waitForResult: true, authenticateWith: 'clientCredentials' },
	{ payloadFrom: 'none' },
];
const further: Values = {
	blocks: ['vat', 'feeList'],
	returnAll: false,
	preview: false,
	object: 'ul_transaction_default',
	accountsMode: 'listed',
	borrowerType: 'legal',
};

describe('fields', () => {
	const where = ({ name, displayOptions }: INodeProperties) => `${name} ${JSON.stringify(displayOptions?.show ?? {})}`;

	it('have a label, and a description of their own', () => {
		const bare = allFields.filter((field) => field.displayName === '' || field.displayName === field.name);
		expect(bare.map(where)).toEqual([]);
		// n8n shows these without one: the choice of resource and operation, and what only groups others.
		const undescribed = allFields.filter(
			(field) =>
				(field.description ?? '') === '' &&
				// A notice is its own text.
				field.type !== 'notice' &&
				!['resource', 'operation', 'additionalFields', 'filters', 'options'].includes(field.name),
		);
		expect(undescribed.map(where)).toEqual([]);
	});

	it('end their help with a full stop after several sentences, and without one after a single one', () => {
		const texts = allFields
			.flatMap((field) =>
				[field, ...optionsOf(field).filter((option) => 'value' in option)].map(({ description }) => description ?? ''),
			)
			.filter((text) => text !== '');
		expect(texts.length).toBeGreaterThan(400);
		const sentences = (text: string) => text.replace(/\be\.g\. /g, '').includes('. ');
		expect(texts.filter((text) => text.endsWith('.') !== sentences(text))).toEqual([]);
	});

	it('that are switched on or off say what that means', () => {
		expect(
			allFields
				.filter(({ type, description }) => type === 'boolean' && !/^Whether ./.test(description ?? ''))
				.map(where),
		).toEqual([]);
	});

	it('that take text show an example', () => {
		const texts = allFields.filter(({ type }) => ['string', 'json', 'dateTime'].includes(type));
		expect(texts.length).toBeGreaterThan(200);
		expect(
			texts.filter(({ placeholder }) => placeholder === undefined || !/^e\.g\. ./.test(placeholder)).map(where),
		).toEqual([]);
	});

	it('and values stand in the order of the alphabet wherever one has to be found', () => {
		const unsorted = allFields.filter((field) => {
			if (!['options', 'multiOptions', 'collection'].includes(field.type)) return false;
			const labels = (field.options ?? []).map((option) => ('value' in option ? option.name : option.displayName));
			// From five on, as n8n's own lint has it.
			return (
				labels.length > 4 &&
				labels.some((label, index) => index > 0 && (labels[index - 1] ?? '').localeCompare(label, 'en') > 0)
			);
		});
		expect(unsorted.map(where)).toEqual([]);
	});

	it('begin with one of their values', () => {
		const lost = allFields.filter(
			(field) =>
				['options', 'multiOptions'].includes(field.type) &&
				![field.default].flat().every((value) => optionValues(field).includes(value as string)),
		);
		expect(lost.map(where)).toEqual([]);
	});

	it.each(eachOperation)('of %s have names of their own, whatever is chosen', (_id, operation) => {
		for (const opening of openings) {
			const form = formOf(operation, { ...further, ...opening });
			const names = form.map(({ name }) => name);
			expect(names).toEqual([...new Set(names)]);
			// Two fields that read alike could not be told apart.
			const labels = form.map(({ displayName }) => displayName);
			expect(labels).toEqual([...new Set(labels)]);
			for (const field of fieldsIn(form).filter(({ type }) => type === 'collection')) {
				const inside = (field.options as INodeProperties[]).map(({ name }) => name);
				expect(inside).toEqual([...new Set(inside)]);
			}
		}
	});

	it('are all reached by some choice', () => {
		const reached = new Set(
			operations.flatMap((operation) =>
				openings.flatMap((opening) =>
					shownFor(operation, {
						...further,
						...opening,
						blocks: optionValues(
							formOf(operation, { inputMode: 'fields' }).find(({ name }) => name === 'blocks'),
						) as string[],
					}),
				),
			),
		);
		const others: Values[] = [
			{ borrowerType: 'individual' },
			{ recipientsFrom: 'items' },
			{ waitForResult: true, waitUntil: 'isNot' },
		];
		const forAll = others.flatMap((more) => operations.flatMap((operation) => shownFor(operation, more)));
		for (const field of forAll) reached.add(field);
		const never = Object.values(descriptions).flatMap(({ properties }) =>
			properties.filter((property) => !reached.has(property)),
		);
		expect(never.map(where)).toEqual([]);
	});
});

describe('the form reaches', () => {
	/** The names of all fields that the API takes, as paths. */
	const leaves = (schema: GenericSchema | undefined, at: string[] = []): string[][] => {
		if (schema === undefined) return [];
		const inner = unwrap(schema).schema;
		if (inner.type === 'array') {
			const row = unwrap(inner.item as GenericSchema).schema;
			return row.type === 'strict_object' ? leaves(row, at) : [at];
		}
		if (inner.type === 'strict_object')
			return Object.entries(inner.entries ?? {}).flatMap(([name, entry]) => leaves(entry, [...at, name]));
		return [at];
	};
	/** Made by the node or asked for under another word; everything else has its own name in the form. */
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
		inputMode: 'fields',
		checks: ['WSCustomerComplianceCheckGet'],
	};

	const cases = operations.flatMap((operation) => {
		const paths = [operation.pathFields, operation.query, operation.body, operation.nameless].flatMap((schema) =>
			leaves(schema),
		);
		return paths.map((at) => [operation.id, at.join('.'), operation, at] as const);
	});

	it('many fields', () => expect(cases.length).toBeGreaterThan(160));

	it.each(cases)('%s: %s', (id, _path, operation, at) => {
		const name = at.at(-1) ?? '';
		const block = at[0] === 'partner' && at.length > 2 ? at[1] : undefined;
		const form = formOf(operation, { ...choices, blocks: block === undefined ? [] : [block] });
		if (block === undefined) {
			const wanted = otherwise[`${id} ${name}`] ?? name;
			expect(fieldsIn(form).map((field) => field.name)).toContain(wanted);
			return;
		}
		// Blocks keep the shape of the API; rows inside rows are JSON and name their fields in the description.
		let level = form;
		for (const step of at.slice(1)) {
			const field = level.find((candidate) => candidate.name === step);
			if (field === undefined) throw new Error(`${step} is not in the form`);
			if (field.type === 'json') {
				expect(field.description).toContain(name);
				return;
			}
			level =
				field.type === 'fixedCollection'
					? (field.options as INodePropertyCollection[]).flatMap(({ values }) => values)
					: ((field.options ?? []) as INodeProperties[]);
		}
	});
});

describe('credentials', () => {
	const { n8n } = JSON.parse(readFileSync(path.resolve(__dirname, '../package.json'), 'utf8')) as {
		n8n: { credentials: string[] };
	};
	const classNames = n8n.credentials.map((file) => path.basename(file, '.credentials.js'));
	const load = async (className: string) => {
		const classes = (await import(`../credentials/${className}.credentials.ts`)) as Record<
			string,
			new () => ICredentialType
		>;
		return new classes[className]!();
	};

	it.each(classNames)('%s shows no secret and explains every field', async (className) => {
		/** As n8n merges them: the parent's fields, unless the type has its own of that name. */
		for (const property of (await load(className)).properties) {
			if (property.type === 'hidden' || property.type === 'notice') continue;
			if (/secret|password|passphrase|privateKey|(^|[a-z])Token$|^(cert|key|pfx)$/i.test(property.name))
				expect(property.typeOptions).toMatchObject({ password: true });
			expect([property.name, property.description ?? '']).not.toEqual([property.name, '']);
		}
	});

	it('are all asked for by some node, and none is asked for that there is not', async () => {
		const known = await Promise.all(classNames.map(async (className) => (await load(className)).name));
		const asked = new Set(
			Object.values(descriptions).flatMap(({ credentials = [] }) => credentials.map(({ name }) => name)),
		);
		expect([...asked].sort()).toEqual(known.filter((name) => name !== 'bankInboundApi').sort());
	});
});

describe('names are promises: saved workflows hold them, so none may go or change', () => {
	const address = ['method', 'path'];
	const payload = ['payload', 'payloadBinaryField', 'payloadFields', 'payloadFrom', 'keepEmpty'];
	const files = ['files', 'binaryField', 'field', 'filesAs'];
	const wait = [
		'waitForResult',
		'waitUntil',
		'waitField',
		'waitValues',
		'waitAtMost',
		'waitEvery',
		'waitStatuses',
		'concurrency',
	];
	const promised: Record<string, string[]> = {
		'accountOperation.getMany': [
			'accounts',
			'arrayFormat',
			'cards',
			'concurrency',
			'dateFrom',
			'dateTo',
			'filters',
			'limit',
			'offset',
			'operationDirection',
			'options',
			'pageSize',
			'returnAll',
			'simplify',
			'timeout',
		],
		'cardLimit.delete': ['cardId', 'limitId', 'options', 'timeout'],
		'cardLimit.getMany': ['cardId', 'concurrency', 'limit', 'options', 'returnAll', 'simplify', 'timeout'],
		'loanApplication.create': [
			'additionalFields',
			'application',
			'blocks',
			'borrowerType',
			'calculationsInformation',
			'contactPhone',
			'dealId',
			'delay',
			'feeList',
			'inn',
			'inputMode',
			'insurancePremiumsInfo',
			'numberOfInteractionDays',
			'options',
			'premiumAccount',
			'procuredGoodsInfo',
			'profitTax',
			'sellerInventory',
			'sellerQuality',
			'sixPersonalIncomeTaxesInfo',
			'startDateOfInteraction',
			'timeout',
			'transactionsInfo',
			'transportedGoodsInfo',
			'twoPersonalIncomeTaxesInfo',
			'vat',
		],
		'payment.sendPackage': [
			'account',
			'additionalFields',
			'amount',
			'b2cClientId',
			'first',
			'inn',
			'last',
			'maxPayments',
			'middle',
			'name',
			'nameCheck',
			'nspkBankId',
			'options',
			'packagePerItem',
			'partnerId',
			'paymentDescription',
			'payments',
			'phone',
			'preview',
			'recipientsFrom',
			'ric',
			'sequence',
			'signedBody',
			'timeout',
			'total',
		],
		'statement.orderAccount': ['accountIds', 'dateBegin', 'dateEnd', 'options', 'timeout'],
		'statement.orderCredit': [
			'accountIds',
			'additionalFields',
			'agreementNumber',
			'dateBegin',
			'dateEnd',
			'operationsHistory',
			'options',
			'timeout',
		],
		'taxpayerAccount.get': ['concurrency', 'options', 'requestId', 'timeout'],
		'webhook.delete': ['id', 'object', 'options', 'timeout'],
		'webhook.get': ['concurrency', 'id', 'object', 'options', 'timeout'],
		'webhook.update': [
			'accounts',
			'accountsMode',
			'additionalFields',
			'callbackUri',
			'enabled',
			'id',
			'object',
			'options',
			'organizationIdHash',
			'preview',
			'readBefore',
			'registeredCallbackUri',
			'timeout',
			'version',
		],

		'unifiedCheck.run': [
			...address,
			'additionalFields',
			'checks',
			'chklst',
			'idg',
			'otherChecks',
			'concurrency',
			'cban',
			'cod',
			'crf',
			'cus',
			'customerType',
			'dopn',
			'dtbr',
			'ecs',
			'edt',
			'exs',
			'fior',
			'fnm1',
			'fnm2',
			'fnm3',
			'num',
			'numo',
			'ser',
			'sero',
			'ucd',
			'ucdo',
		],
		'entryScore.scoreCompany': [...address, ...payload, 'taxNumber', 'taxNumberField', 'concurrency'],
		'entryScore.scoreSoleProprietor': [...address, ...payload, 'taxNumber', 'taxNumberField', 'concurrency'],

		'configuration.create': payload,
		'application.create': payload,
		'scoring.getShort': ['appId', ...wait],
		'application.complete': ['appId', ...payload, ...files, 'document'],
		'scoring.getFull': ['appId', ...wait],
		'offer.getMany': ['appId', 'concurrency'],
		'offer.select': ['appId', 'offerId', ...payload],
		'offer.deselect': ['appId', 'offerId', ...payload],
		'card.check': ['appId', ...payload, 'barcode', 'barcodeField'],
		'card.getResult': ['appId', ...wait],
		'printForm.getRequired': ['appId', 'concurrency'],
		'printForm.generate': ['appId', ...payload, 'askAgain'],
		'printForm.getResult': ['appId', ...wait],
		'scan.upload': ['appId', ...payload, ...files, 'upload', 'requiredDocuments', 'rejectedDocuments'],
		'scan.getResults': ['appId', ...wait],
		'issuance.confirm': ['appId', ...payload],
		'application.cancel': ['appId', ...payload],

		'preApproved.search': [...address, ...payload, 'concurrency'],
		'preApproved.activate': [...address, ...payload, ...files],
		'channelApplication.create': [...address, ...payload],
		'channelApplication.getResults': ['appId', ...address, ...payload, ...wait],
		'channelApplication.uploadDocuments': ['appId', ...address, ...payload, ...files],
		'channelApplication.update': ['appId', ...address, ...payload],
		'channelApplication.setStatus': ['appId', ...address, ...payload, 'stage', 'stageField'],
		'channelApplication.getPrintForms': ['appId', ...address, ...payload, 'concurrency'],
		'channelApplication.sendSignLink': ['appId', ...address, ...payload],

		'file.getMany': [...address, ...payload, 'concurrency'],
		'file.getContent': [...address, ...payload, 'binaryField', 'contentField', 'fileName', 'mimeType', 'concurrency'],
		'file.attach': [...address, ...payload, ...files],
		'courier.authorize': [...address, ...payload],
		'courier.checkCode': [...address, ...payload, 'code', 'codeField'],
		'application.changeStatus': [...address, ...payload],
		'application.addNote': [...address, ...payload, 'note', 'noteField'],

		'directDebit.createConsent': [...address, ...payload],
		'directDebit.getOffer': [...address, ...payload, 'concurrency'],
		'directDebit.debit': [
			...address,
			...payload,
			'transactionId',
			'purpose',
			'purposeField',
			'purposeLabel',
			'preview',
		],
		'directDebit.getPaymentOrder': [...address, ...payload, 'concurrency'],
		'trip.send': [...address, ...payload],
		'profile.exchangeCode': [...address, ...payload],
		'profile.get': ['accessToken', 'accessTokenAs', 'carriedBy', 'concurrency'],
	};
	const promisedValues = {
		resource: Object.values(described).flatMap(Object.keys),
		flow: ['authorizationCode', 'hostToHost'],
		authenticateWith: ['authorizationCode', 'clientCredentials', 'gateway', 'hostToHost', 'mutualTls'],
		method: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'],
		payloadFrom: ['binary', 'fields', 'json', 'none'],
		filesAs: ['base64', 'multipart'],
		waitUntil: ['answered', 'is', 'isNot', 'present'],
		checks: [
			'WSCodeInvalidIdentityCard',
			'WSConsumerSubjectInfoGet',
			'WSCustomerBankruptcyInfo',
			'WSCustomerComplianceCheckGet',
			'WSCustomerReputationRisk',
			'WSCustomerTerrorism',
			'WSGlobalSearch',
			'WSResultSOZSalaryProject',
		],
		otherChecks: ['false', 'leaveOut'],
		stage: ['CARD_ISSUE', 'CLIENT_DECLINE', 'START_SIGN', 'TECHNICAL_PROBLEM'],
		upload: ['rejected', 'whole'],
		document: ['clientPhoto', 'passportMain', 'passportRegistration', 'personalDataConsent'],
		accessTokenAs: ['bearer', 'header', 'query'],
		object: ['jp_sbp_incoming_payments', 'ul_transaction_default'],
		accountsMode: ['all', 'listed'],
		recipientsFrom: ['items', 'list'],
		inputMode: ['fields', 'json'],
		borrowerType: ['individual', 'legal', 'none'],
		operationDirection: ['EXPENSE', 'INCOME'],
		arrayFormat: ['brackets', 'comma', 'indices', 'repeat'],
	};

	it('are noted for every operation', () => {
		expect(Object.keys(promised).sort()).toEqual(operations.map(({ id }) => id).sort());
	});

	it.each(Object.entries(promised))('%s', (id, names) => {
		const operation = operations.find((candidate) => candidate.id === id) as Operation;
		const own = descriptions[nodeOf(operation)].properties.filter(
			({ displayOptions }) =>
				displayOptions?.show?.resource?.includes(resourceOf(operation)) &&
				displayOptions.show.operation?.includes(operationName(operation)),
		);
		// Rows of the blocks are the API's names, which the test above compares with its schema.
		const blocks = optionValues(own.find(({ name }) => name === 'blocks'));
		const inForm = new Set(
			own.flatMap((field) => (blocks.includes(field.name) ? [field] : fieldsIn([field]))).map(({ name }) => name),
		);
		expect([...inForm]).toEqual(expect.arrayContaining([...names, 'options', 'timeout']));
	});

	it.each(Object.entries(promisedValues))('the values of %s', (name, values) => {
		const found = new Set(allFields.filter((field) => field.name === name).flatMap(optionValues));
		expect([...found]).toEqual(expect.arrayContaining(values));
	});

	it('the nodes and their credentials', () => {
		expect(Object.values(descriptions).map(({ name }) => name)).toEqual([
			'bank',
			'bankChecks',
			'bankCardIssuance',
			'bankCourier',
			'bankPartnerServices',
		]);
		for (const { version } of Object.values(descriptions)) expect(version).toEqual(expect.arrayContaining([1]));
		expect([new BankClientCredentialsOAuth2Api().name, new BankAuthorizationCodeOAuth2Api().name]).toEqual([
			'bankClientCredentialsOAuth2Api',
			'bankAuthorizationCodeOAuth2Api',
		]);
		const promisedFields = ['environment', 'productionBaseUrl', 'sandboxBaseUrl', 'accessTokenUrl', 'bankScopes'];
		for (const type of [new BankClientCredentialsOAuth2Api(), new BankAuthorizationCodeOAuth2Api()])
			expect(type.properties.map(({ name }) => name)).toEqual(expect.arrayContaining(promisedFields));
		const more = ['flow', 'authUrl', 'eventScopes', 'requestConsent', 'authorizationParameters'];
		expect(new BankAuthorizationCodeOAuth2Api().properties.map(({ name }) => name)).toEqual(
			expect.arrayContaining(more),
		);
	});
});
