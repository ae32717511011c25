import { randomBytes } from 'node:crypto';

import type { WorkflowFile, WorkflowNode } from '../n8nCli.ts';
import { afterAClick } from '../workflows.ts';
import { claimNode, inlineWorkflow } from '../../../n8n-nodes-bank/nodes/shared/idempotency/inlineWorkflow.ts';

/** Value of a node's `credentials` that refers to a credential of the benchmark. */
const reference = (id: string) => ({ id, name: id });

export const references = {
	hostToHost: { bankHostToHostOAuth2Api: reference('benchHostToHost') },
	mutualTls: { bankHostToHostOAuth2Api: reference('benchHostToHostTls') },
	authorizationCode: { bankAuthorizationCodeOAuth2Api: reference('benchAuthorizationCode') },
	clientCredentials: { bankClientCredentialsOAuth2Api: reference('benchClientCredentials') },
	/** n8n's own credential types, for the HTTP Request node. */
	oAuth2: { oAuth2Api: reference('benchOAuth2') },
	certificate: { httpSslAuth: reference('benchCertificate') },
} as const;

export interface Workflow {
	file: WorkflowFile;
	/** Names of the measured nodes; the last one returns the rows. */
	measured: string[];
	rows: number;
}

type Credentials = NonNullable<WorkflowNode['credentials']>;
type Parameters = WorkflowNode['parameters'];

const items = (rows: readonly object[]) => rows.map((json) => ({ json }));

function workflow(name: string, rows: number, nodes: WorkflowNode[], input?: readonly object[]): Workflow {
	const file = afterAClick(name, nodes, input === undefined ? undefined : items(input));
	return { file, measured: nodes.map((node) => node.name), rows };
}

const bankNode = (parameters: Parameters, credentials: Credentials): WorkflowNode => ({
	name: 'Bank',
	type: 'n8n-nodes-bank.bank',
	typeVersion: 1,
	parameters,
	credentials,
});

const httpRequest = (parameters: Parameters, more: Credentials = {}): WorkflowNode => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api', options: {}, ...parameters },
	credentials: { ...references.oAuth2, ...more },
});

const splitOut = (fieldToSplitOut: string): WorkflowNode => ({
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut, options: {} },
});

// ---- reading

const cardIds = (count: number) => Array.from({ length: count }, (_, index) => ({ cardId: `card-${index}` }));

export type Flow = 'hostToHost' | 'mutualTls' | 'authorizationCode';

/** One request for each of many cards. */
export function cardLimits(flow: Flow, cards: number, concurrency?: number): Workflow {
	const parameters = {
		flow: flow === 'authorizationCode' ? 'authorizationCode' : 'hostToHost',
		resource: 'cardLimit',
		operation: 'getMany',
		cardId: '={{ $json.cardId }}',
		returnAll: true,
		output: 'raw',
		options: concurrency === undefined ? {} : { concurrency },
	};
	return workflow(`Limits, ${flow}`, cards, [bankNode(parameters, references[flow])], cardIds(cards));
}

export function cardLimitsByHttpRequest(baseUrl: string, cards: number, isSecured: boolean): Workflow {
	const parameters = {
		url: `=${baseUrl}/api/pp/v1/cards/{{ $json.cardId }}/user-limits`,
		...(isSecured ? { provideSslCertificates: true } : {}),
	};
	const node = httpRequest(parameters, isSecured ? references.certificate : {});
	return workflow('Limits, HTTP Request', cards, [node], cardIds(cards));
}

/** Reads the whole history. Output is raw, because the HTTP Request node returns raw rows too. */
export function operations(rows: number, pageSize: number): Workflow {
	const parameters = {
		flow: 'hostToHost',
		resource: 'accountOperation',
		operation: 'getMany',
		returnAll: true,
		output: 'raw',
		options: { pageSize },
	};
	return workflow('Operations', rows, [bankNode(parameters, references.hostToHost)]);
}

