import { cardIssuance } from '../../errors/byStatus.ts';
import { defineOperation } from '../../operation.ts';
import { fields, text } from '../../schemas/fields.ts';

/** The four documents of the full application (4.15, rule 2). */
const fullApplicationDocuments = {
	passportMain: 'Main Passport Page',
	passportRegistration: 'Passport Page With Registration Address',
	personalDataConsent: "Personal-Data Consent on the Partner's Form",
	clientPhoto: 'Client Photo',
} as const;

/**
 * Properties of all steps of the first flow (4.15): methods and paths are described, payloads and responses are not.
 */
const step = (number: number) =>
	({
		spec: `4.15, step ${number}`,
		serviceVersion: '1.0.6',
		callIndex: number,
		auth: 'gateway',
		dialect: cardIssuance,
	}) as const;

/** The path field of most operations of both flows. */
export const applicationPath = fields({
	appId: text('Application ID', 'Identifier of the application', { placeholder: 'e.g. 1001' }),
});

/** A step of an existing application: GET reads, POST changes it. The payload of most is not required. */
const stepOf = (number: number, method: 'GET' | 'POST', path: string) => ({
	...step(number),
	method,
	path: `/applications/{appId}${path}`,
	pathFields: applicationPath,
	effect: method === 'GET' ? ('read' as const) : ('change' as const),
	...(method === 'POST' && { payload: { required: false } }),
});

const ofOffer = fields({
	...applicationPath.entries,
	offerId: text('Offer ID', 'Identifier of the offer', { placeholder: 'e.g. offer-1' }),
});

export const configuration = {
	create: defineOperation({
		...step(0),
		id: 'configuration.create',
		action: 'Create partner settings',
		description: 'Add the partner settings, once for the test environment and once for production',
		effect: 'change',
		method: 'POST',
		path: '/configurations',
		payload: { about: 'Settings from your bank', required: true },
		callOrder: 'step 0, once, before any application',
	}),
};

export const application = {
	create: defineOperation({
		...step(1),
		id: 'application.create',
		action: 'Create short application',
		description: 'Send the short application, which starts short scoring',
		effect: 'change',
		method: 'POST',
		path: '/applications/',
		payload: { about: 'Fields of the short application', required: true },
		callOrder: 'step 1, the first of an application',
	}),
	complete: defineOperation({
		...stepOf(3, 'POST', '/full'),
		id: 'application.complete',
		action: 'Complete application',
		description: 'Send the full application with four documents, which starts full scoring and a manual check',
		payload: {
			about: 'The full application, without the documents',
			required: true,
			files: { documents: fullApplicationDocuments, required: true },
		},
		callOrder: 'step 3, after short scoring has approved (step 2)',
	}),
	cancel: defineOperation({
		...stepOf(16, 'POST', '/cancel'),
		id: 'application.cancel',
		irreversible: true,
		action: 'Cancel application',
		description: 'Cancel an application that is not confirmed yet',
		callOrder: 'at any moment after the short application (step 1) and before the confirmation (step 15)',
	}),
};

export const scoring = {
	getShort: defineOperation({
		...stepOf(2, 'GET', '/scorings/short'),
		id: 'scoring.getShort',
		action: 'Get result of short scoring',
		description: 'Read the result of short scoring',
		asynchronous: true,
		returnsState: true,
		callOrder: 'step 2, after the short application (step 1)',
	}),
	getFull: defineOperation({
		...stepOf(4, 'GET', '/scorings/full'),
		id: 'scoring.getFull',
		action: 'Get result of full scoring',
		description: 'Read the result of full scoring',
		asynchronous: true,
		returnsState: true,
		callOrder: 'step 4, after the full application (step 3)',
	}),
};

/** Starts with the list of offers, and again with the selection of one. */
const cardDeadline = { field: 'cardDeadline', hours: 4, until: 'the barcode of the card must be entered' };

const getOffers = defineOperation({
	...stepOf(5, 'GET', '/offers/'),
	id: 'offer.getMany',
	action: 'Get many offers',
	description: 'List the offers of an application. The card barcode is due within four hours of the offer',
	deadline: cardDeadline,
	callOrder: 'step 5, after full scoring (step 4)',
});

