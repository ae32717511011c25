/** The forms say what the operations need, completely, and in names that saved workflows can rely on. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { operations, operationName, type Operation, resourceOf, resources, unwrap } from '@bank/core';
import { type ICredentialType, type INodeProperties, type INodePropertyCollection, type INodePropertyOptions, NodeHelpers } from 'n8n-workflow';
import { type GenericSchema } from 'valibot';

import { BankAuthorizationCodeOAuth2Api } from '../credentials/BankAuthorizationCodeOAuth2Api.credentials.ts';
import { BankClientCredentialsOAuth2Api } from '../credentials/BankClientCredentialsOAuth2Api.credentials.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';

const { description } = new Bank();
const { properties } = description;
const node = { typeVersion: 1 } as never;
type Values = Record<string, string | boolean | string[]>;

/** What the user sees with these choices; `true` for what only an expression decides. */
const shown = (values: Values) => properties.filter((property) => property.displayOptions === undefined || NodeHelpers.displayParameter(values, property, node, description));
const formOf = (operation: Operation, more: Values = {}) => shown({ resource: resourceOf(operation), operation: operationName(operation), ...more });
const optionValues = (property?: INodeProperties) => ((property?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
const selectorOf = (resource: string) => shown({ resource }).find(({ name }) => name === 'operation');

/** Every field of a form, at any depth. */
const fieldsIn = (fields: INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => {
		if (field.type === 'collection') return [field, ...fieldsIn(field.options as INodeProperties[])];
		if (field.type === 'fixedCollection') return [field, ...(field.options as INodePropertyCollection[]).flatMap(({ values }) => fieldsIn(values))];
		return [field];
	});
const allFields = fieldsIn(properties);

describe('what is generated', () => {
	it('is what stands in the repository', async () => {
		// Its own process: the script is a module that Node runs as it is.
		const { execFileSync } = await import('node:child_process');
		const script = "import('./scripts/generate.ts').then(({ generatedForms }) => console.log(JSON.stringify([...generatedForms()])))";
		const files = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: path.resolve(__dirname, '..'), encoding: 'utf8' })) as [string, string][];
		expect(files.map(([file]) => path.basename(file))).toEqual(expect.arrayContaining([...resources.map(({ value }) => `${value}.ts`), 'loanApplication.blocks.ts']));
		for (const [file, text] of files) expect({ file, text: readFileSync(file, 'utf8') }).toEqual({ file, text });
	});
});

describe('resources and operations', () => {
	it('are those of core, each once', () => {
		const resource = properties.find(({ name }) => name === 'resource');
		expect(optionValues(resource)).toEqual(resources.map(({ value }) => value));
		const inForm = resources.flatMap(({ value }) => optionValues(selectorOf(value)).map((operation) => `${value}.${String(operation)}`));
		expect(inForm.sort()).toEqual(operations.map(({ id }) => id).sort());
	});

	it.each(operations.map((operation) => [operation.id, operation] as const))('%s reads as core says', (_id, operation) => {
		const option = (selectorOf(resourceOf(operation))?.options as INodePropertyOptions[]).find(({ value }) => value === operationName(operation));
		expect(option).toMatchObject({ name: operation.name, action: operation.action });
		expect(option?.description?.replace(/\.$/, '')).toBe(operation.description);
	});

	it.each(resources.map(({ value }) => value))('%s begins with an operation that deletes nothing', (resource) => {
		const selector = selectorOf(resource);
		expect(optionValues(selector)).toContain(selector?.default);
		expect(selector?.default).not.toBe('delete');
	});

	it.each(resources.map(({ value, operations: own }) => [value, own] as const))('%s asks for exactly the credential that its operations need', (resource, own) => {
		const types = { clientCredentials: 'bankClientCredentialsOAuth2Api', authorizationCode: 'bankAuthorizationCodeOAuth2Api' };
		const asked = (description.credentials ?? []).filter((credential) => NodeHelpers.displayParameter({ resource }, credential, node, description));
		expect(asked.map(({ name, required }) => [name, required])).toEqual([...new Set(own.map(({ auth }) => types[auth]))].map((name) => [name, true]));
	});
});