/** Reads the whole history without the Bank node: pages by offset until a page is empty, then one item per row. */
export function operationsByHttpRequest(baseUrl: string, rows: number, pageSize: number): Workflow {
	const parameters = [
		{ type: 'qs', name: 'limit', value: String(pageSize) },
		{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${pageSize} }}` },
	];
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.operations.length === 0 }}',
		limitPagesFetched: false,
		requestInterval: 0,
	};
	const node = httpRequest({ url: `${baseUrl}/api/pp/v1/operations`, options: { pagination: { pagination } } });
	return workflow('Operations, HTTP Request', rows, [node, splitOut('operations')]);
}

// ---- paying

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

const columns = Object.keys(recipients(1)[0] ?? {});
const mapped = Object.fromEntries(columns.map((name) => [name, `={{ $json.${name} }}`]));

/** A different payout each time, so that none of its payments was sent before. */
function sendPackage(name: string, count: number, more: Parameters, input: readonly object[]): Workflow {
	const parameters = {
		resource: 'payment',
		operation: 'sendPackage',
		paymentRun: randomBytes(8).toString('hex'),
		...more,
		options: { partnerId: '1001', ...sender, signedBody: 'bench-signature' },
	};
	return workflow(name, count, [bankNode(parameters, references.clientCredentials)], input);
}

export const mappedPackage = (count: number) =>
	sendPackage('Payout from items', count, { recipientsFrom: 'items', ...mapped }, recipients(count));

export const listedPackage = (count: number) =>
	sendPackage('Payout from a list', count, { recipientsFrom: 'list', payments: '={{ $json.payments }}' }, [
		{ payments: recipients(count) },
	]);

const bodyOf = (payments: ReturnType<typeof recipients>) => ({
	client: { partnerId: 1001 },
	...sender,
	total: Math.round(payments.length * 1050) / 100,
	payments,
	signedBody: 'bench-signature',
});

const sending = (baseUrl: string) =>
	httpRequest({
		method: 'POST',
		url: `${baseUrl}/api/b2cpay/jp/v1/payments`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ $json }}',
	});

/** Makes single payments without the Bank node: one request per recipient. */
export function singlePayments(baseUrl: string, count: number): Workflow {
	const bodies = recipients(count).map((recipient) => bodyOf([recipient]));
	return workflow('Payments by HTTP Request', count, [sending(baseUrl)], bodies);
}

// ---- events

/** Events that no run has seen. */
export function skipRepeats(count: number): Workflow {
	const events = Array.from({ length: count }, () => ({ eventId: randomBytes(12).toString('hex') }));
	return workflow('Skip repeats', count, [bankNode({ resource: 'event', operation: 'skipRepeats' }, {})], events);
}

/**
 * Inserts new keys with n8n's own nodes, each in a row of its own: a Remove Duplicates node per key, in a workflow that
 * is not stored.
 */
export function newKeys(count: number): Workflow {
	const nodes = Array.from({ length: count }, (_, index) => claimNode(randomBytes(12).toString('hex'), `Key ${index}`));
	const keys = JSON.stringify(inlineWorkflow('', 'Keys', nodes));
	const caller = {
		name: 'Execute Workflow',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'parameter',
			// An expression ends at two closing braces.
			workflowJson: `={{ JSON.stringify({ ...${keys.replaceAll('}', '} ')}, id: $workflow.id }) }}`,
			workflowInputs: { mappingMode: 'defineBelow', value: {} },
			mode: 'once',
			options: {},
		},
	};
	return workflow('Keys', 1, [caller], [{}]);
}

// ---- n8n's own Data Table node

const dataTable = (table: string, parameters: Parameters): WorkflowNode => ({
	name: 'Data Table',
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1.1,
	parameters: { resource: 'row', dataTableId: { __rl: true, mode: 'name', value: table }, ...parameters },
	// A read that finds nothing returns an empty item.
	alwaysOutputData: true,
});

/** Returns one item. */
export function insertRows(table: string, rows: readonly object[]): Workflow {
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const node = dataTable(table, { operation: 'insert', columns, options: { optimizeBulk: true } });
	return workflow('Insert rows', 1, [node], rows);
}

/** Reads rows of a value that no row has. */
export function readRows(table: string, keyName: string, keyValue: string): Workflow {
	const conditions = [{ keyName, condition: 'eq', keyValue }];
	const node = dataTable(table, { operation: 'get', filters: { conditions }, returnAll: true });
	return workflow('Read rows', 1, [node]);
}
