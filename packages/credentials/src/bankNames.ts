import { textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';
import { lineOf } from './line.ts';

/** The banks that the user entered, by their names. */
export interface BankNames {
	/** The names as the user entered them. */
	names: readonly string[];
	/** The number of the bank with this name; undefined if the name was not entered. */
	numberOf(name: string): string | undefined;
}

/** Makes `АО «Пример-Банк»` and `АО Пример Банк` equal. */
const normalizeName = (name: string): string =>
	name
		.normalize('NFKC')
		.toLowerCase()
		.replaceAll('ё', 'е')
		.replace(/[^\p{L}\p{N}]+/gu, '');

const isNumber = (text: string): boolean => /^\d+$/.test(text);

/**
 * Reads *Bank Names*: a name and a number in each line, in either order. A first line without digits is a heading, unless it is the
 * only one.
 * @throws CredentialError if a line has no name or no number, or a name has two numbers
 */
export function bankNamesOf({ bankNames }: ICredentialDataDecryptedObject): BankNames {
	const lines = textOf(bankNames)
		.split(/[\r\n]+/)
		.filter((line) => line.trim() !== '');
	const numbers = new Map<string, string>();
	const names: string[] = [];
	for (const [index, line] of lines.entries()) {
		if (index === 0 && lines.length > 1 && !/\d/.test(line)) continue;
		const [name, number] = bankIn(line);
		const key = normalizeName(name);
		if (key === '' || !isNumber(number))
			throw new CredentialError(
				`Bank Names: "${line.trim().slice(0, 40)}" must be a name and a number, separated by a tab, comma or semicolon`,
				'Enter one bank per line, such as "Example Bank, 100000000111".',
			);
		const earlier = numbers.get(key);
		if (earlier !== undefined && earlier !== number)
			throw new CredentialError(`Bank Names: "${name.slice(0, 40)}" has two numbers`, 'Remove one of the lines.');
		if (earlier === undefined) names.push(name);
		numbers.set(key, number);
	}
	return { names, numberOf: (name) => numbers.get(normalizeName(name)) };
}

/** The number is the first or the last cell; a name may contain commas. */
function bankIn(line: string): [name: string, number: string] {
	const cells = line.split(/[\t;,|]/).map(lineOf);
	const filled = cells.filter((cell) => cell !== '');
	const isFirst = isNumber(filled[0] ?? '');
	const [number = '', rest] = isFirst ? [filled[0], filled.slice(1)] : [filled.at(-1), filled.slice(0, -1)];
	// Two numbers: nobody knows which one is the name.
	return isFirst && isNumber(filled.at(-1) ?? '') ? ['', ''] : [rest.join(', '), number];
}
