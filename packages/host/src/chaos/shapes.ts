import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowFile, WorkflowNode } from '../n8nCli.ts';
import { chain, workflowOf } from '../workflows.ts';

/** Workflows for the payouts. Each call contains the rows of its case, so all cases use the same workflows. */

/** *Payment Run* of a case. It has letters, because a number alone might be an execution ID. */
export const runOf = ({ number }: { number: number }): string => `payout c${number}`;

/** The payment log of all cases. */
export const logName = 'Chaos payments';

export const rowsNode = 'Rows';
export const paymentNode = 'Send';

const node = (name: string, type: string, typeVersion: number, parameters: object): WorkflowNode => ({
	name,
	type,
	typeVersion,
	parameters: { ...parameters },
});

const webhook = (path: string, more: object): WorkflowNode => ({
	...node('Webhook', 'n8n-nodes-base.webhook', 2, { httpMethod: 'POST', path, options: {}, ...more }),
	webhookId: path,
});

const rows = node(rowsNode, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} });

const bank = (
	name: string,
	parameters: object,
	credentials: WorkflowNode['credentials'] = demoReferences.clientCredentials,
): WorkflowNode => ({
	...node(name, 'n8n-nodes-bank.bank', 1, { resource: 'payment', ...parameters }),
	credentials,
	onError: 'continueRegularOutput',
});

/** Responds at once with the execution ID, then pays the rows of the call. Copies have the same nodes. */
export const payouts: readonly WorkflowFile[] = ['chaosPayout', 'chaosPayoutCopy'].map((id) =>
	workflowOf(
		id,
		`Chaos ${id}`,
		chain([
			webhook(id, { responseMode: 'responseNode' }),
			node('Respond', 'n8n-nodes-base.respondToWebhook', 1.4, {
				respondWith: 'json',
				responseBody: '={{ { execution: $execution.id } }}',
				options: {},
			}),
			rows,
			bank(
				paymentNode,
				{
					operation: 'sendPackage',
					paymentRun: '={{ $json.run }}',
					recipientsFrom: 'items',
					...Object.fromEntries(
						['amount', 'phone', 'sequence', 'paymentDescription'].map((name) => [name, `={{ $json.${name} }}`]),
					),
					nspkBankId: '100000000111',
					ric: '1',
					options: {
						partnerId: '1001',
						inn: '7700000000',
						account: '40702810000000000001',
						// Identifies the execution to the bank. Not part of the payments.
						signedBody: "={{ 'visit ' + $execution.id }}",
						maxPayments: '={{ $json.maxPayments }}',
						timeout: '={{ $json.timeout }}',
						logToDataTable: logName,
					},
				},
				demoReferences.signedElsewhere,
			),
		]),
	),
);

/** A workflow that records the bank's answer and returns the result of *Resolve*. */
const resolvingAs = (bankAnswer: 'has' | 'hasNot'): WorkflowFile => {
	const id = `chaosResolve-${bankAnswer}`;
	return workflowOf(
		id,
		`Chaos ${id}`,
		chain([
			webhook(id, { responseMode: 'lastNode', responseData: 'allEntries' }),
			rows,
			bank('Resolve', {
				operation: 'resolve',
				payment: '={{ $json.payment }}',
				bankAnswer,
				options: { logToDataTable: logName },
			}),
		]),
	);
};

export const resolving = { has: resolvingAs('has'), hasNot: resolvingAs('hasNot') };
