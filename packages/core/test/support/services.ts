import type { Auth, Effect, NextStep } from '../../src/index.ts';

/**
 * Parts 3.5, 3.6, 4.13 to 4.20, 5, 7.2 to 7.6 and 8 of the API description, written down a second time, as data and by hand, so that
 * core's definitions cannot drift from it unseen. What the description does not show is absent here and must be absent there.
 */
export interface ShownOperation {
	/** As core says where it comes from. */
	spec: string;
	method?: 'GET' | 'POST';
	path?: string;
	/** By the words of its purpose. */
	effect: Effect;
	auth: Auth;
	/** Fields of the body, where the description names them. */
	body?: Record<string, string>;
	/** A body is carried, or may be, whose fields are not named. */
	payload?: 'required' | 'optional';
	/** A value that the description names for the body, but no field for it. */
	nameless?: Record<string, string>;
	files?: true;
	/** What its place in the calling order must tell (3.5, 4.13, 4.15). */
	order?: RegExp;
}

/** 4.13: "Paths and HTTP methods of the operations: not shown", "payload shapes: not shown"; part 5 says nothing of the service. */
const courierOperation = (name: string, effect: Effect, more: Partial<ShownOperation>): ShownOperation => ({
	spec: `4.13, ${name}`,
	effect,
	auth: 'notShown',
	payload: 'required',
	...more,
});

/** 4.15 shows methods and paths; 5.7 the headers. Whether a POST has a body is not shown but for the applications and the settings. */
const issuance = (step: number, address: string, more: Partial<ShownOperation> = {}): ShownOperation => {
	const [method, path] = address.split(' ') as ['GET' | 'POST', string];
	const kind: Partial<ShownOperation> =
		method === 'GET' ? { effect: 'read' } : { effect: 'change', payload: 'optional' };
	return {
		spec: `4.15, step ${step}`,
		method,
		path,
		effect: 'change',
		auth: 'gateway',
		order: new RegExp(`^step ${step},`),
		...kind,
		...more,
	};
};

/**
 * 4.16 shows paths, "HTTP methods and payloads: not shown". 5.7 speaks of the "credit card issuance API", of which part 1 says
 * "credit card issuance (two flows)": its headers were taken for both.
 */
const channel = (path: string, effect: Effect, more: Partial<ShownOperation> = {}): ShownOperation => ({
	spec: '4.16',
	path,
	effect,
	auth: 'gateway',
	payload: 'required',
	...more,
});

