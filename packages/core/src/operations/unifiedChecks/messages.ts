import type { CheckName } from './names.ts';

/** Message codes of 7.3 that six checks share. */
const shared = {
	KSM0006: 'input variable not found',
	PBC0999: 'SQL statement error',
	PBS0000: 'result not determined',
	PBS0001: 'update date is valid',
	PBS0002: 'update date is not valid',
	PBS0003: 'validity of the identity-document power of attorney has not expired',
	PBS0004: 'validity of the power of attorney has expired',
	PBS0005: 'national passport is valid',
	PBS0006: 'national passport is not valid',
	PBS0007: 'national passport validity has not expired',
	PBS0008: 'national passport validity has expired',
	PBS0009: 'foreign passport validity has not expired',
	PBS0018: 'full match in reputation-risk list',
	PBS0019: 'partial match in reputation-risk list',
	PBS0020: 'no match in reputation-risk list',
	PBS0021: 'full match in terrorist or extremist list',
	PBS0022: 'partial match in terrorist or extremist list',
	PBS0023: 'no match in terrorist or extremist list',
	PBS0025: 'match in reputation-risk list for legal entities and sole proprietors',
	PBS0027: 'no active risks found',
	PBS0047: 'full match in the sanctions list',
	PBS0049: 'no sanction risk codes found',
	PBS0100: 'not enough input parameters',
	PBS0101: 'incorrect input parameters',
	WSE9999: 'connection error',
};

const WSGlobalSearch = {
	0: 'no errors',
	1: 'authorization failed',
	2: 'no authorization data',
	3: 'legal-entity tax number missing',
	4: 'individual data missing (name and birth date, or identity document number)',
	5: 'error checking the legal entity by tax number',
	6: 'error checking the individual by name and birth date',
	7: 'error checking the individual by identity document',
	8: 'tax number shorter than 10 characters',
	9: 'identity document size differs from 10 characters',
};

const WSResultSOZSalaryProject = {
	0: 'no errors',
	1: 'authorization failed',
	2: 'no authorization data',
	3: 'legal-entity tax number missing',
	4: 'a request for this legal entity is already in work',
	5: 'error searching for legal-entity data',
	6: 'the security-service conclusion on the request has expired',
	7: 'no request for this legal entity in the application system',
};

/** Tables by check. `shared` is for checks without a table. */
export const messageTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	shared,
	WSGlobalSearch,
	WSResultSOZSalaryProject,
};

/** The codes with which each check finds nothing against the person, company or document. 7.3 does not assign codes to checks. */
export const nothingFound: Readonly<Record<CheckName, readonly string[]>> = {
	WSCodeInvalidIdentityCard: ['PBS0003', 'PBS0005', 'PBS0007', 'PBS0009'],
	WSConsumerSubjectInfoGet: ['PBS0001'],
	WSCustomerBankruptcyInfo: ['PBS0027'],
	WSCustomerComplianceCheckGet: ['PBS0027', 'PBS0049'],
	WSCustomerReputationRisk: ['PBS0020', 'PBS0027'],
	WSCustomerTerrorism: ['PBS0023'],
	WSGlobalSearch: ['0'],
	WSResultSOZSalaryProject: ['0'],
};

/** The meaning of a message code in 7.3; undefined if it is not listed. */
export function meaningOf(check: CheckName, code: string): string | undefined {
	const table = messageTables[check] ?? shared;
	return Object.hasOwn(table, code) ? table[code as keyof typeof table] : undefined;
}

/**
 * Whether the code is listed in 7.3, and for no check means "nothing found". Service details must not call such a code
 * harmless.
 */
export const contradictsPass = (code: string): boolean =>
	Object.hasOwn(shared, code) && !Object.values(nothingFound).flat().includes(code);
