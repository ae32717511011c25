import { courier } from '../../errors/courier.ts';
import { type Operation, payloadOf } from '../../operation.ts';
import { fields, text } from '../../schemas/fields.ts';

type Row = Pick<Operation, 'id' | 'name' | 'action' | 'description' | 'effect' | 'order' | 'payload' | 'nameless'> & {
	service: string;
};

/** The courier delivery service (4.13): neither methods nor paths nor payloads are shown, only names and purposes. In the calling order. */
const rows: readonly Row[] = [
	{
		service: 'GetAttachedFiles',
		id: 'file.getMany',
		name: 'Get Many',
		action: 'Get many files of an application',
		description: 'List the files attached to an application that the partner needs for the process',
		effect: 'read',
		payload: payloadOf('What identifies the application', '{"applicationId": "app-0001"}'),
		order: 'the first, before the content of each file',
	},
	{
		service: 'GetAttachedFileContent',
		id: 'file.getContent',
		name: 'Get Content',
		action: 'Get the content of a file',
		description: "Get a file's content, once per file of the list",
		effect: 'read',
		payload: payloadOf('What identifies the file', '{"fileId": "file-21"}'),
		order: 'after the list of files, once per file',
	},
	{
		service: 'AuthorizePipe',
		id: 'courier.authorize',
		name: 'Authorize',
		action: 'Authorize a courier',
		description:
			'Request authorization of a courier to certify documents with a simple electronic signature. The courier must be a staff member and then receives an SMS code',
		effect: 'change',
		payload: payloadOf(
			'What identifies the courier and the application',
			'{"courierId": "courier-1", "applicationId": "app-0002"}',
		),
		order: 'after the documents were checked with the client, before the SMS code is checked',
	},
	{
		service: 'CheckCodePipe',
		id: 'courier.checkCode',
		name: 'Check Code',
		action: 'Check the SMS code of a courier',
		description: 'Check the SMS code that the courier received',
		effect: 'change',
		nameless: fields({ code: text('SMS Code', 'Code that the courier received', { placeholder: 'e.g. 1234' }) }),
		payload: payloadOf('What the bank asks for beside the code'),
		order: 'after the courier was authorized and has received the SMS code',
	},
	{
		service: 'AttachFile',
		id: 'file.attach',
		name: 'Attach',
		action: 'Attach a file to an application',
		description: 'Send one file to the bank; once per file',
		effect: 'change',
		payload: { ...payloadOf('What identifies the application'), files: { required: true, most: 1 } },
		order: 'after the SMS code was checked, once per file',
	},
	{
		service: 'ChangeStatus',
		id: 'application.changeStatus',
		name: 'Change Status',
		action: 'Change the status of an application',
		description:
			"Advance an account-opening application from its waiting step; normally when the partner's process ends",
		effect: 'change',
		payload: payloadOf('What identifies the application, and where to move it', '{"applicationId": "app-0005"}'),
		order: 'the last, after all files were attached',
	},
	{
		service: 'AttachNote',
		id: 'application.addNote',
		name: 'Add Note',
		action: 'Add a note to an application',
		description: 'Send a comment to the bank; at any point',
		effect: 'change',
		nameless: fields({ note: text('Note', 'The comment', { placeholder: 'e.g. Client asked to come after 18:00' }) }),
		payload: payloadOf('What identifies the application'),
		order: 'at any point',
	},
];

const operations: readonly Operation[] = rows.map(({ service, ...row }) => ({
	...row,
	spec: `4.13, ${service}`,
	auth: 'notShown',
	// By the name that the description gives it.
	examplePath: `/courier/${service}`,
	errors: [],
	dialect: courier,
}));

const ofResource = (resource: string) => operations.filter(({ id }) => id.startsWith(`${resource}.`));

export const courierFileOperations = ofResource('file');
export const courierOperations = ofResource('courier');
export const courierApplicationOperations = ofResource('application');
