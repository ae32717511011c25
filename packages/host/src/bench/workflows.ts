import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowFile, WorkflowNode } from '../n8nCli.ts';
import { afterAClick } from '../workflows.ts';

export interface Workflow {
	file: WorkflowFile;
	/** The nodes whose time counts; the last one brings the rows. */
	measured: string[];
	rows: number;
}

const credentials = demoReferences.authorizationCode;

/** The whole history through the Bank node. Raw, because that is what the HTTP Request node gives. */
export function operationListing({
	concurrency,
	pageSize,
	rows,
}: {
	concurrency: number;
	pageSize: number;
	rows: number;
}): Workflow {
	return workflow(`Operations, concurrency ${concurrency}`, rows, [
		bankNode({
			resource: 'accountOperation',
			operation: 'getMany',
			returnAll: true,
			output: 'raw',
			options: { concurrency, pageSize },
		}),
	]);
}

/** The same history as a user without the Bank node would read it: pages by offset until one is empty, then one item per row. */
export function httpRequestListing({
	baseUrl,
	pageSize,
	rows,
}: {
	baseUrl: string;
	pageSize: number;
	rows: number;
}): Workflow {
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
	return workflow('Operations, HTTP Request', rows, [
		node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.2, {
			url: `${baseUrl}/api/pp/v1/operations`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: Object.keys(credentials)[0],
			options: { pagination: { pagination } },
		}),
		node('Split Out', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'operations', options: {} }),
	]);
}

/** One request for each of many input items. */
export function cardLimits({
	concurrency,
	items,
	rows,
}: {
	concurrency: number;
	items: number;
	rows: number;
}): Workflow {
	const parameters = {
		resource: 'cardLimit',
		operation: 'getMany',
		cardId: '={{ $json.cardId }}',
		returnAll: true,
		options: { concurrency },
	};
	const input = Array.from({ length: items }, () => ({ json: { cardId: 'card-0001' } }));
	return workflow(`Card limits, concurrency ${concurrency}`, rows, [bankNode(parameters)], input);
}

function bankNode(parameters: WorkflowNode['parameters']): WorkflowNode {
	return node('Bank', 'n8n-nodes-bank.bank', 1, parameters);
}

function node(name: string, type: string, typeVersion: number, parameters: WorkflowNode['parameters']): WorkflowNode {
	return { name, type, typeVersion, parameters, ...(type.endsWith('.splitOut') ? {} : { credentials }) };
}

function workflow(name: string, rows: number, nodes: WorkflowNode[], input?: object[]): Workflow {
	return { file: afterAClick(name, nodes, input), measured: nodes.map((each) => each.name), rows };
}
