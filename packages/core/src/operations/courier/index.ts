import { courier as dialect } from '../../errors/courier.ts';
import { defineOperation } from '../../operation.ts';
import { fields, text } from '../../schemas/fields.ts';

/** Properties of all operations of the courier service (4.13), of which only names and purposes are described. */
const service = (name: string, callIndex: number) =>
	({ spec: `4.13, ${name}`, serviceVersion: '1.0.5', callIndex, auth: 'notShown', dialect }) as const;

export const file = {
	getMany: defineOperation({
		...service('GetAttachedFiles', 1),
		id: 'file.getMany',
		action: 'Get many files of application',
		description: 'List the files of an application',
		effect: 'read',
		payload: { about: 'Identifiers of the application', required: true },
		callOrder: 'the first, before the content of each file',
	}),
	getContent: defineOperation({
		...service('GetAttachedFileContent', 2),
		id: 'file.getContent',
		action: 'Get content of file',
		description: "Get a file's content, once per file of the list",
		effect: 'read',
		payload: { about: 'Identifiers of the file', required: true },
		callOrder: 'after the list of files, once per file',
	}),
	attach: defineOperation({
		...service('AttachFile', 5),
		id: 'file.attach',
		action: 'Attach file to application',
		description: 'Send one file to the bank',
		effect: 'change',
		payload: { about: 'Identifiers of the application', required: false, files: { required: true, most: 1 } },
		callOrder: 'after the SMS code was checked, once per file',
	}),
};

export const courier = {
	authorize: defineOperation({
		...service('AuthorizePipe', 3),
		id: 'courier.authorize',
		action: 'Authorize courier',
		description:
			'Request authorization of a courier to certify documents with a simple electronic ' +
			'signature. The courier must be a staff member and then receives an SMS code',
		effect: 'change',
		payload: { about: 'Identifiers of the courier and the application', required: true },
		callOrder: 'after the documents were checked with the client, before the SMS code is checked',
	}),
	checkCode: defineOperation({
		...service('CheckCodePipe', 4),
		id: 'courier.checkCode',
		action: 'Check SMS code of courier',
		description: 'Check the SMS code that the courier received',
		effect: 'change',
		unnamedFields: fields({ code: text('SMS Code', 'Code that the courier received', { placeholder: 'e.g. 1234' }) }),
		payload: { required: false },
		callOrder: 'after the courier was authorized and has received the SMS code',
	}),
};

export const application = {
	changeStatus: defineOperation({
		...service('ChangeStatus', 6),
		id: 'application.changeStatus',
		action: 'Change status of application',
		description: "Set the status of an account-opening application, normally when the partner's process ends",
		effect: 'change',
		payload: { about: 'Identifiers of the application and its new status', required: true },
		callOrder: 'the last, after all files were attached',
	}),
	addNote: defineOperation({
		...service('AttachNote', 7),
		id: 'application.addNote',
		action: 'Add note to application',
		description: 'Send a comment to the bank',
		effect: 'change',
		unnamedFields: fields({
			note: text('Note', 'The comment', { placeholder: 'e.g. Client asked to come after 18:00', kind: 'lines' }),
		}),
		payload: { about: 'Identifiers of the application', required: false },
		callOrder: 'at any point',
	}),
};
