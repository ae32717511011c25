import { isByPhone, type Payment } from '../base/payment.ts';
import { type Run, showHint } from '../form/run.ts';

/**
 * Warnings about likely mistakes, shown above the output.
 * @param environment where payments were made; absent if none was
 */
export function hintAtPayments(run: Run, payments: readonly Payment[], environment?: string): void {
	const { context, operation } = run;
	if (operation.effect === 'money' && environment === 'production' && context.getMode() === 'manual')
		showHint(run, 'warning', 'This was a manual run, and it paid for real: the credential is for production.');
	if (payments.some(isByPhone))
		showHint(
			run,
			'info',
			'No sequence: payments are recognized by phone number, so a corrected number counts as another person. Map "Sequence" to a ' +
				'column such as an invoice number.',
		);
}