describe('fields', () => {
	const where = ({ displayOptions }: INodeProperties) => JSON.stringify(displayOptions?.show ?? {});

	it('have a label, and a description of their own', () => {
		const bare = allFields.filter((field) => field.displayName === '' || field.displayName === field.name);
		expect(bare.map(({ name }) => name)).toEqual([]);
		// n8n shows these without one: the choice of resource and operation, and what only groups others.
		const undescribed = allFields.filter((field) => (field.description ?? '') === '' && !['resource', 'operation', 'additionalFields', 'filters', 'options'].includes(field.name));
		expect(undescribed.map((field) => `${field.name} ${where(field)}`)).toEqual([]);
	});

	it('that take text show an example', () => {
		const texts = allFields.filter(({ type }) => ['string', 'json', 'dateTime'].includes(type));
		expect(texts.length).toBeGreaterThan(100);
		expect(texts.filter(({ placeholder }) => placeholder === undefined || !/^e\.g\. ./.test(placeholder)).map((field) => `${field.name} ${where(field)}`)).toEqual([]);
	});

	it.each(operations.map((operation) => [operation.id, operation] as const))('of %s have names of their own, whatever is chosen', (_id, operation) => {
		const choices: Values[] = [{}, { recipientsFrom: 'items', inputMode: 'fields', listSource: 'rows' }, { recipientsFrom: 'list', inputMode: 'json', listSource: 'arrays' }];
		for (const choice of choices) {
			const names = formOf(operation, { ...choice, blocks: ['vat', 'feeList'], returnAll: false, preview: false, object: 'ul_transaction_default', accountsMode: 'listed', borrowerType: 'legal' }).map(({ name }) => name);
			expect(names).toEqual([...new Set(names)]);
		}
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
		if (inner.type === 'strict_object') return Object.entries(inner.entries ?? {}).flatMap(([name, entry]) => leaves(entry, [...at, name]));
		return [at];
	};
	/** Made by the node or asked for under another word; everything else has its own name in the form. */
	const otherwise: Record<string, string> = { 'accountOperation.getMany offset': 'options', 'accountOperation.getMany limit': 'limit', 'loanApplication.create inn': 'inn' };
	const choices: Values = { recipientsFrom: 'items', inputMode: 'fields', listSource: 'rows', returnAll: false, preview: false, object: 'ul_transaction_default', accountsMode: 'listed', borrowerType: 'legal' };

	const cases = operations.flatMap((operation) => {
		const paths = [operation.pathFields, operation.query, operation.body].flatMap((schema) => leaves(schema));
		return paths.map((at) => [operation.id, at.join('.'), operation, at] as const);
	});

	it('many fields', () => expect(cases.length).toBeGreaterThan(120));

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
			level = field.type === 'fixedCollection' ? (field.options as INodePropertyCollection[]).flatMap(({ values }) => values) : ((field.options ?? []) as INodeProperties[]);
		}
	});
});

describe('credentials', () => {
	/** As n8n merges them: the parent's fields, unless the type has its own of that name. n8n's oAuth2Api has these secrets. */
	const types: ICredentialType[] = [new BankClientCredentialsOAuth2Api(), new BankAuthorizationCodeOAuth2Api()];

	it.each(types.map((type) => [type.name, type] as const))('%s shows no secret, explains every field and extends n8n\'s own type', (_name, type) => {
		expect(type.extends).toEqual(['oAuth2Api']);
		for (const property of type.properties) {
			if (/secret|password|passphrase|privateKey|(^|[a-z])Token$|cert/i.test(property.name)) expect(property.typeOptions).toMatchObject({ password: true });
			if (property.type !== 'hidden') expect(property.description ?? '').not.toBe('');
			if (property.type === 'string') expect(property.placeholder).toMatch(/^e\.g\. /);
		}
	});
});

