import { fieldAt, isRecord, unreadable } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../shared/form.ts';

/** 4.13: the content comes in base64, where is not shown. It becomes a binary field; the rest of the answer stays as it is. */
export const getContent: Form = {
	async output({ context, operation, parameter }, { items: [item = 0] }, { data, file, status }) {
		const {
			contentField = '',
			fileName = '',
			mimeType = '',
		} = parameter('options', item, {}) as Record<string, string>;
		const binaryField = String(parameter('binaryField', item, 'data')).trim() || 'data';
		const given = (text: string, otherwise: string | undefined) => (text.trim() === '' ? otherwise : text.trim());
		const asItem = async (bytes: Buffer, name: string | undefined, type: string | undefined, json: IDataObject) => {
			const binary = await context.helpers.prepareBinaryData(bytes, given(fileName, name), given(mimeType, type));
			return [{ json, binary: { [binaryField]: binary }, pairedItem: { item } }];
		};
		if (file !== undefined) return await asItem(Buffer.from(file.data), file.fileName, file.mimeType, {});
		const place = contentField.trim();
		const found = place === '' ? longestBase64(data) : textAt(data, place);
		if (found !== undefined)
			return await asItem(
				Buffer.from(bare(found), 'base64'),
				nameIn(data),
				undefined,
				isRecord(data) ? (without(data, found) as IDataObject) : {},
			);
		const where = place === '' ? 'say where it stands with the option Content Field' : 'check the option Content Field';
		throw unreadable(
			operation,
			{ status, headers: {}, text: '' },
			`it holds no base64 text; ${where}; its fields: ${isRecord(data) ? Object.keys(data).join(', ') : 'none'}`,
		);
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
	const [name] = ['fileName', 'filename', 'name']
		.map((key) => data[key])
		.filter((value) => typeof value === 'string' && value !== '');
	return name as string | undefined;
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
