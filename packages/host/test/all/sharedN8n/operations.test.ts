import { restOperations } from '@bank/core';
import type { INodeParameters } from 'n8n-workflow';

import { oracleOf, requiredIn } from '../../../../fixtures/src/oracle.ts';
import { casesOf } from '../../../../fixtures/src/samples.ts';
import { demoReferences, ownCertificate } from '../../../src/demoCredentials.ts';
import type { WorkflowNode } from '../../../src/n8nCli.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

/**
 * Every sample of P1 to P11 as a workflow in a real n8n, with the sandbox bank, which must receive the request of the sample on the port
 * that requires a client certificate, for tokens and calls. Examples use the plain port.
 */

interface Input {
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body?: Record<string, unknown>;
}

interface Sample {
	id: string;
	name: string;
	input: Input;
	request: { method: string; path: string; query: [string, string][]; body?: Record<string, unknown> };
}

const samples: Sample[] = restOperations.flatMap(({ id }) =>
	casesOf<Omit<Sample, 'id'>>(id).map((sample) => ({ ...sample, id })),
);

let bed: Bed;
let clientCredentials: NonNullable<WorkflowNode['credentials']>;

beforeAll(async () => {
	bed = await openBed();
	const { tls, clients } = bed.sandbox;
	const type = 'bankClientCredentialsOAuth2Api';
	const { id, name } = await bed.rest.createCredential({
		name: 'client credentials over mutual TLS',
		type,
		data: {
			environment: 'sandbox',
			sandboxBaseUrl: tls.baseUrl,
			accessTokenUrl: tls.tokenUrl,
			clientId: clients.clientCredentials.clientId,
			clientSecret: clients.clientCredentials.clientSecret,
			useCertificate: true,
			...ownCertificate(tls),
		},
	});
	clientCredentials = { [type]: { id, name } };
});

beforeEach(() => bed.sandbox.reset());

interface LoanApplication {
	dealId: string;
	borrower: Record<string, { legalInfo: { inn: string; contactPhone?: string } }>;
	partner: object;
}

function loanParameters({ dealId, borrower, partner }: LoanApplication): INodeParameters {
	const [[borrowerType, { legalInfo }] = ['none', { legalInfo: undefined }]] = Object.entries(borrower);
	const { inn = '', ...additionalFields } = legalInfo ?? {};
	return { dealId, borrowerType, inn, partner: JSON.stringify(partner), additionalFields };
}

/** Each sample is a separate payout, because two of them may pay the same person. */
let payouts = 0;

/** The form as a person fills it in to send the sample. */
function parametersOf({ id, input }: Sample): INodeParameters {
	const { path: inPath, query, body = {} } = input;
	const split = (fields: Record<string, unknown>, names: string[]) => ({
		alone: Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))),
		collected: Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
	});
	switch (id) {
		case 'payment.sendPackage': {
			const { client, payments, signedBody, inn, account, ...additionalFields } = body as {
				client: Record<string, unknown>;
				[name: string]: unknown;
			};
			const { partnerId, b2cClientId } = client;
			return {
				paymentRun: `sample ${++payouts}`,
				recipientsFrom: 'list',
				payments: JSON.stringify(payments),
				senderFrom: 'fields',
				partnerId,
				inn,
				account,
				signature: 'given',
				signedBody,
				additionalFields: { ...additionalFields, ...(b2cClientId === undefined ? {} : { b2cClientId }) },
			} as INodeParameters;
		}
		case 'loanApplication.create':
			return loanParameters(body as unknown as LoanApplication);
		case 'webhook.update': {
			const { object, data, ...additionalFields } = body as {
				object: string;
				data?: { accounts: string[] };
				[name: string]: unknown;
			};
			const accounts =
				data === undefined
					? {}
					: data.accounts.length === 0
						? { accountsMode: 'all' }
						: { accountsMode: 'listed', accounts: data.accounts };
			return { ...inPath, object, ...accounts, additionalFields } as INodeParameters;
		}
		case 'accountOperation.getMany': {
			const { offset = 0, limit = 50, ...filters } = query;
			return { filters, limit, options: { offset } } as INodeParameters;
		}
		default: {
			const described = oracleOf(id);
			const inQuery = split(query, [...requiredIn(described.query)]);
			const { alone, collected } = split(body, [...requiredIn(described.body)]);
			return {
				...inPath,
				...inQuery.alone,
				filters: inQuery.collected,
				...alone,
				additionalFields: collected,
			} as INodeParameters;
		}
	}
}

/** Replaces the host of `callbackUri` by that of this n8n, because only its path may change. */
function atThisHost(sample: Sample): Sample {
	const text = JSON.stringify(sample).replace(/https?:\/\/[^/"]+(\/webhook\/)/g, `${bed.n8nUrl}$1`);
	return JSON.parse(text) as Sample;
}

/** The form has one borrower; a sample with all fields has both kinds. */
function withOneBorrower(sample: Sample): Sample {
	const one = (body: Sample['request']['body']) => {
		const { legal, individual } = (body?.borrower ?? {}) as Record<string, unknown>;
		return legal === undefined || individual === undefined ? body : { ...body, borrower: { legal } };
	};
	const { input, request } = sample;
	const [asked, sent] = [one(input.body), one(request.body)];
	return {
		...sample,
		input: { ...input, ...(asked === undefined ? {} : { body: asked }) },
		request: { ...request, ...(sent === undefined ? {} : { body: sent }) },
	};
}

test.each(samples.map(withOneBorrower))('$id: $name', async (given) => {
	const sample = atThisHost(given);
	const { id, request } = sample;
	const [resource = '', operation = ''] = id.split('.');
	const node = {
		name: 'Bank',
		type: 'n8n-nodes-bank.bank',
		typeVersion: 1,
		parameters: { resource, operation, flow: 'hostToHost', ...parametersOf(sample) },
		credentials: oracleOf(id).auth === 'clientCredentials' ? clientCredentials : demoReferences.hostToHost,
	};
	const { id: workflowId } = await bed.rest.createWorkflow(afterAClick(`Sample ${id}`, [node]));
	const execution = await bed.rest.runToEnd(workflowId);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');

	expect(await bed.sandbox.validationErrors()).toEqual([]);
	const calls = await bed.sandbox.calls();
	const call = calls.find((candidate) => candidate.operation === id);
	expect(call).toMatchObject({ method: request.method, path: request.path });
	expect(call?.query).toEqual(expect.arrayContaining(request.query));
	expect(call?.body).toEqual(request.body);
	expect(calls.map(({ certificate }) => certificate)).toEqual(calls.map(() => 'registered'));
});