export const services: Record<string, ShownOperation> = {
	// In the call order of 4.13.
	'file.getMany': courierOperation('GetAttachedFiles', 'read', { order: /^the first/ }),
	'file.getContent': courierOperation('GetAttachedFileContent', 'read', { order: /once per file/ }),
	'courier.authorize': courierOperation('AuthorizePipe', 'change', {
		order: /after the documents were checked with the client/,
	}),
	'courier.checkCode': courierOperation('CheckCodePipe', 'change', {
		payload: 'optional',
		nameless: { code: 'string req' },
		order: /after the courier was authorized/,
	}),
	'file.attach': courierOperation('AttachFile', 'change', {
		payload: 'optional',
		files: true,
		order: /after the SMS code was checked, once per file/,
	}),
	'application.changeStatus': courierOperation('ChangeStatus', 'change', { order: /^the last, after all files/ }),
	'application.addNote': courierOperation('AttachNote', 'change', {
		payload: 'optional',
		nameless: { note: 'string req' },
		order: /^at any point$/,
	}),

	// "Path and method: not shown." The header and the client certificate: 5.6. Nothing is stored by a check.
	'unifiedCheck.run': {
		spec: '4.14',
		effect: 'read',
		auth: 'mutualTls',
		body: {
			checks: 'object[] req',
			'checks[].checkName':
				'WSCodeInvalidIdentityCard|WSConsumerSubjectInfoGet|WSCustomerBankruptcyInfo|WSCustomerComplianceCheckGet|WSCustomerReputationRisk|WSCustomerTerrorism|WSGlobalSearch|WSResultSOZSalaryProject req',
			// "the text true to run, false to skip"
			'checks[].isToCall': 'true|false req',
			...Object.fromEntries(
				[
					'exs',
					'idg',
					'chklst',
					'cus',
					'fnm1',
					'fnm2',
					'fnm3',
					'dtbr',
					'ucd',
					'ser',
					'num',
					'dopn',
					'edt',
					'ucdo',
					'sero',
					'numo',
					'crf',
					'fior',
					'cod',
					'ecs',
					'cban',
					'customerType',
				].map((name) => [name, 'string opt']),
			),
		},
	},

	'configuration.create': issuance(0, 'POST /configurations', { payload: 'required', order: /^step 0, once/ }),
	'application.create': issuance(1, 'POST /applications/', { payload: 'required' }),
	'scoring.getShort': issuance(2, 'GET /applications/{appId}/scorings/short'),
	'application.complete': issuance(3, 'POST /applications/{appId}/full', {
		payload: 'required',
		files: true,
		order: /^step 3, after short scoring has approved/,
	}),
	'scoring.getFull': issuance(4, 'GET /applications/{appId}/scorings/full'),
	'offer.getMany': issuance(5, 'GET /applications/{appId}/offers/'),
	'offer.select': issuance(6, 'POST /applications/{appId}/offers/{offerId}/select'),
	'offer.deselect': issuance(7, 'POST /applications/{appId}/offers/{offerId}/deselect'),
	'card.check': issuance(8, 'POST /applications/{appId}/card', {
		nameless: { barcode: 'string req' },
		order: /^step 8,.* within 4 hours of the offer; later the bank rejects the application/,
	}),
	'card.getResult': issuance(9, 'GET /applications/{appId}/card'),
	'printForm.getRequired': issuance(10, 'GET /applications/{appId}/docs/printForms/required'),
	'printForm.generate': issuance(11, 'POST /applications/{appId}/docs/printForms', {
		effect: 'order',
		order: /^step 11, once per application/,
	}),
	'printForm.getResult': issuance(12, 'GET /applications/{appId}/docs/printForms'),
	'scan.upload': issuance(13, 'POST /applications/{appId}/docs/scans/upload', {
		files: true,
		order: /^step 13, within 4 hours of the end of the generation/,
	}),
	'scan.getResults': issuance(14, 'GET /applications/{appId}/docs/scans/results'),
	'issuance.confirm': issuance(15, 'POST /applications/{appId}/issuance/confirm', {
		order: /^step 15,.* after the documents were verified/,
	}),
	'application.cancel': issuance(16, 'POST /applications/{appId}/cancel', {
		order: /^at any moment after the short application .*before the confirmation/,
	}),

	'preApproved.search': channel('/preApproved/search', 'read'),
	'preApproved.activate': channel('/preApproved/activate', 'change', { files: true }),
	'channelApplication.create': channel('/applications/create', 'change'),
	'channelApplication.getResults': channel('/applications/{appId}/results', 'read', { payload: 'optional' }),
	'channelApplication.uploadDocuments': channel('/applications/{appId}/upload', 'change', {
		payload: 'optional',
		files: true,
	}),
	'channelApplication.update': channel('/applications/{appId}/update', 'change', {
		order: /until the move to signing is confirmed; again after a barcode was entered or a signing method chosen/,
	}),
	'channelApplication.setStatus': channel('/applications/{appId}/setStatus', 'change', {
		payload: 'optional',
		nameless: { stage: 'CARD_ISSUE|START_SIGN|CLIENT_DECLINE|TECHNICAL_PROBLEM req' },
	}),
	'channelApplication.getPrintForms': channel('/applications/{appId}/printForms', 'read', { payload: 'optional' }),
	'channelApplication.sendSignLink': channel('/applications/{appId}/sendSignLink', 'change', { payload: 'optional' }),

	// "HTTP method, request body and response body: not shown."
	'entryScore.scoreSoleProprietor': {
		spec: '4.17',
		path: '/ie/score',
		effect: 'read',
		auth: 'notShown',
		payload: 'optional',
		nameless: { taxNumber: 'string req' },
	},
	'entryScore.scoreCompany': {
		spec: '4.17',
		path: '/llc/score',
		effect: 'read',
		auth: 'notShown',
		payload: 'optional',
		nameless: { taxNumber: 'string req' },
	},

	// "Operations, paths and payloads: not shown." Its terms are what can be done with it: consent, offer, debit, payment order.
	'directDebit.createConsent': { spec: '4.18', effect: 'change', auth: 'notShown', payload: 'required' },
	'directDebit.getOffer': { spec: '4.18', effect: 'read', auth: 'notShown', payload: 'optional' },
	'directDebit.debit': {
		spec: '4.18',
		effect: 'money',
		auth: 'notShown',
		payload: 'required',
		nameless: { purpose: 'string req' },
	},
	'directDebit.getPaymentOrder': { spec: '4.18', effect: 'read', auth: 'notShown', payload: 'optional' },

	// "Operations, paths and payloads: not shown."
	'trip.send': { spec: '4.19', effect: 'change', auth: 'notShown', payload: 'required' },

	// The payload of /accessToken is not shown. 5.8 names three headers "or", so which of them: not shown.
	'profile.exchangeCode': {
		spec: '4.20',
		path: '/accessToken',
		effect: 'change',
		auth: 'notShown',
		payload: 'required',
	},
	'profile.get': { spec: '4.20', method: 'GET', path: '/getProfileInfo', effect: 'read', auth: 'notShown' },
};