/** The rows are not described; `offerId` is the name in the paths. */
const offerChoices = { offerId: { from: getOffers, value: 'offerId' } };

export const offer = {
	getMany: getOffers,
	select: defineOperation({
		...stepOf(6, 'POST', '/offers/{offerId}/select'),
		id: 'offer.select',
		action: 'Select offer',
		description: 'Select an offer. The card barcode is due within four hours of the offer',
		pathFields: ofOffer,
		choices: offerChoices,
		deadline: cardDeadline,
		callOrder: 'step 6, after the list of offers (step 5)',
	}),
	deselect: defineOperation({
		...stepOf(7, 'POST', '/offers/{offerId}/deselect'),
		id: 'offer.deselect',
		action: 'Deselect offer',
		description: 'Cancel the selection of an offer',
		pathFields: ofOffer,
		choices: offerChoices,
		callOrder: 'step 7, after the selection (step 6) where another offer is wanted',
	}),
};

export const card = {
	check: defineOperation({
		...stepOf(8, 'POST', '/card'),
		id: 'card.check',
		action: 'Check card',
		description: 'Check the barcode of the card, within four hours of the offer. You may retry a failed check',
		unnamedFields: fields({ barcode: text('Barcode', 'Barcode of the card', { placeholder: 'e.g. 2200000000017' }) }),
		callOrder:
			'step 8, after the selection of an offer (step 6) and within 4 hours of the offer; later the bank rejects the application',
	}),
	getResult: defineOperation({
		...stepOf(9, 'GET', '/card'),
		id: 'card.getResult',
		action: 'Get result of card check',
		description: 'Read the result of the card check',
		asynchronous: true,
		returnsState: true,
		callOrder: 'step 9, after the barcode was sent (step 8)',
	}),
};

export const printForm = {
	getRequired: defineOperation({
		...stepOf(10, 'GET', '/docs/printForms/required'),
		id: 'printForm.getRequired',
		action: 'Get required documents',
		description: 'List the documents that are required',
		callOrder: 'step 10, after the card check (step 9)',
	}),
	generate: defineOperation({
		...stepOf(11, 'POST', '/docs/printForms'),
		id: 'printForm.generate',
		action: 'Generate print forms',
		description: 'Generate the print forms, once per application',
		effect: 'order',
		callOrder: 'step 11, once per application, after the list of required documents (step 10)',
	}),
	getResult: defineOperation({
		...stepOf(12, 'GET', '/docs/printForms'),
		id: 'printForm.getResult',
		action: 'Get generated print forms',
		description: 'Read the generated print forms. The scans are due four hours after they were generated',
		asynchronous: true,
		returnsState: true,
		deadline: { field: 'scanDeadline', hours: 4, until: 'the scans must be sent' },
		callOrder: 'step 12, after generation was requested (step 11)',
	}),
};

export const scan = {
	upload: defineOperation({
		...stepOf(13, 'POST', '/docs/scans/upload'),
		id: 'scan.upload',
		action: 'Upload scans of signed forms',
		description: 'Upload scans of the signed forms: first all of them, then only rejected ones',
		payload: { required: false, files: { required: true, named: true } },
		callOrder: 'step 13, within 4 hours of the end of the generation of print forms (step 12)',
	}),
	getResults: defineOperation({
		...stepOf(14, 'GET', '/docs/scans/results'),
		id: 'scan.getResults',
		action: 'Get results of scan verification',
		description: 'Read the results of the scan verification',
		asynchronous: true,
		returnsState: true,
		callOrder: 'step 14, after the upload of the scans (step 13)',
	}),
};

export const issuance = {
	confirm: defineOperation({
		...stepOf(15, 'POST', '/issuance/confirm'),
		id: 'issuance.confirm',
		irreversible: true,
		action: 'Confirm issuance of card',
		description: 'Confirm that the card was handed to the client',
		callOrder: 'step 15, the last, after the documents were verified (step 14)',
	}),
};
