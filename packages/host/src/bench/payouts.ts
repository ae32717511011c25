import { randomBytes } from 'node:crypto';

import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowNode } from '../n8nCli.ts';
import { afterAClick } from '../workflows.ts';
import type { Workflow } from './workflows.ts';

/** What it costs that nobody is paid twice: a package through the Bank node, and the same package sent without a claim. */

const credentials = demoReferences.clientCredentials;
const sender = { inn: '7700000000', account: '40702810000000000001' };
const recipients = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		amount: 10.5,
		phone: `+7900${String(index).padStart(7, '0')}`,
		nspkBankId: '100000000111',
		paymentDescription: 'Reward',
		ric: 1,
		sequence: `payout-${index + 1}`,
	}));

const items = (rows: object[]) => rows.map((json) => ({ json }));

/** Each time another payout, as it is in life: nothing of it was sent before. */
export function claimedPackage(count: number): Workflow {
	const columns = Object.keys(recipients(1)[0] ?? {});
	const node: WorkflowNode = {
		name: 'Bank',
		type: 'n8n-nodes-bank.bank',
		typeVersion: 1,
		credentials,
		parameters: {
			resource: 'payment',
			operation: 'sendPackage',
			paymentRun: randomBytes(8).toString('hex'),
			partnerId: '1001',
			...sender,
			...Object.fromEntries(columns.map((name) => [name, `={{ $json.${name} }}`])),
			signedBody: 'sandbox-signature',
			options: {},
		},
	};
	return { file: afterAClick(`Payout to ${count}`, [node], items(recipients(count))), measured: ['Bank'], rows: count };
}

/** As a user without the Bank node would send it: the body is given whole, and remembered by nobody. */
export function unclaimedPackage(count: number, baseUrl: string): Workflow {
	const payments = recipients(count);
	const client = { partnerId: 1001 };
	const body = { client, ...sender, total: 10.5 * count, payments, signedBody: 'sandbox-signature' };
	const nodes: WorkflowNode[] = [
		{
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			credentials,
			parameters: {
				method: 'POST',
				url: `${baseUrl}/api/b2cpay/jp/v1/payments`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: Object.keys(credentials)[0],
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ $json }}',
				options: {},
			},
		},
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'payments', options: {} },
		},
	];
	const measured = nodes.map(({ name }) => name);
	return { file: afterAClick(`Unclaimed payout to ${count}`, nodes, items([body])), measured, rows: count };
}
