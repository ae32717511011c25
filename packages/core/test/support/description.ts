/**
 * Parts 2, 4 and 5 of the API description, written down a second time, as data and by hand, so that core's definitions cannot
 * drift from it unseen. Types as there; `object[]` is an array of object. Where the description leaves a question, a comment says
 * what was taken.
 */
export interface Described {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	/** Absent: "scope of the subscribed event". */
	scope?: string;
	flow: 'Client Credentials Flow' | 'Authorization Code Flow' | 'not stated';
	pathFields: Record<string, string>;
	query: Record<string, string>;
	/** Absent where the operation has no body. */
	body?: Record<string, string>;
	/** Absent where the answer has no body. */
	answer?: Record<string, string>;
	errors: string[];
}

/** 2.1 */
const amount = (name: string, required: 'req' | 'opt') => ({
	[name]: `object ${required}`,
	[`${name}.value`]: 'integer req',
	[`${name}.currency`]: 'string req',
	[`${name}.minorUnits`]: 'integer req',
});

/** 2.4: "Unless stated, each list element has the fields sum (number(float), currency units) and date (date)"; all are optional. */
const blocks: Record<string, string> = {
	'transactionsInfo.transactionsMSBSumList': 'sum, date',
	'transactionsInfo.transactionsMSBQuantityList': 'quantity, date',
	'transactionsInfo.transactionsMSBAvgSumList': 'sum, date',
	'transactionsInfo.minSumTransactionMSB': 'sum, date',
	'transactionsInfo.transactionsMSBMaxSumList': 'sum, date',
	'sellerInventory.inventorySumAndQuantityList': 'sum, quantity, date',
	'sellerQuality.sellerRatings': 'rating, date',
	'sellerQuality.returnedQuantityList': 'quantity, date',
	'sellerQuality.reasonForRefundList': 'reason, date',
	'sellerQuality.goodsConcentrationLevels': 'concentrationLevelOfSum, concentrationLevelOfQuantity, nameOfGood',
	'delay.loans': 'overDueDate, duration, sum',
	'delay.goods': 'overDueDate, duration, sum',
	feeList: 'sum, date',
	'transportedGoodsInfo.deliveries': 'date, transportedGoodsVolumeAndCategoryList[volume, category]',
	'vat.totalTaxBaseList': 'sum, date',
	'vat.counterparts': 'quantity, date, purchases[sum, date], sales[sum, date]',
	'vat.purchaseAndSaleOperations': 'quantity, date',
	'insurancePremiumsInfo.mandatoryPensionInsuranceSumList': 'sum, date',
	'insurancePremiumsInfo.mandatoryMedicalInsuranceSumList': 'sum, date',
	'insurancePremiumsInfo.mandatoryPensionInsuranceSurchargeSumList': 'sum, date',
	'insurancePremiumsInfo.supplementarySocialSupportSumList': 'sum, date',
	'insurancePremiumsInfo.mandatorySocialInsuranceSumList': 'sum, date',
	'profitTax.incomes': 'sum, date',
	'profitTax.costs': 'sum, date',
	'profitTax.totalProfits': 'sum, date',
	'twoPersonalIncomeTaxesInfo.fullCostSumList': 'sum, date',
	'twoPersonalIncomeTaxesInfo.retentionSumList': 'sum, date',
	'twoPersonalIncomeTaxesInfo.paidSumList': 'sum, date',
	'twoPersonalIncomeTaxesInfo.employeesQuantityList': 'quantity, date',
	'sixPersonalIncomeTaxesInfo.factIncomes': 'factDate, sum, date',
	'sixPersonalIncomeTaxesInfo.retentionPITDateAndSumList': 'factDate, sum, date',
	'sixPersonalIncomeTaxesInfo.imposedKBKTaxes': 'sum, date',
	'sixPersonalIncomeTaxesInfo.imposedInterests': 'sum, date',
	'sixPersonalIncomeTaxesInfo.imposedFines': 'sum, date',
	'sixPersonalIncomeTaxesInfo.paidKBKTaxes': 'sum, date',
	'sixPersonalIncomeTaxesInfo.paidKBKInterests': 'sum, date',
	'sixPersonalIncomeTaxesInfo.paidKBKFines': 'sum, date',
	'calculationsInformation.currentInterestsAndCategories': 'sum, category',
	'calculationsInformation.currentFinesAndCategories': 'sum, category',
};

