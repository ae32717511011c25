import { isEcho, isEnvelope, isOutParams } from './responseFields.ts';
import type { CheckName } from './names.ts';

/**
 * Where the fields of an object are. `envelope`: below wrapper keys only. `checks`: in `checks` or `outParms`. `check`:
 * inside a check there, where its result counts. `echo`: inside the repeated request.
 */
export type Zone = 'envelope' | 'checks' | 'check' | 'echo' | 'elsewhere';

/** A value in the response. List elements have the key of the list. */
export interface Place {
	value: unknown;
	key: string;
	/** The zone that the parent is in. */
	zone: Zone;
	/** The check it belongs to. */
	check?: CheckName | undefined;
	/** Its key is the name of the check. */
	isNamed?: boolean;
	isListed?: boolean;
	/** Inside a field about codes, messages or errors. */
	isMessage?: boolean;
	/** Under or next to a requested code (`chklst`). */
	isOfBlock?: boolean;
	/** Next to a harmless code of 7.3. */
	isBesideCode?: boolean;
}

/** @param name the check that the object itself names, or belongs to */
export function zoneIn({ value, key, zone, check, isNamed, isListed }: Place, name: CheckName | undefined): Zone {
	// The elements of a list are where the list is.
	const below = isListed === true ? zone : zoneBelow(zone, key, isNamed === true);
	if (Array.isArray(value) || below === 'echo' || below === 'elsewhere') return below;
	if (below === 'check') return name === check ? below : 'elsewhere';
	// A list row, or the only object, that names the check.
	return name !== undefined && (isListed === true || below === 'checks') ? 'check' : below;
}

function zoneBelow(zone: Zone, key: string, isNamed: boolean): Zone {
	if (zone === 'echo' || zone === 'elsewhere') return zone;
	if (isNamed) return zone === 'checks' ? 'check' : 'elsewhere';
	if (zone === 'check') return isOutParams(key) ? zone : 'elsewhere';
	if (/^checks$/i.test(key) || isOutParams(key)) return 'checks';
	return isEcho(key) ? 'echo' : isEnvelope(key) ? 'envelope' : 'elsewhere';
}
