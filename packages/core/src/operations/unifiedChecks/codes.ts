import { textOrNumber } from '../../text.ts';
import { checkMessageOf, messageTables } from './messages.ts';
import type { CheckName } from './names.ts';

/** Codes with a known letter prefix, listed in 7.3 or not. */
export function familyCodesIn(text: string): string[] {
	const codes = text.matchAll(/(?<![a-z])(KSM|PBC|PBS|WSE)[-_ ]?(\d{4})(?!\d)/gi);
	return [...codes].map(([, family = '', number = '']) => `${family.toUpperCase()}${number}`);
}

export const isFamilyCode = (code: string): boolean => familyCodesIn(code).length > 0;

export const isDigit = (text: string): boolean => /^\d$/.test(text);

export const isCode = (text: string): boolean => isDigit(text) || isFamilyCode(text);

/** Whether a value is a code of 7.3 that does not contradict a pass. */
export const isHarmlessCode = (name: CheckName | undefined, value: unknown): boolean => {
	const text = textOrNumber(value);
	const codes = isDigit(text) ? [text] : familyCodesIn(text);
	return codes.some((code) => checkMessageOf(name, code)?.weight === 'harmless');
};

/** Whether a check uses codes of one digit. An unknown check may. In other checks, a digit may have any meaning. */
export const mayBeDigit = (name: CheckName | undefined): boolean =>
	name === undefined || Object.hasOwn(messageTables, name);

/** A single-digit code on its own, before text, or in brackets. */
export function digitIn(text: string): string | undefined {
	const found =
		/^0*(\d)$/.exec(text) ??
		/^#?0*(\d)(?:\s*[-:.,;)–—]\s*|\s+)[^\s\d]/.exec(text) ??
		/(?:code|error)\W{0,3}0*(\d)(?!\d)/i.exec(text) ??
		/[[({<]\s*#?0*(\d)\s*[\])}>]/.exec(text);
	return found?.[1];
}
