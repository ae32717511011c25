import { commonDialect } from '../../errors/byStatus.ts';
import { defineOperation } from '../../operation.ts';
import { choice, fields } from '../../schemas/fields.ts';
import { applicationPath } from '../cardIssuance/index.ts';

/** The stages of `setStatus` (3.6). Those marked final end the application, or one card of it. */
export const stages = {
	CARD_ISSUE: 'Card Handed Over (CARD_ISSUE, Final)',
	START_SIGN: 'Move to Signing (START_SIGN)',
	CLIENT_DECLINE: 'Client Refused (CLIENT_DECLINE, Final)',
	TECHNICAL_PROBLEM: 'Technical Problem Prevents Issuing (TECHNICAL_PROBLEM, Final)',
} as const;

export const finalStages: readonly string[] = ['CARD_ISSUE', 'CLIENT_DECLINE', 'TECHNICAL_PROBLEM'];

/**
 * Properties of all operations of the second flow (4.16): paths are described; methods, payloads and responses are not.
 * Part 5 mentions "credit card issuance"; according to part 1 it has two flows.
 */
const common = { spec: '4.16', serviceVersion: '1.0.4', auth: 'gateway', dialect: commonDialect } as const;

const ofChannel = (name: string, callIndex: number) => ({
	...common,
	callIndex,
	path: `/applications/{appId}/${name}`,
	pathFields: applicationPath,
	payload: { required: false },
});

export const preApproved = {
	search: defineOperation({
		...common,
		id: 'preApproved.search',
		callIndex: 1,
		action: 'Search applications of client',
		description: "Search for a client's pre-approved applications (last-mile flow)",
		effect: 'read',
		returnsState: true,
		path: '/preApproved/search',
		payload: { about: 'Search criteria', required: true },
		callOrder: 'the first of the last-mile flow',
	}),
	activate: defineOperation({
		...common,
		id: 'preApproved.activate',
		callIndex: 2,
		action: 'Activate approved application',
		description: 'Activate a pre-approved application and send scans for checking',
		effect: 'change',
		path: '/preApproved/activate',
		payload: { about: 'Identifiers of the application', required: true, files: { required: true } },
		callOrder: 'after the search (last-mile flow)',
	}),
};

export const channelApplication = {
	create: defineOperation({
		...common,
		id: 'channelApplication.create',
		callIndex: 3,
		action: 'Create short application in partner channel',
		description: 'Create the short application (first-mile flow)',
		effect: 'change',
		path: '/applications/create',
		payload: { about: 'Fields of the short application', required: true },
		callOrder: 'the first of the first-mile flow',
	}),
	getResults: defineOperation({
		...ofChannel('results', 4),
		id: 'channelApplication.getResults',
		action: 'Get results of channel application',
		description: 'Read the results of checks and the state of the application',
		effect: 'read',
		asynchronous: true,
		returnsState: true,
		callOrder: 'after the application was created or activated',
	}),
	uploadDocuments: defineOperation({
		...ofChannel('upload', 5),
		id: 'channelApplication.uploadDocuments',
		action: 'Upload documents of channel application',
		description: 'Upload documents, or upload them again',
		effect: 'change',
		payload: { required: false, files: { required: true } },
		callOrder: 'after the application was created or activated',
	}),
	update: defineOperation({
		...ofChannel('update', 6),
		id: 'channelApplication.update',
		action: 'Update channel application',
		description: 'Add or update application data, also after a barcode or a signing method was chosen',
		effect: 'change',
		payload: { about: 'Data to add or update', required: true },
		callOrder: 'until the move to signing is confirmed; again after a barcode was entered or a signing method chosen',
	}),
	setStatus: defineOperation({
		...ofChannel('setStatus', 9),
		id: 'channelApplication.setStatus',
		irreversible: true,
		action: 'Set status of channel application',
		description:
			'Move the application to a stage. Until the issuance is confirmed, the client may refuse individual cards',
		effect: 'change',
		unnamedFields: fields({
			stage: choice(stages, 'Stage', 'Stage to move to. A final stage cannot be changed.', { initial: '' }),
		}),
		payload: { about: 'Details of the change, such as which card is meant', required: false },
		callOrder: 'before the issuance is confirmed',
	}),
	getPrintForms: defineOperation({
		...ofChannel('printForms', 7),
		id: 'channelApplication.getPrintForms',
		action: 'Get print forms of channel application',
		description: 'Get the print forms when signing is manual',
		effect: 'read',
		callOrder: 'when signing is manual',
	}),
	sendSignLink: defineOperation({
		...ofChannel('sendSignLink', 8),
		id: 'channelApplication.sendSignLink',
		action: 'Send signing link of channel application',
		description: 'Send the online-signing link to the client again',
		effect: 'change',
		callOrder: 'when signing is online',
	}),
};
