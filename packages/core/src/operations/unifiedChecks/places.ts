import { isEcho, isEnvelope, isOutParams, topicOf } from './responseFields.ts';
import { isCode } from './codes.ts';
import type { CheckName } from './names.ts';

/**
 * Location of a value. `envelope`: only wrapper keys above it. `checks`: directly in `checks` or `outParms`. `check`:
 * inside a check there, where its result counts. `echo`: inside the repeated request.
 */
export type Zone = 'envelope' | 'checks' | 'check' | 'echo' | 'elsewhere';

/** A value in the response. List elements have the key of the list. */
export interface Place {
	value: unknown;
	key: string;
	zone: Zone;
	/** Its parent contains the result of a check. */
	isInCheck?: boolean;
	/** The check it belongs to. */
	of?: CheckName | undefined;
	/** Its key is the name of the check. */
	isNamed?: boolean;
	isListed?: boolean;
	/** Inside a field about codes, messages or errors. */
	speaks?: boolean;
	/** Under or next to a requested code (`chklst`). */
	isOfBlock?: boolean;
	/** Next to a harmless code of 7.3. */
	isBesideCode?: boolean;
	/** Inside a field of unknown meaning. */
	isUnknown?: boolean;
}

/** Whether an object can hold the result of a check: a list row, or the only object, that names the check. */
export function zoneOf({ value, zone, of, isListed = false }: Place, name: CheckName | undefined): Zone {
	if (Array.isArray(value) || zone === 'echo' || zone === 'elsewhere') return zone;
	if (zone === 'check') return name === of ? zone : 'elsewhere';
	return name !== undefined && (isListed || zone === 'checks') ? 'check' : zone;
}

export function zoneBelow(zone: Zone, key: string, named: CheckName | undefined): Zone {
	if (zone === 'echo' || zone === 'elsewhere') return zone;
	if (named !== undefined) return zone === 'checks' ? 'check' : 'elsewhere';
	if (zone === 'check') return isOutParams(key) ? zone : 'elsewhere';
	if (/^checks$/i.test(key) || isOutParams(key)) return 'checks';
	return isEcho(key) ? 'echo' : isEnvelope(key) ? 'envelope' : 'elsewhere';
}

/** Whether the meaning of an object or list is known from its key. */
export function isKnownKey({ key, zone, isNamed = false }: Place, blocks: readonly string[]): boolean {
	return isNamed || zone !== 'elsewhere' || blocks.includes(key) || isCode(key) || topicOf(key) !== undefined;
}