const elementTypes: Record<string, string> = {
	sum: 'number',
	date: 'date',
	quantity: 'integer',
	rating: 'number',
	reason: 'string',
	concentrationLevelOfSum: 'number',
	concentrationLevelOfQuantity: 'number',
	nameOfGood: 'string',
	overDueDate: 'date',
	duration: 'integer',
	volume: 'number',
	category: 'string',
	factDate: 'date',
};

/** `date, sales[sum, date]` under a list -> its fields. */
function elements(list: string, text: string): Record<string, string> {
	const fields: Record<string, string> = { [list]: 'object[] opt' };
	for (const [, name = '', inner] of text.matchAll(/(\w+)(?:\[([^\]]*)\])?/g)) {
		if (inner === undefined) fields[`${list}[].${name}`] = `${elementTypes[name]} opt`;
		else Object.assign(fields, elements(`${list}[].${name}`, inner));
	}
	return fields;
}

const partner: Record<string, string> = {
	partner: 'object req',
	'partner.numberOfInteractionDays': 'integer opt',
	'partner.startDateOfInteraction': 'date opt',
	// "the description says string; the sample shows an array of strings": both.
	'partner.procuredGoodsInfo': 'object opt',
	'partner.procuredGoodsInfo.categories': 'string|string[] opt',
	'partner.premiumAccount': 'object opt',
	'partner.premiumAccount.hasPremiumAccount': 'boolean opt',
	'partner.calculationsInformation.currentInterestsSum': 'number opt',
	'partner.calculationsInformation.currentTaxesSum': 'number opt',
};
for (const [list, text] of Object.entries(blocks)) {
	const [block = '', key] = list.split('.');
	if (key !== undefined) partner[`partner.${block}`] = 'object opt';
	Object.assign(partner, elements(`partner.${list}`, text));
}

/** 2.5 */
const reportOrder = {
	id: 'string req',
	date: 'string req',
	type: 'object req',
	'type.code': 'string req',
	'type.title': 'string req',
	status: 'string req',
};

/** 2.8, as an answer */
const webhook = {
	id: 'uuid opt',
	object: 'string opt',
	enabled: 'boolean opt',
	organizationIdHash: 'string opt',
	data: 'object opt',
	'data.accounts': 'string[] opt',
	callbackUri: 'string opt',
	version: 'integer opt',
	statusDescriptions: 'object[] opt',
	'statusDescriptions[].cause': 'string opt',
	'statusDescriptions[].description': 'string opt',
};

const reportErrors = [
	'400 invalid_request',
	'401 invalid_token',
	'403 insufficient_scope',
	'403 access_denied',
	'404 unknown_endpoint',
	'500 internal_error',
];
const bothObjects = 'ul_transaction_default|jp_sbp_incoming_payments';

