import { keysOf } from '../../keys.ts';
import type { CheckName } from './names.ts';

/**
 * What a message code means for a pass. `harmless`: none. `match`: a finding against the person, company or document.
 * `undetermined`: no conclusion, or outdated. `error`: the check could not be run. All but `harmless` contradict a
 * pass.
 */
export type MessageWeight = 'harmless' | 'match' | 'undetermined' | 'error';

type MessageTable = Readonly<Record<MessageWeight, Readonly<Record<string, string>>>>;

/** Message codes of 7.3 shared by six checks. */
const shared: MessageTable = {
	harmless: {
		PBS0001: 'update date is valid',
		PBS0003: 'validity of the identity-document power of attorney has not expired',
		PBS0005: 'national passport is valid',
		PBS0007: 'national passport validity has not expired',
		PBS0009: 'foreign passport validity has not expired',
		PBS0020: 'no match in reputation-risk list',
		PBS0023: 'no match in terrorist or extremist list',
		PBS0027: 'no active risks found',
		PBS0049: 'no sanction risk codes found',
	},
	match: {
		PBS0004: 'validity of the power of attorney has expired',
		PBS0006: 'national passport is not valid',
		PBS0008: 'national passport validity has expired',
		PBS0018: 'full match in reputation-risk list',
		PBS0019: 'partial match in reputation-risk list',
		PBS0021: 'full match in terrorist or extremist list',
		PBS0022: 'partial match in terrorist or extremist list',
		PBS0025: 'match in reputation-risk list for legal entities and sole proprietors',
		PBS0047: 'full match in the sanctions list',
	},
	undetermined: {
		PBS0000: 'result not determined',
		PBS0002: 'update date is not valid',
	},
	error: {
		KSM0006: 'input variable not found',
		PBC0999: 'SQL statement error',
		PBS0100: 'not enough input parameters',
		PBS0101: 'incorrect input parameters',
		WSE9999: 'connection error',
	},
};

const globalSearch: MessageTable = {
	harmless: { 0: 'no errors' },
	match: {},
	undetermined: {},
	error: {
		1: 'authorization failed',
		2: 'no authorization data',
		3: 'legal-entity tax number missing',
		4: 'individual data missing (name and birth date, or identity document number)',
		5: 'error checking the legal entity by tax number',
		6: 'error checking the individual by name and birth date',
		7: 'error checking the individual by identity document',
		8: 'tax number shorter than 10 characters',
		9: 'identity document size differs from 10 characters',
	},
};

const salaryProject: MessageTable = {
	harmless: { 0: 'no errors' },
	match: {},
	undetermined: {
		4: 'a request for this legal entity is already in work',
		6: 'the security-service conclusion on the request has expired',
		7: 'no request for this legal entity in the application system',
	},
	error: {
		1: 'authorization failed',
		2: 'no authorization data',
		3: 'legal-entity tax number missing',
		5: 'error searching for legal-entity data',
	},
};

/** By check; `shared` for the others. */
export const messageTables = { shared, WSGlobalSearch: globalSearch, WSResultSOZSalaryProject: salaryProject } as const;

const messages = new Map(
	Object.entries(messageTables).map(([check, table]) => {
		const rows = keysOf(table).flatMap((weight) =>
			Object.entries(table[weight]).map(([code, meaning]) => [code, { meaning, weight }] as const),
		);
		return [check, new Map(rows)] as const;
	}),
);

/** A message code of 7.3; undefined if not listed. For an unknown check, the codes that six checks share. */
export function checkMessageOf(
	check: CheckName | undefined,
	code: string,
): { meaning: string; weight: MessageWeight } | undefined {
	return (messages.get(check ?? 'shared') ?? messages.get('shared'))?.get(code);
}