/** How many operations each section names; 4.18 and 4.19 name none, so those are counted that their terms make. */
export const sectionSizes: Record<string, number> = {
	'4.13': 7,
	'4.14': 1,
	'4.15': 17,
	'4.16': 9,
	'4.17': 2,
	'4.18': 4,
	'4.19': 1,
	'4.20': 2,
};

/** 4.15, rule 2 */
export const fourDocuments = [
	/main passport page/i,
	/passport page with registration address/i,
	/personal-data consent on the partner's form/i,
	/client photo/i,
];

/** Part 8, by the operation with whose answer a window begins, and by what must be asked for only once. */
export const deadlines: Record<string, { hours: number; until: RegExp }> = {
	// 3.5: "within 4 hours of the offer"
	'offer.getMany': { hours: 4, until: /barcode/ },
	'offer.select': { hours: 4, until: /barcode/ },
	// 3.5: "within 4 hours of the end of form generation"
	'printForm.getResult': { hours: 4, until: /scans/ },
};
export const onlyOnce = ['printForm.generate'];

/** 3.6 */
export const stageTable: Record<string, { meaning: RegExp; final: boolean }> = {
	CARD_ISSUE: { meaning: /card handed over/i, final: true },
	START_SIGN: { meaning: /move to signing/i, final: false },
	CLIENT_DECLINE: { meaning: /client refused/i, final: true },
	TECHNICAL_PROBLEM: { meaning: /technical problem .*prevents issuing/i, final: true },
};

/** 4.17 and part 8: digits of the tax number. */
export const taxNumberLengths: Record<string, number> = {
	'entryScore.scoreSoleProprietor': 12,
	'entryScore.scoreCompany': 10,
};

/** 4.14 */
export const resultCodes: Record<string, string> = { E: 'notRun', N: 'passed', Y: 'failed' };

/** 7.3 */
export const sharedMessages: Record<string, string> = {
	KSM0006: 'input variable not found',
	PBC0999: 'SQL statement error',
	PBS0000: 'result not determined',
	PBS0001: 'update date is valid',
	PBS0002: 'update date is not valid',
	PBS0003: 'validity of the identity-document power of attorney has not expired',
	PBS0004: 'validity of the power of attorney has expired',
	PBS0005: 'national passport is valid',
	PBS0006: 'national passport is not valid',
	PBS0007: 'national passport validity has not expired',
	PBS0008: 'national passport validity has expired',
	PBS0009: 'foreign passport validity has not expired',
	PBS0018: 'full match in reputation-risk list',
	PBS0019: 'partial match in reputation-risk list',
	PBS0020: 'no match in reputation-risk list',
	PBS0021: 'full match in terrorist or extremist list',
	PBS0022: 'partial match in terrorist or extremist list',
	PBS0023: 'no match in terrorist or extremist list',
	PBS0025: 'match in reputation-risk list for legal entities and sole proprietors',
	PBS0027: 'no active risks found',
	PBS0047: 'full match in the sanctions list',
	PBS0049: 'no sanction risk codes found',
	PBS0100: 'not enough input parameters',
	PBS0101: 'incorrect input parameters',
	WSE9999: 'connection error',
};

export const searchMessages: Record<string, string> = {
	'0': 'no errors',
	'1': 'authorization failed',
	'2': 'no authorization data',
	'3': 'legal-entity tax number missing',
	'4': 'individual data missing (name and birth date, or identity document number)',
	'5': 'error checking the legal entity by tax number',
	'6': 'error checking the individual by name and birth date',
	'7': 'error checking the individual by identity document',
	'8': 'tax number shorter than 10 characters',
	'9': 'identity document size differs from 10 characters',
};

export const salaryMessages: Record<string, string> = {
	'0': 'no errors',
	'1': 'authorization failed',
	'2': 'no authorization data',
	'3': 'legal-entity tax number missing',
	'4': 'a request for this legal entity is already in work',
	'5': 'error searching for legal-entity data',
	'6': 'the security-service conclusion on the request has expired',
	'7': 'no request for this legal entity in the application system',
};

/** An error of part 7: how the bank words it, and what a message about it must tell. */
export interface ShownError {
	section: '7.2' | '7.3' | '7.4' | '7.5' | '7.6';
	status: number;
	body: unknown;
	/** The code that goes on to the workflow; absent where the description shows none. */
	code?: string;
	/** The meaning, in the words of the description. */
	what: RegExp;
	/** What can be done about it. */
	next: readonly NextStep[];
	/** The bank's own words, where the body has some. */
	words?: string;
}