export const description: Record<string, Described> = {
	// P1
	'payment.sendPackage': {
		method: 'POST',
		path: '/api/b2cpay/jp/v1/payments',
		scope: 'b2c_sbp_payments',
		flow: 'Client Credentials Flow',
		pathFields: {},
		query: {},
		body: {
			client: 'object req',
			'client.b2cClientId': 'string opt',
			'client.partnerId': 'integer req',
			inn: 'string req',
			account: 'string req',
			total: 'number req',
			nameCheck: 'boolean opt',
			payments: 'object[] req',
			'payments[].name': 'object opt',
			'payments[].name.first': 'string opt',
			'payments[].name.middle': 'string opt',
			'payments[].name.last': 'string opt',
			'payments[].amount': 'number req',
			'payments[].nspkBankId': 'string req',
			'payments[].phone': 'string req',
			'payments[].sequence': 'string req',
			'payments[].paymentDescription': 'string req',
			'payments[].ric': 'integer req',
			signedBody: 'string req',
		},
		answer: {
			client: 'object req',
			'client.b2cClientId': 'string opt',
			'client.partnerId': 'integer req',
			payPackage: 'integer req',
			payments: 'object[] req',
			'payments[].amount': 'number req',
			'payments[].feeAmount': 'number req',
			'payments[].transactionId': 'string req',
			'payments[].phone': 'string req',
			'payments[].sequence': 'string req',
			'payments[].createDate': 'string req',
			'payments[].paymentDescription': 'string req',
			'payments[].name': 'object opt',
			'payments[].name.first': 'string opt',
			'payments[].name.middle': 'string opt',
			'payments[].name.last': 'string opt',
			'payments[].nameCheck': 'boolean opt',
		},
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'404 unknown_route',
			'500 internal_error',
		],
	},
	// P2
	'taxpayerAccount.get': {
		method: 'GET',
		path: '/api/semp/v1/selfemployed/taxpayer-account-info/{requestId}',
		scope: 'as-accrual-and-debt',
		flow: 'Authorization Code Flow',
		pathFields: { requestId: 'string req' },
		query: {},
		answer: { status: 'string opt', bonusAmount: 'string opt', unpaidAmount: 'string opt', debtAmount: 'string opt' },
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'403 access_denied',
			'500 internal_error',
		],
	},
	// P3
	'loanApplication.create': {
		method: 'POST',
		path: '/api/loan-applications',
		scope: 'loan-applications',
		flow: 'Client Credentials Flow',
		pathFields: {},
		query: {},
		body: {
			dealId: 'uuid req',
			borrower: 'object req',
			'borrower.individual': 'object opt',
			'borrower.individual.legalInfo': 'object opt',
			'borrower.individual.legalInfo.inn': 'string req',
			'borrower.individual.legalInfo.contactPhone': 'string opt',
			'borrower.legal': 'object opt',
			'borrower.legal.legalInfo': 'object opt',
			'borrower.legal.legalInfo.inn': 'string req',
			'borrower.legal.legalInfo.contactPhone': 'string opt',
			...partner,
		},
		answer: { dealId: 'string req' },
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'403 access_denied',
			'500 internal_error',
		],
	},
	// P4
	'statement.orderCredit': {
		method: 'POST',
		path: '/api/pp/v1/reports/type/credit/statement',
		scope: 'credit-statements',
		flow: 'Authorization Code Flow',
		pathFields: {},
		query: {},
		body: {
			dateBegin: 'date req',
			dateEnd: 'date req',
			accountIds: 'string[] req',
			agreementNumber: 'string opt',
			operationsHistory: 'boolean req',
		},
		answer: reportOrder,
		errors: reportErrors,
	},
	// P5
	'statement.orderAccount': {
		method: 'POST',
		path: '/api/pp/v1/reports/type/account',
		scope: 'debit-statements',
		flow: 'Authorization Code Flow',
		pathFields: {},
		query: {},
		body: { dateBegin: 'date req', dateEnd: 'date req', accountIds: 'string[] req' },
		answer: reportOrder,
		errors: reportErrors,
	},
	// P6
	'accountOperation.getMany': {
		method: 'GET',
		path: '/api/pp/v1/operations',
		scope: 'operations-history',
		flow: 'Authorization Code Flow',
		pathFields: {},
		query: {
			dateFrom: 'date opt',
			dateTo: 'date opt',
			accounts: 'string[] opt',
			cards: 'string[] opt',
			operationDirection: 'INCOME|EXPENSE opt',
			offset: 'integer opt',
			limit: 'integer opt',
		},
		answer: {
			operations: 'object[] req',
			'operations[].id': 'string req',
			'operations[].dateTime': 'string req',
			'operations[].title': 'string req',
			...amount('operations[].amount', 'req'),
			'operations[].comment': 'string opt',
			'operations[].mcc': 'string opt',
			'operations[].category': 'object opt',
			'operations[].category.id': 'string req',
			'operations[].category.name': 'string req',
			'operations[].direction': 'string req',
			'operations[].loyalty': 'object opt',
			'operations[].loyalty.title': 'string opt',
			'operations[].loyalty.percent': 'number opt',
			...amount('operations[].loyalty.amount', 'opt'),
			'operations[].status': 'string opt',
			'operations[].type': 'string opt',
			'operations[].terminal': 'object opt',
			'operations[].terminal.number': 'string opt',
			'operations[].terminal.name': 'string opt',
			'operations[].terminal.city': 'string opt',
			'operations[].terminal.countryCode': 'string opt',
			'operations[].sender': 'object opt',
			'operations[].sender.name': 'string opt',
			'operations[].sender.accountNumber': 'string opt',
			'operations[].sender.bankBik': 'string opt',
			'operations[].sender.bankName': 'string opt',
			'operations[].sender.phoneNumber': 'string opt',
			'operations[].sender.maskedCardNumber': 'string opt',
			'operations[].recipient': 'object opt',
			'operations[].recipient.name': 'string opt',
			'operations[].recipient.bankBik': 'string opt',
			'operations[].recipient.bankName': 'string opt',
			'operations[].recipient.phoneNumber': 'string opt',
			'operations[].fee': 'number req',
			'operations[].reference': 'string opt',
			'operations[].isAnotherClient': 'boolean req',
			'operations[].cashout': 'boolean req',
		},
		errors: reportErrors,
	},
	// P7
	'cardLimit.getMany': {
		method: 'GET',
		path: '/api/pp/v1/cards/{cardId}/user-limits',
		scope: 'limits-control',
		flow: 'Authorization Code Flow',
		pathFields: { cardId: 'string req' },
		query: {},
		answer: {
			limits: 'object[] req',
			'limits[].id': 'integer req',
			'limits[].activity': 'object opt',
			'limits[].activity.from': 'string req',
			'limits[].activity.to': 'string req',
			'limits[].validity': 'string opt',
			'limits[].created': 'string req',
			'limits[].coveredOperations': 'string[] opt',
			'limits[].limits': 'object opt',
			...amount('limits[].limits.single', 'req'),
			...amount('limits[].limits.max', 'req'),
			...amount('limits[].limits.rest', 'opt'),
			...amount('limits[].limits.turnover', 'opt'),
			'limits[].countriesRestrictions': 'object req',
			'limits[].countriesRestrictions.restrictionType': 'string opt',
			'limits[].countriesRestrictions.list': 'object[] opt',
			'limits[].countriesRestrictions.list[].isoCode': 'string opt',
			'limits[].countriesRestrictions.list[].description': 'string opt',
		},
		errors: reportErrors,
	},
	// P8
	'cardLimit.delete': {
		method: 'DELETE',
		path: '/api/pp/v1/cards/{cardId}/user-limits/{limitId}',
		scope: 'limits-control',
		flow: 'Authorization Code Flow',
		pathFields: { cardId: 'string req', limitId: 'string req' },
		query: {},
		answer: {},
		errors: reportErrors,
	},
	// P9
	'webhook.get': {
		method: 'GET',
		path: '/api/v1/webhooks/{id}',
		flow: 'Authorization Code Flow',
		pathFields: { id: 'uuid req' },
		query: { object: 'ul_transaction_default req' },
		// P9 lists fewer fields than 2.8; the others are optional there.
		answer: webhook,
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'404 unknown_route',
			'500 internal_error',
		],
	},
	// P10
	'webhook.update': {
		method: 'PUT',
		path: '/api/v2/webhooks/{id}',
		flow: 'not stated',
		pathFields: { id: 'uuid req' },
		query: {},
		body: {
			object: `${bothObjects} req`,
			enabled: 'boolean opt',
			organizationIdHash: 'string opt',
			data: 'object opt',
			// Rules 1 and 3: where there is data, there are accounts.
			'data.accounts': 'string[] req',
			callbackUri: 'string opt',
			version: 'integer opt',
		},
		answer: webhook,
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'403 insufficient_privileges',
			'404 unknown_route',
			'500 internal_error',
		],
	},
	// P11
	'webhook.delete': {
		method: 'DELETE',
		path: '/api/v1/webhooks/{id}',
		flow: 'not stated',
		pathFields: { id: 'uuid req' },
		query: { object: `${bothObjects} req` },
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'403 insufficient_privileges',
			'404 unknown_route',
			'500 internal_error',
		],
	},
};
