import { isEcho, isEnvelope, isOutParams, topicOf } from './answerFields.ts';
import { isCode } from './codes.ts';
import type { CheckName } from './names.ts';

/**
 * Where a value stands. `envelope`: nothing but keys that wrap an answer are above it. `checks`: directly in `checks` or `outParms`.
 * `check`: in a check that stands there, where its result is its own. `echo`: in the request, as the answer repeats it.
 */
export type Zone = 'envelope' | 'checks' | 'check' | 'echo' | 'elsewhere';

/** One value in an answer. In a list it has the key of the list. */
export interface Place {
	value: unknown;
	key: string;
	zone: Zone;
	/** It stands directly in an object that holds the result of a check. */
	isInCheck?: boolean;
	/** The check that it is about. */
	of?: CheckName | undefined;
	/** It stands under the name of the check itself. */
	isNamed?: boolean;
	isListed?: boolean;
	/** It stands in something that speaks of codes, messages or errors. */
	speaks?: boolean;
	/** It stands directly under a code that was asked for (`chklst`), or beside one. */
	isOfBlock?: boolean;
	/** A code of 7.3 that means no harm stands beside it. */
	isBesideCode?: boolean;
	/** It stands in something of which it is not known what it is about. */
	isUnknown?: boolean;
}

/** Whether an object is where it may hold the result of a check: a row of a list, or the only one, names the check itself. */
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

/** Whether it is known what an object or a list under a key is about. */
export function isKnownKey({ key, zone, isNamed = false }: Place, blocks: readonly string[]): boolean {
	return isNamed || zone !== 'elsewhere' || blocks.includes(key) || isCode(key) || topicOf(key) !== undefined;
}
