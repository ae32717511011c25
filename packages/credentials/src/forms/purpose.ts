import type { INodeProperties } from 'n8n-workflow';

/** First line of a credential form: what the credential is for. */
export const purposeNotice = (text: string): INodeProperties => ({
	displayName: text,
	name: 'purposeNotice',
	type: 'notice',
	default: '',
});
