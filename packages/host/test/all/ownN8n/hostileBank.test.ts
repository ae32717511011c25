import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { demoReferences } from '../../../src/demoCredentials.ts';
import type { WorkflowNode } from '../../../src/n8nCli.ts';
import { pollUntil } from '../../../src/poll.ts';
import { startTestbed, type Testbed } from '../../../src/testbed.ts';
import { afterAClick, inARow } from '../../../src/workflows.ts';
import { operationsTrigger } from '../../support/triggerBed.ts';

/** The bank may be broken, or in other hands: no response may end n8n, or keep it from answering others. */

const { hostToHost, authorizationCode } = demoReferences;
const { bankHostToHostOAuth2Api: usual } = hostToHost;
/** Any other ID. */
const withEndlessToken = { id: authorizationCode.bankAuthorizationCodeOAuth2Api.id, name: 'endless token' };

const getMany = (credential: { id: string; name: string }): WorkflowNode => ({
	name: 'Bank',
	type: 'n8n-nodes-bank.bank',
	typeVersion: 1,
	parameters: {
		...{ flow: 'hostToHost', resource: 'accountOperation', operation: 'getMany', returnAll: true, output: 'raw' },
		options: { pageSize: 1000 },
	},
	credentials: { bankHostToHostOAuth2Api: credential },
});

/** Every two seconds. n8n refuses one interval that is shorter than a minute. */
const pollTimes = {
	item: Array.from({ length: 30 }, (_, at) => ({ mode: 'custom', cronExpression: `${2 * at} * * * * *` })),
};
const trigger: WorkflowNode = {
	...operationsTrigger(),
	parameters: { flow: 'hostToHost', pollTimes },
	credentials: hostToHost,
};

let bank: Worker;
let url: string;
let bed: Testbed;
/** Workflows with Get Many. */
const usualReader = afterAClick('Read', [getMany(usual)]);
const readerWithEndlessToken = afterAClick('Read with an endless token', [getMany(withEndlessToken)]);

const ask = async (path: string): Promise<string> => await (await fetch(`${url}${path}`)).text();

/** The error of Get Many, or `success`. */
async function read(id: string): Promise<string> {
	const run = await bed.rest.runWorkflow(id);
	await pollUntil(
		async () => (await bed.rest.executions({ status: ['success', 'error'], workflowId: id }, 1)).results[0]?.id === run,
		{
			what: `The end of execution ${run}`,
		},
	);
	const { status, data } = await bed.rest.getExecution(run);
	const error: { message?: string; description?: string | null } = data.resultData.error ?? {};
	return status === 'success' ? status : `${error.message} ${error.description}`;
}

beforeAll(async () => {
	bank = new Worker(new URL('../../support/hostileBankWorker.ts', import.meta.url));
	const [port] = (await once(bank, 'message')) as [number];
	url = `http://127.0.0.1:${port}`;
	const own = { environment: 'sandbox', sandboxBaseUrl: url, clientId: 'a', clientSecret: 'secret of the test' };
	const credential = ({ id, name }: { id: string; name: string }, path: string) => ({
		...{ id, name, type: 'bankHostToHostOAuth2Api' },
		data: { ...own, accessTokenUrl: url + path, beginWith: 'refreshToken', refreshToken: 'first refresh token' },
	});
	bed = await startTestbed({
		workflows: [usualReader, readerWithEndlessToken],
		credentials: [credential(usual, '/token'), credential(withEndlessToken, '/endless-token')],
		env: { NODE_OPTIONS: '--max-old-space-size=512' },
	});
	const polling = inARow('Poll', [trigger]);
	await bed.rest.createWorkflow(polling);
	expect(await bed.rest.activateToEnd(polling.id)).toEqual({ active: true, message: '' });
});

afterAll(async () => {
	await bed?.stop();
	await bank?.terminate();
});

afterEach(async () => {
	expect((await fetch(`${bed.n8n.url}/healthz`)).status).toBe(200);
	expect(await Promise.race([bed.n8n.exit, Promise.resolve('running')])).toBe('running');
});

test('a token endpoint that sends a body without end', async () => {
	expect(await read(readerWithEndlessToken.id)).toContain('no access token could be obtained');
});

test.each([
	['sends a body without end', 'the response is too large'],
	['sends an error without end', 'the response is too large'],
	['sends 200 MB in 900 kB', 'the response is too large'],
	['sends a header of 5 MB', 'Header overflow'],
	['nests 5 million lists', 'more than 200 levels'],
	['sends 5 million empty objects', 'more than 500000 values'],
	['sends 7 million numbers', 'more than 500000 values'],
	['sends 800,000 long numbers', 'more than 500000 values'],
	['sends an object with 900,000 fields', 'more than 500000 values'],
	['has rows with many values without end', 'the list is larger than 128 MB'],
	['has Cyrillic rows of 10 kB without end', 'the list is larger than 128 MB'],
	['has small rows without end', 'the list is larger than 100000 rows'],
	['has other rows at each request', 'the list changed each of the 3 times that it was read'],
	['repeats its first page without end', 'success'],
	['honest', 'success'],
])('a bank that is or %s', async (name, end) => {
	await ask(`/become?name=${encodeURIComponent(name)}`);
	expect(await read(usualReader.id)).toContain(end);
	await pollUntil(async () => Number(await ask('/polls')) > 0, { what: 'A poll' });
});
