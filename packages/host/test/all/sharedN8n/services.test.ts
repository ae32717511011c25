import { type NodeName, type Operation, operationName, type OperationInput, resources } from '@bank/core';
import type { INodeParameters } from 'n8n-workflow';

import { casesOf } from '../../../../fixtures/src/samples.ts';
import { demoReferences } from '../../../src/demoCredentials.ts';
import type { WorkflowNode } from '../../../src/n8nCli.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

/**
 * Every operation of the partner services as a workflow in a real n8n, filled in like a user would, with the sandbox bank: with the
 * gateway's secret on the plain port, and over mutual TLS if the service supports it.
 */

interface Sample {
	name: string;
	input: OperationInput;
	request: { method: string; path: string };
}

const cases = resources
	.filter(({ node }) => node !== 'bank')
	.flatMap(({ node, value, operations }) =>
		operations.flatMap((operation) =>
			casesOf<Sample>(operation.id).flatMap((sample) =>
				waysOf(node, operation).map((way) => ({ node, resource: value, operation, sample, way })),
			),
		),
	);

/**
 * Unified checks accept only certificates (5.6) and the card nodes only the gateway's secret (5.7); for the others both are tested.
 */
function waysOf(node: NodeName, operation: Operation): ('gateway' | 'mutualTls')[] {
	if (operation.auth === 'mutualTls') return ['mutualTls'];
	return node === 'bankCardIssuance' ? ['gateway'] : ['gateway', 'mutualTls'];
}

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

beforeEach(() => bed.sandbox.reset());

/** Form values for the sample, whose paths differ from those of the credential. */
function parametersOf(operation: Operation, { input, request }: Sample): INodeParameters {
	const {
		path: inPath = {},
		body,
		unnamedFields = {},
		payload,
		files = [],
		filesAs = 'multipart',
		accessToken,
	} = input;
	const values = Object.entries(unnamedFields);
	const [first, ...others] = files;
	const serviceDetails = {
		...(operation.method === undefined ? { method: request.method } : {}),
		...(operation.path === undefined ? { path: String(input.route) } : {}),
		...Object.fromEntries(values.map(([name, { field }]) => [`${name}Field`, String(field)])),
		...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
		...(first === undefined ? {} : { filesAs, ...(others.length === 0 ? { fileField: first.field } : {}) }),
		...(accessToken === undefined ? {} : { accessTokenAs: accessToken.as, carriedBy: String(accessToken.name ?? '') }),
	};
	const rows = files.map(({ field, document }) => ({
		binaryField: field,
		...(document === undefined ? {} : { document }),
	}));
	return {
		...inPath,
		...Object.fromEntries(values.map(([name, { value }]) => [name, value])),
		...(files.length === 0 ? {} : { files: { file: rows } }),
		...own(operation, input, body as Record<string, unknown> | undefined),
		serviceDetails,
	} as INodeParameters;
}

/** Parameters of hand-written forms. */
function own(
	{ id }: Operation,
	{ unnamedFields, accessToken }: OperationInput,
	body: Record<string, unknown> | undefined,
): Record<string, unknown> {
	if (id === 'unifiedCheck.run') {
		const {
			checks = [],
			idg,
			chklst,
			...additionalFields
		} = body as { checks: { checkName: string; isToCall: string }[]; [name: string]: unknown };
		const options = checks.length < 8 ? { otherChecks: 'leaveOut' } : {};
		return {
			checks: checks.filter(({ isToCall }) => isToCall === 'true').map(({ checkName }) => checkName),
			idg,
			chklst: String(chklst ?? '').split(','),
			additionalFields,
			options,
		};
	}
	if (id === 'directDebit.debit') {
		const purpose = String(unnamedFields?.purpose?.value);
		return {
			purpose,
			transactionId: /service Id: (\S+)/.exec(purpose)?.[1],
		};
	}
	return accessToken === undefined ? {} : { accessToken: accessToken.value };
}

/** The files of a sample as binary fields of the item. */
function filesNode(files: NonNullable<OperationInput['files']>): WorkflowNode {
	const binary = Object.fromEntries(
		files.map(({ field, fileName, mimeType, base64 }) => [field, { data: base64, mimeType, fileName }]),
	);
	return {
		name: 'Files',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return [{ json: {}, binary: ${JSON.stringify(binary)} }];` },
	};
}

test.each(cases.map((one) => [`${one.operation.id} (${one.way}): ${one.sample.name}`, one] as const))(
	'%s',
	async (_name, { node, resource, operation, sample, way }) => {
		const files = sample.input.files ?? [];
		const authentication = node === 'bankCardIssuance' ? {} : { authenticateWith: way };
		const parameters = {
			resource,
			operation: operationName(operation),
			...authentication,
			...parametersOf(operation, sample),
			// All samples have the same transaction ID, which the log would recognize as already sent.
			...(operation.id === 'directDebit.debit' ? { options: { logToDataTable: '' } } : {}),
		};
		if ('accessToken' in parameters)
			parameters.accessToken = (
				await bed.sandbox.issueTokens({ clientId: bed.sandbox.clients.authorizationCode.clientId })
			).access_token;
		const before = files.length === 0 ? [] : [filesNode(files)];
		const bank = {
			name: 'Bank',
			type: `n8n-nodes-bank.${node}`,
			typeVersion: 1,
			parameters,
			credentials: demoReferences[way],
		};
		const { id: workflowId } = await bed.rest.createWorkflow(afterAClick(`Sample ${operation.id}`, [...before, bank]));

		const execution = await bed.rest.runToEnd(workflowId);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(await bed.sandbox.validationErrors()).toEqual([]);
		const call = (await bed.sandbox.calls()).find((candidate) => candidate.operation === operation.id);
		expect(call).toMatchObject({ method: sample.request.method, path: sample.request.path });
	},
);

const { inbound: _inbound, signature: _signature, ...outgoing } = demoReferences;

test.each(Object.entries(outgoing))(
	'a service whose authentication is not shown takes %s',
	async (authentication, credentials) => {
		const parameters = {
			authenticateWith: authentication,
			resource: 'trip',
			operation: 'send',
			bodyFields: { mappingMode: 'defineBelow', value: { 'trip.from': 'A', 'trip.to': 'B', 'trip.date': '' } },
		};
		const node = { name: 'Bank', type: 'n8n-nodes-bank.bankPartnerServices', typeVersion: 1, parameters, credentials };
		const { id: workflowId } = await bed.rest.createWorkflow(afterAClick(`Trip by ${authentication}`, [node]));
		const execution = await bed.rest.runToEnd(workflowId);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		const call = (await bed.sandbox.calls()).find(({ operation }) => operation === 'trip.send');
		expect(call).toMatchObject({ status: 200, body: { trip: { from: 'A', to: 'B' } } });
		expect(call?.certificate).toBe(
			authentication === 'hostToHost' || authentication === 'mutualTls' ? 'registered' : undefined,
		);
	},
);
