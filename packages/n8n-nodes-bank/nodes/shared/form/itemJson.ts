import { isRecord } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

/** The bank's JSON is valid as the `json` of an item; only the types differ. */
export const itemJson = (value: object): IDataObject => value as IDataObject;

/** For a field of an item, which may be any JSON. */
export const fieldJson = (value: unknown): IDataObject[string] => value as IDataObject[string];

export function isItemJson(value: unknown): value is IDataObject {
	return isRecord(value);
}
