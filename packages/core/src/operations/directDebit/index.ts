import { commonDialect } from '../../errors/byStatus.ts';
import { defineOperation } from '../../operation.ts';
import { fields, text } from '../../schemas/fields.ts';

/** Properties of all operations of the direct-debit service (4.18), which are described only by what they do. */
const common = { spec: '4.18', serviceVersion: '1.1.0', auth: 'notShown', dialect: commonDialect } as const;

/** The operations, in the order in which they are called. */
export const directDebit = {
	createConsent: defineOperation({
		...common,
		id: 'directDebit.createConsent',
		action: 'Create direct debit consent',
		description: "Register a loan and record the partner's refund details",
		effect: 'change',
		payload: { about: 'Loan and refund details', required: true },
		callOrder: 'the first: a consent registers the loan',
	}),
	getOffer: defineOperation({
		...common,
		id: 'directDebit.getOffer',
		action: 'Get offer of direct debit consent',
		description:
			"Read the actions that the client allows the partner's application to do. " +
			"It must permit debiting and reading the payment order's status",
		effect: 'read',
		returnsState: true,
		payload: { about: 'Identifiers of the consent or the offer', required: false },
		callOrder: 'after the consent, before debiting',
	}),
	debit: defineOperation({
		...common,
		id: 'directDebit.debit',
		action: 'Debit borrower',
		description: 'Debit money from a borrower; the bank creates a payment order',
		notes: [
			'The purpose text of a credit tranche contains `service Id: transactionId`, where `transactionId` is ' +
				'your unique identifier of the tranche.',
		],
		effect: 'money',
		unnamedFields: fields({ purpose: text('Purpose', 'Purpose text of the payment') }),
		payload: { about: 'Details of the debit, such as loan account and amount', required: true },
		callOrder: 'after the client allowed debiting in the offer',
		verifyWith: { whether: 'the debit was made', readWith: 'directDebit.getPaymentOrder', by: 'transaction ID' },
	}),
	getPaymentOrder: defineOperation({
		...common,
		id: 'directDebit.getPaymentOrder',
		action: 'Get payment order of direct debit',
		description: 'Read the payment order that the bank created for a debit',
		effect: 'read',
		returnsState: true,
		payload: { about: 'Identifiers of the payment order', required: false },
		callOrder: 'after the debit',
	}),
};

/**
 * Rule of 4.18: the purpose of a credit tranche "must contain the text `service Id: transactionId`, where
 * `transactionId` is a partner-assigned unique tranche identifier". It is added if missing.
 */
export function tranchePurpose(purpose: string, transactionId: string, label: string): string {
	const mark = `${label}: ${transactionId}`;
	const text = purpose.trim();
	// The identifier must end there: "service Id: T-12" and "service Id: T-1.5" do not contain T-1.
	const ends = text.split(mark).slice(1);
	if (ends.some((rest) => !/^(?:[\p{L}\p{N}_-]|[^\s\p{L}\p{N}]+[\p{L}\p{N}])/u.test(rest))) return text;
	return text === '' ? mark : `${text} ${mark}`;
}
