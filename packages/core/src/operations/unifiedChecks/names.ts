/** The eight checks (4.14), with their form labels. */
export const checkNames = {
	WSCodeInvalidIdentityCard: 'Invalid Passports',
	WSConsumerSubjectInfoGet: 'Subject Data',
	WSCustomerBankruptcyInfo: 'Bankruptcy',
	WSCustomerComplianceCheckGet: 'Blacklist Blocks',
	WSCustomerReputationRisk: 'Reputation Risk',
	WSCustomerTerrorism: 'Terrorism',
	WSGlobalSearch: 'Leasing Eligibility',
	WSResultSOZSalaryProject: 'Salary Project Reliability',
} as const;

export type CheckName = keyof typeof checkNames;

export const isCheckName = (name: unknown): name is CheckName =>
	typeof name === 'string' && Object.hasOwn(checkNames, name);
