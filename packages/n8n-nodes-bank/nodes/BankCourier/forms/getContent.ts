import { fieldAt, isRecord, unreadable } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { isItemJson } from '../../shared/itemJson.ts';
import type { Form } from '../../shared/form.ts';
import { firstItem } from '../../shared/run/run.ts';

/** 4.13: the content comes in base64, where is not shown. It becomes a binary field; the rest of the answer stays as it is. */
export const getContent: Form = {
	async output({ context, operation, parameters }, { job, result: { data, file, status } }) {
		const item = firstItem(job);
		const options = parameters.options(item);
		const chosen = (name: string, otherwise?: string) => String(options[name] ?? '').trim() || otherwise;
		const binaryField = parameters.text('binaryField', item) || 'data';
		const asItem = async (bytes: Buffer, json: IDataObject, name?: string, type?: string) => {
			const binary = await context.helpers.prepareBinaryData(bytes, chosen('fileName', name), chosen('mimeType', type));
			return [{ json, binary: { [binaryField]: binary }, pairedItem: { item } }];
		};
		if (file !== undefined) return await asItem(Buffer.from(file.data), {}, file.fileName, file.mimeType);
		const place = chosen('contentField');
		const found = place === undefined ? longestBase64(data) : textAt(data, place);
		if (found !== undefined) {
			const rest = without(data, found);
			return await asItem(Buffer.from(bare(found), 'base64'), isItemJson(rest) ? rest : {}, nameIn(data));
		}
		const where =
			place === undefined ? 'say where it stands with the option Content Field' : 'check the option Content Field';
		const fields = isRecord(data) ? Object.keys(data).join(', ') : 'none';
		const why = `it holds no base64 text; ${where}; its fields: ${fields}`;
		throw unreadable(operation, { status, headers: {}, text: '' }, why);
	},
};

/** Without line breaks, and without what a data URL (RFC 2397) has before its content. */
const bare = (text: string) => text.replace(/^\s*data:[\w/+.-]*;base64,/, '').replace(/\s/g, '');
function isBase64(text: string): boolean {
	const content = bare(text);
	return content.length >= 4 && content.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(content);
}

function textAt(data: unknown, place: string): string | undefined {
	const value = fieldAt(data, place);
	return typeof value === 'string' && isBase64(value) ? value : undefined;
}

/** Words and identifiers are made of the same letters: content is longer than they are, and no hash. */
const isContent = (text: string) => text.length >= 40 && isBase64(text) && !/^[\da-f]+$/i.test(text);

function longestBase64(value: unknown): string | undefined {
	if (typeof value === 'string') return isContent(value) ? value : undefined;
	if (typeof value !== 'object' || value === null) return undefined;
	const found = Object.values(value)
		.map(longestBase64)
		.filter((text) => text !== undefined);
	return found.reduce<string | undefined>(
		(longest, text) => (longest === undefined || text.length > longest.length ? text : longest),
		undefined,
	);
}

/** A file name, by the keys that are common. */
function nameIn(data: unknown): string | undefined {
	if (!isRecord(data)) return undefined;
	const names = ['fileName', 'filename', 'name'].map((key) => data[key]);
	return names.find((value): value is string => typeof value === 'string' && value !== '');
}

/** Megabytes of base64 beside the same file would only weigh on the execution. */
function without(value: unknown, content: string): unknown {
	if (Array.isArray(value)) return value.map((element) => without(element, content));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, field]) => field !== content)
			.map(([key, field]) => [key, without(field, content)]),
	);
}
