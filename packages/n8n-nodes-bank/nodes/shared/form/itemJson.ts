import { isRecord } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

/** What the bank sent is JSON, and so is what n8n wants of an item: its type only says so in other words. */
export const itemJson = (value: object): IDataObject => value as IDataObject;

/** For a field of an item, which may hold any JSON. */
export const fieldJson = (value: unknown): IDataObject[string] => value as IDataObject[string];

export function isItemJson(value: unknown): value is IDataObject {
	return isRecord(value);
}