const courierError = (errorCode: string, what: RegExp, ...next: NextStep[]): ShownError[] =>
	// "Errors other than 500 come back with HTTP 200 or 400"
	[200, 400].map((status) => ({
		section: '7.2',
		status,
		body: { errorInfo: { errorCode, errorString: 'Invented words' } },
		code: errorCode,
		what,
		next,
		words: 'Invented words',
	}));

const gateway = (status: number, moreInformation: string, what: RegExp, ...next: NextStep[]): ShownError => ({
	section: '7.3',
	status,
	body: { httpCode: String(status), httpMessage: 'Message', moreInformation },
	what,
	next,
	words: `Message: ${moreInformation}`,
});

/** Where neither body nor status is shown, one was chosen. */
const scoreError = (code: string, what: RegExp, ...next: NextStep[]): ShownError => ({
	section: '7.4',
	status: 200,
	body: { error: { code, message: 'Invented words' } },
	code,
	what,
	next,
	words: 'Invented words',
});
const byStatus = (section: '7.5' | '7.6', status: number, what: RegExp, ...next: NextStep[]): ShownError => ({
	section,
	status,
	body: '',
	what,
	next,
});

export const shownErrors: readonly ShownError[] = [
	...courierError('003', /authorization error/, 'checkClient'),
	...courierError('004', /identifier (is )?not given/, 'giveIdentifier'),
	...courierError('007', /input array is empty/, 'giveElement'),
	...courierError('008', /data error: a field is missing or empty/, 'fillNamedField'),
	...courierError('009', /a request with this identifier already exists for this partner/, 'readInstead'),
	...courierError('011', /address .*geocod/, 'correctPostalAddress'),

	gateway(400, 'Something is wrong', /refused the request as invalid/, 'correctNamedField'),
	gateway(401, 'Client id not registered', /not registered for mutual TLS/, 'checkRegisteredClient'),
	gateway(401, 'Certificate not accepted', /client certificate is not accepted/, 'checkRegisteredClient'),
	gateway(422, 'Validate REST: crf is too short', /found the request invalid/, 'correctNamedField'),
	{
		section: '7.3',
		status: 500,
		body: { Error: { ErrorCode: 'E1', ErrorString: 'WSTechnicalException', ErrorTrace: 'trace 5' } },
		code: 'WSTechnicalException',
		what: /internal technical error/,
		next: ['tryLater', 'reportTrace'],
		words: 'WSTechnicalException: E1: trace 5',
	},
	gateway(500, 'Something broke', /internal technical error/, 'tryLater', 'reportRequest'),
	gateway(500, 'URL Open error', /unified service .*is unreachable/, 'tryLater', 'reportOutage'),

	scoreError('#1000', /tax number is valid, but the tax authority's database has no such company/, 'checkTaxNumber'),
	scoreError('#1001', /carried no JSON body/, 'sendJson'),
	scoreError('#1002', /not a valid JSON object/, 'sendJsonObject'),
	scoreError('#2001', /could not be had from the tax authority's data provider/, 'tryLater'),
	scoreError('#2002', /scoring did not succeed/, 'tryAgain', 'askSupport'),

	byStatus('7.5', 400, /failed validation/, 'correctNamedField', 'leaveOutUnknown'),
	byStatus(
		'7.5',
		403,
		/access to the application is denied: wrong client ID, client secret, partner name or application ID, or the calling order was broken/,
		'checkApplication',
	),
	byStatus('7.5', 409, /the status of the application does not allow this request/, 'readApplication'),
	byStatus('7.5', 500, /partner is not registered/, 'askRegistration', 'tryLater'),

	byStatus('7.6', 400, /refused the request as invalid/, 'correctNamedField'),
	byStatus('7.6', 401, /wrong client ID, client secret or client certificate/, 'checkGatewayClient'),
	byStatus('7.6', 419, /lifetime of the access token has expired/, 'exchangeAgain'),
	byStatus('7.6', 500, /system is unavailable/, 'tryLater', 'askSupport'),
];

/** Which section of part 7 words the errors of which section of part 4. "Error codes of the borrower direct-debit service, the trip-data service and the second card-issuance flow: not shown." */
export const sectionOfErrors: Record<string, string> = {
	'4.13': '7.2',
	'4.14': '7.3',
	'4.15': '7.5',
	'4.16': '7',
	'4.17': '7.4',
	'4.18': '7',
	'4.19': '7',
	'4.20': '7.6',
};
