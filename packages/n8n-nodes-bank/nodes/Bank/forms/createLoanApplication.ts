import { InputError, splitList, jsonOrText, type OperationInput } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../shared/form.ts';
import { itemJson } from '../../shared/itemJson.ts';
import type { Parameters } from '../../shared/parameters.ts';

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
	const blocks = splitList(parameters.value('blocks', item, []), 'identifier').map((name) => [
		name,
		plain(parameters.value(name, item, {})),
	]);
	return itemJson({
		dealId: parameters.value('dealId', item),
		borrower,
		partner: { ...together, ...Object.fromEntries(blocks) },
	});
}

/** Without it the borrower would be an empty object, which is optional, and go unmentioned. */
function taxNumber(inn: unknown, borrowerType: string): unknown {
	if (String(inn ?? '').trim() !== '') return inn;
	throw new InputError([
		{ path: `borrower.${borrowerType}.legalInfo.inn`, message: 'is required. To send no borrower, choose Not Given' },
	]);
}

/** A field of a form as the API knows it: tables become the list that they stand for, JSON text becomes what it says. */
function plain(value: unknown): unknown {
	if (typeof value === 'string') return /^\s*[[{]/.test(value) ? jsonOrText(value) : value;
	if (Array.isArray(value)) return value.map(plain);
	// Dates of Luxon and JavaScript are objects too, and stay whole.
	if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
	if (isTable(value)) return listIn(value);
	// A block or a table to which nothing was added.
	if (Object.keys(value).length === 0) return undefined;
	return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

/** As n8n holds a table of the generated form (see scripts/forms/blocks.ts). */
interface Table {
	rows?: readonly unknown[];
	arrays?: readonly { array?: unknown }[];
}

function isTable(value: object): value is Table {
	const keys = Object.keys(value);
	return keys.length > 0 && keys.every((key) => key === 'rows' || key === 'arrays');
}

/** Typed rows first, then those of the arrays. What is given instead of an array stays as it is, to be refused by its name. */
function listIn({ rows = [], arrays = [] }: Table): unknown {
	const given = arrays.map(({ array }) => plain(array)).filter((array) => String(array ?? '').trim() !== '');
	if (rows.length === 0 && given.length === 1) return given[0];
	return [...rows.map(plain), ...given.flat()];
}

function parsedObject(value: unknown, field: string): unknown {
	const given = typeof value === 'string' ? jsonOrText(value) : value;
	if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
	throw new InputError([{ path: field, message: 'must be one JSON object with dealId, borrower and partner' }]);
}
