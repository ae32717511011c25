import { type Payment, type Run, showHint } from '../pipeline/run.ts';

/**
 * Warnings about likely mistakes, shown above the output.
 * @param environment where payments were made; absent if none was
 */
export function hintAtPayments(run: Run, payments: readonly Payment[], environment?: string): void {
	const { context, operation } = run;
	if (operation.effect === 'money' && environment === 'production' && context.getMode() === 'manual')
		showHint(run, 'warning', 'This was a manual run, and it paid for real: the credential is for production.');
	const unnamed = payments.filter(({ own }) => own === undefined);
	if (unnamed.length === 0) return;
	showHint(
		run,
		'info',
		'No sequence: payments are recognized by phone number, so a corrected number counts as another person. Map Sequence to a ' +
			'column such as an invoice number.',
	);
	const equal = [...Map.groupBy(unnamed, ({ content }) => JSON.stringify(content)).values()].filter(
		(group) => group.length > 1,
	);
	const [first = []] = equal;
	if (equal.length === 0) return;
	const items = first.slice(0, 5).map(({ item }) => item);
	showHint(
		run,
		'warning',
		`Equal rows: items ${items.join(', ')}${equal.length > 1 ? ' and others' : ''} are the same payment several times, and each is ` +
			'paid. If that is not meant, remove duplicates before this node.',
	);
}
