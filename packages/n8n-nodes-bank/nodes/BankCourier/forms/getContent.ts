import { createFailure, definitions, fieldAt, isRecord, verbatim } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { safeFileName } from '../../shared/base/fileName.ts';
import { isItemJson } from '../../shared/form/itemJson.ts';
import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { firstItem } from '../../shared/form/run.ts';

/**
 * 4.13: the response contains the file as base64, in a field that is not shown. It becomes a binary field; the rest of
 * the response is unchanged.
 */
export const getContent = bindHooks(definitions.file.getContent, {
	async output({ context, operation, parameters }, { job, result: { data, file, status, requestId } }) {
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
		const found = place === undefined ? contentsIn(data) : textAt(data, place);
		const [content] = found;
		if (content !== undefined && found.length === 1) {
			const rest = without(data, content.text);
			return await asItem(
				Buffer.from(content.text.slice(startOf(content.text)), 'base64'),
				isItemJson(rest) ? rest : {},
				nameIn(data),
			);
		}
		const where =
			place === undefined ? 'name the field in the option "Content Field"' : 'check the option "Content Field"';
		const fields = isRecord(data) ? Object.keys(data).join(', ') : 'none';
		const why =
			content === undefined
				? `it holds no base64 text; ${where}; its fields: ${fields}`
				: `it holds several base64 texts, and which is the content is not clear (${found.map(({ key }) => key).join(', ')}); ${where}`;
		// The response is complete, so neither a retry nor another address helps.
		const what = `the bank responded with ${status}, but the response cannot be read (${why})`;
		const more = { kind: 'unreadable', httpStatus: status, code: 'unreadable_response', requestId } as const;
		throw createFailure(operation, 'nothingChanged', what, more);
	},
});

/** The position after the prefix of a data URL (RFC 2397). */
function startOf(text: string): number {
	const head = text.slice(0, 200);
	const isDataUrl = head.trimStart().startsWith('data:') && head.includes(';base64,');
	return isDataUrl ? head.indexOf(';base64,') + ';base64,'.length : 0;
}

/** Without a regular expression, which can run out of stack over megabytes of text. */
function isBase64(text: string): boolean {
	const spaces = [' ', '\t', '\r', '\n'];
	const plain = spaces.reduce((rest, space) => rest.replaceAll(space, ''), text.slice(startOf(text)));
	return plain !== '' && Buffer.from(plain, 'base64').toString('base64') === plain;
}

/** Base64 text in a response, with the path of keys to it. */
interface Content {
	key: string;
	text: string;
}

function textAt(data: unknown, place: string): Content[] {
	const value = fieldAt(data, place);
	return typeof value === 'string' && isBase64(value) ? [{ key: place, text: value }] : [];
}

/** Candidates for the content of the file, whose field is not shown: a signature or a certificate is base64 too, and may be longer. */
function contentsIn(data: unknown): Content[] {
	const others = base64In(data, '').filter(({ key }) => !otherKey.test(key));
	const named = others.filter(({ key }) => contentKey.test(key));
	return named.length === 1 ? named : others;
}

const otherKey = /signature|\bsign?\b|cert|hash|digest|checksum|key$|token|thumb|preview|trace/i;
const contentKey = /(?:content|base64|bytes)$/i;

/** Words and identifiers may look like base64. Content is longer and not a hash, or its key says that it is content. */
function base64In(value: unknown, key: string): Content[] {
	if (typeof value === 'string') {
		const isContent =
			contentKey.test(key) || (value.length >= 40 && !(value.length <= 128 && /^[\da-f]+$/i.test(value)));
		return isContent && isBase64(value) ? [{ key, text: value }] : [];
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([inner, field]) =>
		base64In(field, Array.isArray(value) ? key : key === '' ? inner : `${key}.${inner}`),
	);
}

/** A file name, found by common key names. */
function nameIn(data: unknown): string | undefined {
	if (!isRecord(data)) return undefined;
	const names = ['fileName', 'filename', 'name'].map((key) => data[key]);
	return names.map((value) => safeFileName(verbatim(value))).find((name) => name !== undefined);
}

/** Removes the base64 text: the binary field already has it, and megabytes of text would slow down the execution. */
function without(value: unknown, content: string): unknown {
	if (Array.isArray(value)) return value.map((element) => without(element, content));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, field]) => field !== content)
			.map(([key, field]) => [key, without(field, content)]),
	);
}