describe('names are promises: saved workflows hold them, so none may go or change', () => {
	const promised = {
		'accountOperation.getMany': ['accounts', 'arrayFormat', 'cards', 'concurrency', 'dateFrom', 'dateTo', 'filters', 'limit', 'offset', 'operationDirection', 'options', 'pageSize', 'returnAll', 'simplify', 'timeout'],
		'cardLimit.delete': ['cardId', 'limitId', 'options', 'timeout'],
		'cardLimit.getMany': ['cardId', 'concurrency', 'limit', 'options', 'returnAll', 'simplify', 'timeout'],
		'loanApplication.create': [
			'additionalFields', 'application', 'blocks', 'borrowerType', 'calculationsInformation', 'contactPhone', 'dealId', 'delay', 'feeList', 'inn', 'inputMode', 'insurancePremiumsInfo', 'listSource',
			'numberOfInteractionDays', 'options', 'premiumAccount', 'procuredGoodsInfo', 'profitTax', 'sellerInventory', 'sellerQuality', 'sixPersonalIncomeTaxesInfo', 'startDateOfInteraction', 'timeout',
			'transactionsInfo', 'transportedGoodsInfo', 'twoPersonalIncomeTaxesInfo', 'vat',
		],
		'payment.sendPackage': [
			'account', 'additionalFields', 'amount', 'b2cClientId', 'first', 'inn', 'last', 'maxPayments', 'middle', 'name', 'nameCheck', 'nspkBankId', 'options', 'packagePerItem', 'partnerId', 'paymentDescription',
			'payments', 'phone', 'preview', 'recipientsFrom', 'ric', 'sequence', 'signedBody', 'timeout', 'total',
		],
		'statement.orderAccount': ['accountIds', 'dateBegin', 'dateEnd', 'options', 'timeout'],
		'statement.orderCredit': ['accountIds', 'additionalFields', 'agreementNumber', 'dateBegin', 'dateEnd', 'operationsHistory', 'options', 'timeout'],
		'taxpayerAccount.get': ['concurrency', 'options', 'requestId', 'timeout'],
		'webhook.delete': ['id', 'object', 'options', 'timeout'],
		'webhook.get': ['concurrency', 'id', 'object', 'options', 'timeout'],
		'webhook.update': ['accounts', 'accountsMode', 'additionalFields', 'callbackUri', 'enabled', 'id', 'object', 'options', 'organizationIdHash', 'preview', 'readBefore', 'registeredCallbackUri', 'timeout', 'version'],
	};
	const promisedValues = {
		resource: ['accountOperation', 'cardLimit', 'loanApplication', 'payment', 'statement', 'taxpayerAccount', 'webhook'],
		object: ['jp_sbp_incoming_payments', 'ul_transaction_default'],
		accountsMode: ['all', 'listed'],
		recipientsFrom: ['items', 'list'],
		inputMode: ['fields', 'json'],
		listSource: ['arrays', 'rows'],
		borrowerType: ['individual', 'legal', 'none'],
		operationDirection: ['EXPENSE', 'INCOME'],
		arrayFormat: ['brackets', 'comma', 'indices', 'repeat'],
	};

	it.each(Object.entries(promised))('%s', (id, names) => {
		const operation = operations.find((candidate) => candidate.id === id);
		expect(operation).toBeDefined();
		const own = properties.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resourceOf(operation!)) && displayOptions.show.operation?.includes(operationName(operation!)));
		// Rows of the blocks are the API's names, which the test above compares with its schema.
		const blocks = optionValues(own.find(({ name }) => name === 'blocks'));
		const inForm = new Set(own.flatMap((field) => (blocks.includes(field.name) ? [field] : fieldsIn([field]))).map(({ name }) => name));
		expect([...inForm]).toEqual(expect.arrayContaining(names));
	});

	it.each(Object.entries(promisedValues))('the values of %s', (name, values) => {
		const found = new Set(allFields.filter((field) => field.name === name).flatMap(optionValues));
		expect([...found]).toEqual(expect.arrayContaining(values));
	});

	it('the node and its credentials', () => {
		expect(description.name).toBe('bank');
		expect(description.version).toEqual(expect.arrayContaining([1]));
		expect([new BankClientCredentialsOAuth2Api().name, new BankAuthorizationCodeOAuth2Api().name]).toEqual(['bankClientCredentialsOAuth2Api', 'bankAuthorizationCodeOAuth2Api']);
		const promisedFields = ['environment', 'productionBaseUrl', 'sandboxBaseUrl', 'accessTokenUrl', 'scopes'];
		for (const type of [new BankClientCredentialsOAuth2Api(), new BankAuthorizationCodeOAuth2Api()]) expect(type.properties.map(({ name }) => name)).toEqual(expect.arrayContaining(promisedFields));
		const more = ['flow', 'authUrl', 'eventScopes', 'requestConsent', 'authorizationParameters'];
		expect(new BankAuthorizationCodeOAuth2Api().properties.map(({ name }) => name)).toEqual(expect.arrayContaining(more));
	});
});
