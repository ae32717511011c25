import { InputError, jsonOrText, type OperationInput } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../shared/form.ts';
import type { Parameters } from '../../shared/run/run.ts';

/** P3: the blocks that the user picked, or one JSON object. */
export const createLoanApplication: Form = {
	read({ parameters }, item): OperationInput {
		return {
			body:
				parameters.value('inputMode', item) === 'json'
					? parsedObject(parameters.value('application', item), 'application')
					: bodyOfFields(parameters, item),
		};
	},
};

function bodyOfFields(parameters: Parameters, item: number): IDataObject {
	const { contactPhone, ...together } = parameters.group('additionalFields', item);
	const borrowerType = parameters.text('borrowerType', item);
	const borrower =
		borrowerType === 'none'
			? {}
			: {
					[borrowerType]: {
						legalInfo: { inn: taxNumber(parameters.value('inn', item, ''), borrowerType), contactPhone },
					},
				};
	const blocks = (parameters.value('blocks', item, []) as string[]).map((name) => [
		name,
		plain(parameters.value(name, item, {})),
	]);
	return {
		dealId: parameters.value('dealId', item),
		borrower,
		partner: { ...together, ...Object.fromEntries(blocks) },
	} as IDataObject;
}

/** Without it the borrower would be an empty object, which is optional, and go unmentioned. */
function taxNumber(inn: unknown, borrowerType: string): unknown {
	if (String(inn ?? '').trim() !== '') return inn;
	throw new InputError([
		{ path: `borrower.${borrowerType}.legalInfo.inn`, message: 'is required. To send no borrower, choose Not Given' },
	]);
}

/** A field of a form as the API knows it: rows lose the wrapping that n8n gives them, JSON text becomes what it says. */
function plain(value: unknown): unknown {
	if (typeof value === 'string') return /^\s*[[{]/.test(value) ? jsonOrText(value) : value;
	if (Array.isArray(value)) return value.map(plain);
	// Dates of Luxon and JavaScript are objects too, and stay whole.
	if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
	const keys = Object.keys(value);
	if (keys.length === 1 && keys[0] === 'rows') return plain((value as { rows: unknown }).rows);
	return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

function parsedObject(value: unknown, field: string): unknown {
	const given = typeof value === 'string' ? jsonOrText(value) : value;
	if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
	throw new InputError([{ path: field, message: 'must be one JSON object with dealId, borrower and partner' }]);
}
