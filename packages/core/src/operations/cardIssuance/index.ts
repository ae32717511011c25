import { cardIssuance } from '../../errors/cardIssuance.ts';
import { type Effect, type Method, type Operation, payloadOf } from '../../operation.ts';
import { fields, text } from '../../schemas/fields.ts';

/** The four documents of the full application (4.15, rule 2). */
export const fullApplicationDocuments = {
	passportMain: 'Main Passport Page',
	passportRegistration: 'Passport Page With Registration Address',
	personalDataConsent: "Personal-Data Consent on the Partner's Form",
	clientPhoto: 'Client Photo',
} as const;

interface Row extends Partial<Operation> {
	step: number;
	/** An application of the sandbox bank that lies ready for this step: the example in the form. */
	ready?: string;
	id: Operation['id'];
	name: string;
	action: string;
	description: string;
	method: Method;
	path: string;
	order: string;
}

/** The first flow (4.15): methods and paths are shown, payloads and answers are not. In the calling order. */
const rows: readonly Row[] = [
	{
		step: 0,
		id: 'configuration.create',
		name: 'Create',
		action: 'Create the partner settings',
		description:
			'Add the partner settings: once with default parameters for the test environment, separately for production',
		method: 'POST',
		path: '/configurations',
		payload: payloadOf('The settings that the bank gave you', '{"environment": "test"}'),
		order: 'step 0, once, before any application',
	},
	{
		step: 1,
		id: 'application.create',
		name: 'Create',
		action: 'Create a short application',
		description: 'Send the short application; short scoring starts',
		method: 'POST',
		path: '/applications/',
		payload: payloadOf('The short application', '{"surname": "Ivanova", "phone": "+79000000001"}'),
		order: 'step 1, the first of an application',
	},
	{
		step: 2,
		ready: '1001',
		id: 'scoring.getShort',
		name: 'Get Short',
		action: 'Get the result of short scoring',
		description: 'Read the result of short scoring',
		method: 'GET',
		path: '/applications/{appId}/scorings/short',
		asynchronous: true,
		order: 'step 2, after the short application (step 1)',
	},
	{
		step: 3,
		ready: '1001',
		id: 'application.complete',
		name: 'Complete',
		action: 'Complete an application',
		description:
			'Send the full application with its four documents; full scoring and the manual check of the documents start',
		method: 'POST',
		path: '/applications/{appId}/full',
		payload: {
			...payloadOf('The full application, without the documents', '{"monthlyIncome": 90000}'),
			files: { documents: fullApplicationDocuments, required: true },
		},
		order: 'step 3, after short scoring has approved (step 2)',
	},
	{
		step: 4,
		ready: '1002',
		id: 'scoring.getFull',
		name: 'Get Full',
		action: 'Get the result of full scoring',
		description: 'Read the result of full scoring',
		method: 'GET',
		path: '/applications/{appId}/scorings/full',
		asynchronous: true,
		order: 'step 4, after the full application (step 3)',
	},
	{
		step: 5,
		ready: '1002',
		id: 'offer.getMany',
		name: 'Get Many',
		action: 'Get many offers',
		description:
			'List the offers of an application. From the offer on there are four hours to enter the barcode of the card',
		method: 'GET',
		path: '/applications/{appId}/offers/',
		deadline: { field: 'cardDeadline', hours: 4, until: 'the barcode of the card must be entered' },
		order: 'step 5, after full scoring (step 4)',
	},
	{
		step: 6,
		ready: '1002',
		id: 'offer.select',
		name: 'Select',
		action: 'Select an offer',
		description: 'Select an offer. From the offer on there are four hours to enter the barcode of the card',
		method: 'POST',
		path: '/applications/{appId}/offers/{offerId}/select',
		payload: payloadOf('What the bank asks for with the selection'),
		deadline: { field: 'cardDeadline', hours: 4, until: 'the barcode of the card must be entered' },
		order: 'step 6, after the list of offers (step 5)',
	},
	{
		step: 7,
		ready: '1003',
		id: 'offer.deselect',
		name: 'Deselect',
		action: 'Deselect an offer',
		description: 'Cancel the selection of an offer',
		method: 'POST',
		path: '/applications/{appId}/offers/{offerId}/deselect',
		payload: payloadOf('What the bank asks for with the cancellation'),
		order: 'step 7, after the selection (step 6) where another offer is wanted',
	},
	{
		step: 8,
		ready: '1003',
		id: 'card.check',
		name: 'Check',
		action: 'Check a card',
		description:
			'Send the barcode of the card for checking, within four hours of the offer. A failed check may be retried',
		method: 'POST',
		path: '/applications/{appId}/card',
		nameless: fields({ barcode: text('Barcode', 'Barcode of the card', { placeholder: 'e.g. 2200000000017' }) }),
		payload: payloadOf('What the bank asks for beside the barcode'),
		order:
			'step 8, after the selection of an offer (step 6) and within 4 hours of the offer; later the bank rejects the application',
	},
	{
		step: 9,
		ready: '1004',
		id: 'card.getResult',
		name: 'Get Result',
		action: 'Get the result of a card check',
		description: 'Read the result of the card check',
		method: 'GET',
		path: '/applications/{appId}/card',
		asynchronous: true,
		order: 'step 9, after the barcode was sent (step 8)',
	},
	{
		step: 10,
		ready: '1004',
		id: 'printForm.getRequired',
		name: 'Get Required',
		action: 'Get the required documents',
		description: 'List the documents that are required',
		method: 'GET',
		path: '/applications/{appId}/docs/printForms/required',
		order: 'step 10, after the card check (step 9)',
	},
	{
		step: 11,
		ready: '1004',
		id: 'printForm.generate',
		name: 'Generate',
		action: 'Generate the print forms',
		description: 'Request the generation of the print forms, once per application',
		method: 'POST',
		path: '/applications/{appId}/docs/printForms',
		payload: payloadOf('What the bank asks for with the request'),
		once: true,
		order: 'step 11, once per application, after the list of required documents (step 10)',
	},
	{
		step: 12,
		ready: '1005',
		id: 'printForm.getResult',
		name: 'Get Result',
		action: 'Get the generated print forms',
		description: 'Read the result of the generation. From its end on there are four hours to send the scans',
		method: 'GET',
		path: '/applications/{appId}/docs/printForms',
		asynchronous: true,
		deadline: { field: 'scanDeadline', hours: 4, until: 'the scans must be sent' },
		order: 'step 12, after generation was requested (step 11)',
	},
	{
		step: 13,
		ready: '1005',
		id: 'scan.upload',
		name: 'Upload',
		action: 'Upload scans of signed forms',
		description: 'Upload scans of the signed forms: the whole set at first, then only rejected documents',
		method: 'POST',
		path: '/applications/{appId}/docs/scans/upload',
		payload: { ...payloadOf('What the bank asks for beside the scans'), files: { required: true } },
		order: 'step 13, within 4 hours of the end of the generation of print forms (step 12)',
	},
	{
		step: 14,
		ready: '1006',
		id: 'scan.getResults',
		name: 'Get Results',
		action: 'Get the results of scan verification',
		description: 'Read the results of the verification of the scans',
		method: 'GET',
		path: '/applications/{appId}/docs/scans/results',
		asynchronous: true,
		order: 'step 14, after the upload of the scans (step 13)',
	},
	{
		step: 15,
		ready: '1006',
		id: 'issuance.confirm',
		name: 'Confirm',
		action: 'Confirm the issuance of a card',
		description: 'Confirm that the card was handed to the client',
		method: 'POST',
		path: '/applications/{appId}/issuance/confirm',
		payload: payloadOf('What the bank asks for with the confirmation'),
		order: 'step 15, the last, after the documents were verified (step 14)',
	},
	{
		step: 16,
		ready: '1001',
		id: 'application.cancel',
		name: 'Cancel',
		action: 'Cancel an application',
		description: 'Cancel an application at any moment before the confirmation',
		method: 'POST',
		path: '/applications/{appId}/cancel',
		payload: payloadOf('What the bank asks for with the cancellation'),
		order: 'at any moment after the short application (step 1) and before the confirmation (step 15)',
	},
];

/** A field for each `{name}` of a path: the identifiers of both flows. */
export function pathFieldsOf(path: string, application: string | undefined): ReturnType<typeof fields> | undefined {
	const schemas = {
		appId: text('Application ID', 'Identifier of the application', { placeholder: `e.g. ${application}` }),
		offerId: text('Offer ID', 'Identifier of the offer', { placeholder: 'e.g. offer-1' }),
	};
	const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof schemas);
	return names.length === 0 ? undefined : fields(Object.fromEntries(names.map((name) => [name, schemas[name]])));
}

/** Everything that the first flow is made of, in the calling order. */
export const cardIssuanceOperations: readonly Operation[] = rows.map(({ step, ready, ...row }) => {
	const pathFields = pathFieldsOf(row.path, ready);
	const effect: Effect = row.method === 'GET' ? 'read' : row.id === 'printForm.generate' ? 'order' : 'change';
	return {
		...row,
		spec: `4.15, step ${step}`,
		auth: 'gateway',
		effect,
		...(pathFields === undefined ? {} : { pathFields }),
		errors: [],
		dialect: cardIssuance,
	};
});
