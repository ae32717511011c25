import { InputError } from '@bank/core';
import type { IHookFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorFor, failureOf, htmlOf } from '../shared/base/failures.ts';
import { useForm } from '../shared/base/formLabel.ts';
import { escapeHtml } from '../shared/base/issueTexts.ts';
import { triggerFields } from './description.ts';

export const notListening = 'The workflow does not listen until you publish it again.';
export const stillSubscribed =
	'The workflow no longer listens, but the subscription at the bank may still point to it: ' +
	'disable it with the Bank node (Webhook: Update), or ask the bank.';

/**
 * For errors of lifecycle hooks n8n shows only the message, as HTML, so the message contains the advice.
 * @param advice replaces that of the error
 */
export function lifecycleError(
	context: IHookFunctions,
	error: unknown,
	consequence: string,
	advice?: string,
): NodeApiError | NodeOperationError {
	useForm(context, triggerFields);
	const failure = failureOf(context, error);
	const shown = errorFor(context, failure, { again: 'publish again' });
	const parts =
		failure instanceof InputError
			? [escapeHtml(failure.message), 'Nothing was changed at the bank']
			: [escapeHtml(shown.message), advice === undefined ? htmlOf(shown) : escapeHtml(advice)];
	shown.message = [
		...parts.map((part) => part.trim().replace(/(?<![.\s])[.\s]+$/, '')).filter((part) => part !== ''),
		consequence,
	].join('. ');
	return shown;
}
