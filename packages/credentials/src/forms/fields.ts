import type { INodeProperties } from 'n8n-workflow';

type More = Omit<Partial<INodeProperties>, 'displayName' | 'name' | 'description'>;
type Field = (displayName: string, name: string, description: string, more?: More) => INodeProperties;

export const text: Field = (displayName, name, description, more) => ({
	displayName,
	name,
	type: 'string',
	default: '',
	description,
	...more,
});

export const secret: Field = (displayName, name, description, more) =>
	text(displayName, name, description, { ...more, typeOptions: { password: true, ...more?.typeOptions } });

export const toggle: Field = (displayName, name, description, more) =>
	text(displayName, name, description, { type: 'boolean', default: false, ...more });

type Option = [name: string, value: string, description?: string];

export const choice = (
	displayName: string,
	name: string,
	description: string,
	initial: string | string[],
	options: Option[],
	more?: More,
): INodeProperties =>
	text(displayName, name, description, {
		type: Array.isArray(initial) ? 'multiOptions' : 'options',
		options: options.map(([label, value, help]) => ({ name: label, value, description: help })),
		default: initial,
		...more,
	});

export const notice = (name: string, words: string): INodeProperties => ({
	displayName: words,
	name,
	type: 'notice',
	default: '',
});

/** First line of a credential form, which says what the credential is for. */
export const purposeNotice = (words: string): INodeProperties => notice('purposeNotice', words);

/** Last line of the form of each type that n8n tests. n8n shows only whether a test passed, not what it tested. */
export const testNotice: INodeProperties = notice(
	'testNotice',
	'The test shows only that the bank can be reached and accepts the test request. It does not show that the bank lets you ' +
		'use a service: for that, run the operation "Check the connection", or the service itself.',
);

export const hiddenField = (name: string, value: string | boolean, displayName = name): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	default: value,
});

/** Fields that are shown only for these values of other fields, in addition to their own conditions. */
export const shownFor = (
	show: NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>,
	fields: INodeProperties[],
): INodeProperties[] =>
	fields.map((field) => ({ ...field, displayOptions: { show: { ...show, ...field.displayOptions?.show } } }));
