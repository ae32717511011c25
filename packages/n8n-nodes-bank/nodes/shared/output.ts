import { type CallResult, isRecord, type Operation, type PreparedRequest } from '@bank/core';
import type { IBinaryKeyData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { FormContext, Job } from './form.ts';

/** The answer as items. What the description shows is one item; what it does not show passes through whole. */
export async function itemsOf(
	{ context, operation }: FormContext,
	job: Job,
	prepared: PreparedRequest,
	result: CallResult,
	added: IDataObject = {},
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: job.items[0] ?? 0 };
	if (operation.effect === 'delete')
		return [{ json: { deleted: true, ...prepared.input.path, ...prepared.input.query } as IDataObject, pairedItem }];
	const more = { ...deadlineOf(operation, result), ...added };
	if (result.file !== undefined) return [{ ...(await fileItem(context, result.file, more)), pairedItem }];
	return rowsOf(result.data).map((row) => ({ json: { ...row, ...more }, pairedItem }));
}

/** One item for an object or a value, one for each element of a list. Every field keeps its name. */
function rowsOf(data: unknown): IDataObject[] {
	if (Array.isArray(data))
		return data.length === 0
			? [{ answer: [] }]
			: data.map((element: unknown) => (isRecord(element) ? element : { answer: element }) as IDataObject);
	if (isRecord(data)) return [data as IDataObject];
	return [data === undefined ? {} : { answer: data as IDataObject[string] }];
}

/** When a window of part 8 ends, counted from this answer: the bank may have begun to count a little earlier. */
function deadlineOf({ deadline }: Operation, { status }: CallResult): IDataObject {
	// Not done yet, so nothing has begun.
	if (deadline === undefined || status === 202) return {};
	return { [deadline.field]: new Date(Date.now() + deadline.hours * 3_600_000).toISOString() };
}

async function fileItem(
	context: IExecuteFunctions,
	{ data, mimeType, fileName }: NonNullable<CallResult['file']>,
	json: IDataObject,
): Promise<{ json: IDataObject; binary: IBinaryKeyData }> {
	return { json, binary: { data: await context.helpers.prepareBinaryData(Buffer.from(data), fileName, mimeType) } };
}
