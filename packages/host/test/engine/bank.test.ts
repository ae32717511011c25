/** The Bank node in n8n's own engine with a faulty bank: how n8n handles every error, and which requests the bank received. */
import path from 'node:path';

import { type Effect, operationById } from '@bank/core';
import type { INodeExecutionData } from 'n8n-workflow';

import { createEngine, type Engine, n8nIsInstalled, type NodeRunOptions, type RunResult } from '../../src/engine.ts';
import { BankServer, json, paymentParameters, type Reply, succeed, text } from './bankServer.ts';

const packageDir = path.resolve(__dirname, '../../../n8n-nodes-bank');
const client = 'bankClientCredentialsOAuth2Api';
const user = 'bankAuthorizationCodeOAuth2Api';
const modes = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
type Mode = (typeof modes)[number];
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const dealId = '123e4567-e89b-42d3-a456-426614174000';

/** Effects of operations that send requests. */
type Asking = Exclude<Effect, 'none'>;

/** One operation of each effect; the bank identifies cases by `$json.key`. */
const operations = {
	read: { id: 'taxpayerAccount.get', parameters: { requestId: '={{ $json.key }}' } },
	order: {
		id: 'statement.orderAccount',
		parameters: { dateBegin: '2026-01-01', dateEnd: '2026-01-31', accountIds: ['={{ $json.key }}'] },
	},
	change: {
		id: 'loanApplication.create',
		parameters: { dealId, inn: '7700000000', partner: '{}', additionalFields: { contactPhone: '={{ $json.key }}' } },
	},
	delete: { id: 'cardLimit.delete', parameters: { cardId: '={{ $json.key }}', limitId: '1' } },
	money: {
		id: 'payment.sendPackage',
		parameters: {
			...paymentParameters,
			paymentDescription: '={{ $json.key }}',
			sequence: '={{ $json.key }}',
			options: { ...paymentParameters.options, packagePerItem: true },
		},
	},
} satisfies Record<Asking, { id: string; parameters: object }>;
const effects = Object.keys(operations) as Asking[];

interface Details {
	operation: string;
	code?: string;
	httpStatus?: number;
	message: string;
	description: string;
	outcome: string;
	retryable: boolean;
}

(n8nIsInstalled() ? describe : describe.skip)('the Bank node in n8n', () => {
	let bank: BankServer;
	let engine: Engine;
	let nobody: Engine;
	const stored = (origin: string) => ({
		[client]: {
			environment: 'sandbox',
			sandboxBaseUrl: origin,
			accessTokenUrl: `${origin}/token`,
			clientId: 'id',
			clientSecret: 'secret-client',
			bankScopes: ['b2c_sbp_payments', 'loan-applications'],
			signature: 'given',
		},
		[user]: {
			environment: 'sandbox',
			sandboxBaseUrl: origin,
			authUrl: `${origin}/authorize`,
			accessTokenUrl: `${origin}/token`,
			clientId: 'id',
			clientSecret: 'secret-client',
			bankScopes: ['limits-control'],
			oauthTokenData: { access_token: bank.issue(), refresh_token: 'secret-refresh-0', token_type: 'Bearer' },
		},
	});

	/** The last deadline of each length. Only the bank ends deadlines, so that no test depends on the speed of the machine. */
	const deadlines = new Map<number, AbortController>();

	beforeAll(async () => {
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			const deadline = new AbortController();
			deadlines.set(milliseconds, deadline);
			return deadline.signal;
		});
		bank = await new BankServer().ready();
		engine = await createEngine({ packageDir, credentials: stored(bank.origin) });
		const refused = stored('http://127.0.0.1:1');
		refused[client].accessTokenUrl = `${bank.origin}/token`;
		nobody = await createEngine({ packageDir, credentials: refused });
	});
	afterAll(async () => {
		jest.restoreAllMocks();
		await bank?.close();
		await engine?.close();
		await nobody?.close();
	});
	afterEach(() => expect(bank.problems.splice(0)).toEqual([]));

	const optionsOf = (
		effect: Asking,
		keys: string[],
		more: Partial<NodeRunOptions> = {},
		limits: { timeout?: number; concurrency?: number } = {},
	): NodeRunOptions => {
		const { id, parameters } = operations[effect];
		const [resource, operation] = id.split('.');
		const options = { ...(parameters as { options?: object }).options, ...limits };
		return {
			type: 'n8n-nodes-bank.bank',
			items: keys.map((key, index) => ({ key, index, other: { deep: [index] } })),
			...more,
			parameters: { resource, operation, ...parameters, options, ...more.parameters } as NodeRunOptions['parameters'],
		};
	};
	const runWith = (effect: Asking, keys: string[], more: Partial<NodeRunOptions> = {}) =>
		engine.run(optionsOf(effect, keys, more));
	let cases = 0;
	const newCase = (name = 'x') => `case-${name}-${++cases}`;
	const jsonOf = (items: INodeExecutionData[]) => items.map((item) => item.json);
	const detailsOf = (item: INodeExecutionData | undefined) => item?.json['details'] as unknown as Details;
	const detailsOfError = ({ error }: RunResult) =>
		(error as unknown as { context: { details: Details } }).context.details;
	/** The failure of the first item. */
	const failureIn = (result: RunResult, mode: Mode) =>
		mode === 'stopWorkflow'
			? detailsOfError(result)
			: detailsOf(result.outputs[mode === 'continueErrorOutput' ? 1 : 0][0]);
	const descriptionOf = ({ error }: RunResult) => (error as unknown as { description: string }).description;

	// --- the matrix: every failure, for every effect, in every mode

	interface Fault {
		reply?: Reply;
		/** Part of the expected message. */
		message: RegExp;
		code?: string | RegExp;
		status?: number;
		/** Expected outcome; reads have none. */
		outcome: 'rejected' | 'unknown' | 'notSent';
		/** Expected number of tries of a read. */
		tries?: number;
		/** Whether no server listens at the address. */
		refused?: boolean;
		timesOut?: boolean;
	}
	const blocked = 'Account 40702810999999999999 is blocked';
	const now = { 'retry-after': '0' };
	const page = '<html><head><title>Sign in</title></head><body>Gateway</body></html>';
	const common: Record<string, Fault> = {
		'an unlisted code': {
			reply: json(416, { error: 'teapot', error_description: blocked }, { 'x-request-id': 'trace-1' }),
			message: /the bank refused the request \(416 teapot\)/,
			code: 'teapot',
			status: 416,
			outcome: 'rejected',
		},
		'an answer cut off': {
			reply: (response) =>
				void response
					.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
					.write('{"status":', () => response.destroy()),
			message: /truncated|broke before/,
			code: /^E/,
			outcome: 'unknown',
			tries: 3,
		},
		'a broken encoding': {
			reply: text(200, 'this is not gzip', { 'content-encoding': 'gzip', ...now }),
			message: /the connection failed before there was a response/,
			code: 'Z_DATA_ERROR',
			outcome: 'unknown',
		},
		'no HTTP at all': {
			reply: (response) => void response.socket?.end('nonsense\r\n\r\n'),
			message: /the connection failed before there was a response/,
			code: /^HPE_/,
			outcome: 'unknown',
		},
		'a reset': {
			reply: (response) => void response.socket?.resetAndDestroy(),
			message: /connection broke before the response/,
			code: 'ECONNRESET',
			outcome: 'unknown',
			tries: 3,
		},
		'nobody listening': {
			refused: true,
			message: /the connection was refused/,
			code: 'ECONNREFUSED',
			outcome: 'notSent',
		},
		'no answer in time': {
			timesOut: true,
			message: /did not respond in time/,
			code: 'ECONNABORTED',
			outcome: 'unknown',
			tries: 3,
		},
		'a redirect': {
			reply: text(307, '', { location: '/api/stolen/case-stolen' }),
			message: /redirect/,
			status: 307,
			outcome: 'unknown',
		},
	};
	const matrix = effects.flatMap((effect) =>
		Object.entries(common).flatMap(([name, fault]) =>
			modes.map((mode) => [effect, name, mode, fault] as [Asking, string, Mode, Fault]),
		),
	);

	/** Lets the bank fail in a new case. Returns its keys, and options for its requests. */
	const failing = ({ reply, timesOut }: Fault) => {
		const [bad, good] = [newCase('bad'), newCase('good')];
		if (reply) bank.answer(bad, reply);
		if (!timesOut) return { bad, good, options: {} };
		const timeout = 100 + cases;
		bank.answer(bad, () => deadlines.get(timeout * 1000)?.abort());
		// One at a time, so that the last deadline belongs to the request that arrives.
		return { bad, good, options: { timeout, concurrency: 1 } };
	};

	describe('every failure', () => {
		const results = new Map<string, { bad: string; good: string; result: RunResult }>();
		const at = (effect: Asking, name: string, mode: Mode) => `${effect} ${name} ${mode}`;

		// In parallel, because reads wait between tries.
		beforeAll(async () => {
			await Promise.all(
				matrix.map(async ([effect, name, mode, fault]) => {
					const { bad, good, options } = failing(fault);
					const result = await (fault.refused ? nobody : engine).run(
						optionsOf(effect, [bad, good], { onError: mode }, options),
					);
					results.set(at(effect, name, mode), { bad, good, result });
				}),
			);
		});

		function resultAt(...place: Parameters<typeof at>) {
			const found = results.get(at(...place));
			if (found === undefined) throw new Error(`Nothing ran: ${at(...place)}`);
			return found;
		}

		it.each(matrix)('of a %s: %s, with %s', (effect, name, mode, fault) => {
			const { bad, good, result } = resultAt(effect, name, mode);
			const { id } = operations[effect];
			const outcome = effect === 'read' ? 'nothingChanged' : fault.outcome;
			const input = { key: bad, index: 0, other: { deep: [0] } };

			// Requests at the bank.
			const tries = effect === 'read' ? (fault.tries ?? 1) : 1;
			expect(bank.calls(bad)).toHaveLength(fault.refused ? 0 : tries);
			expect(bank.calls('case-stolen')).toEqual([]);
			if (!fault.refused && mode !== 'stopWorkflow') expect(bank.calls(good)).toHaveLength(1);
			if (effect !== 'read' && mode === 'stopWorkflow') expect(bank.calls(good)).toEqual([]);

			// Error and item outputs.
			const details = failureIn(result, mode);
			if (mode === 'stopWorkflow') {
				expect(result.status).toBe('error');
				expect(result.outputs).toEqual([[], []]);
				expect(result.error?.name).toBe('NodeApiError');
				expect(result.error?.message).toBe(details.message);
				expect(descriptionOf(result)).toContain(details.description);
				if (effect !== 'read')
					expect(descriptionOf(result)).toContain(
						effect === 'money' ? '0 of 2 accepted; ' : 'Of 2 requests, 0 were carried out before this one',
					);
			} else {
				expect(result.status).toBe('success');
				const [regular, failed] = result.outputs;
				const item = mode === 'continueErrorOutput' ? failed[0] : regular[0];
				const own = { error: details.message, message: details.description, details };
				expect(item?.json).toEqual(mode === 'continueErrorOutput' ? { ...input, ...own } : own);
				expect(item?.pairedItem).toEqual({ item: 0 });
				const others = fault.refused ? 0 : 1;
				expect([regular.length, failed.length]).toEqual(mode === 'continueErrorOutput' ? [others, 2 - others] : [2, 0]);
				if (!fault.refused)
					expect(regular.at(-1)).toMatchObject({
						json: expect.not.objectContaining({ error: expect.anything() }),
						pairedItem: { item: 1 },
					});
			}

			// Details of the error.
			expect(details).toMatchObject({ operation: id, outcome });
			expect(details.message).toMatch(new RegExp(`^${operationById(id).action}: `));
			expect(details.message).toMatch(fault.message);
			expect(details.httpStatus).toBe(fault.status);
			if (fault.code instanceof RegExp) expect(details.code).toMatch(fault.code);
			else if (fault.code !== undefined) expect(details.code).toBe(fault.code);
			expect(details.description).toMatch(/[A-Z].*\.$/s);
			const consequences = {
				nothingChanged: /./,
				rejected: effect === 'money' ? /no money moved/ : /Nothing changed at the bank/,
				unknown: effect === 'money' ? /The payments may have been made/ : /unknown whether/,
				notSent: /Nothing was sent/,
			};
			expect(details.description).toMatch(consequences[outcome]);
			if (outcome !== 'nothingChanged') expect(details.retryable).toBe(false);

			// Data that n8n stores.
			expect(result.stored).toContain(details.message);
			expect(result.stored).not.toMatch(/secret-(access|refresh|client)/);
			expect(result.stored).not.toContain('40702810999999999999');
		});

		it("gives the bank's request ID", () => {
			const { result } = resultAt('money', 'an unlisted code', 'continueErrorOutput');
			expect(detailsOf(result.outputs[1][0])).toMatchObject({ requestId: 'trace-1' });
			expect(detailsOf(result.outputs[1][0]).description).toContain('"Account ****9999 is blocked"');
		});
	});

	// --- Retry On Fail and "Retry execution"

	describe('Retry On Fail', () => {
		const failures = Object.entries(common).filter(([, { refused }]) => !refused);

		it.each(modes)('sends a payment once, and again only where the bank rejected it, with %s', async (onError) => {
			const runs = await Promise.all(
				failures.map(async ([name, fault]) => {
					const { bad, good, options } = failing(fault);
					const { outputs } = await engine.run(optionsOf('money', [bad, good], { onError, ...retryOnFail }, options));
					return [name, bank.calls(bad).length, bank.calls(good).length, outputs[0].length];
				}),
			);
			const passed = { stopWorkflow: 0, continueRegularOutput: 2, continueErrorOutput: 1 }[onError];
			// The second try skips payments that may have been made and sends the payments that the first try did not reach.
			expect(runs).toEqual(
				failures.map(([name, { outcome }]) =>
					outcome === 'rejected' ? [name, 3, onError === 'stopWorkflow' ? 0 : 1, passed] : [name, 1, 1, passed],
				),
			);
		});

		it.each(['order', 'change', 'delete'] as const)(
			'does not repeat what succeeded, and repeats what did not: %s',
			async (effect) => {
				const [good, bad, last] = [newCase('good'), newCase('bad'), newCase('last')];
				bank.answer(bad, json(403, { error: 'access_denied' }), text(429, ''), succeed);
				const { status, outputs } = await runWith(effect, [good, bad, last], retryOnFail);
				expect(status).toBe('success');
				expect([good, bad, last].map((key) => bank.calls(key).length)).toEqual([1, 3, 1]);
				expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
			},
		);

		it('repeats a read', async () => {
			const key = newCase();
			bank.answer(key, text(404, ''), text(403, ''), succeed);
			expect(jsonOf((await runWith('read', [key], retryOnFail)).outputs[0])).toEqual([{ status: `SUCCESS ${key}` }]);
			expect(bank.calls(key)).toHaveLength(3);
		});
	});

	describe('"Retry execution"', () => {
		it('sends rejected payments again, and returns the result of accepted ones', async () => {
			const [accepted, rejected, last] = [newCase('accepted'), newCase('rejected'), newCase('last')];
			bank.answer(rejected, json(400, { error: 'invalid_request', error_description: 'no money' }), succeed);
			const first = await runWith('money', [accepted, rejected, last]);
			expect(first.status).toBe('error');
			expect([accepted, rejected, last].map((key) => bank.calls(key).length)).toEqual([1, 1, 0]);
			const again = await first.retry();
			expect(again.status).toBe('success');
			expect([accepted, rejected, last].map((key) => bank.calls(key).length)).toEqual([1, 2, 1]);
			expect(again.outputs[0].map((item) => [item.json['transactionId'], item.pairedItem])).toEqual([
				[`tx-${accepted}-${accepted}`, { item: 0 }],
				[`tx-${rejected}-${rejected}`, { item: 1 }],
				[`tx-${last}-${last}`, { item: 2 }],
			]);
			expect(again.outputs[0].map(({ json: { outcome } }) => outcome)).toEqual([
				'alreadyAccepted',
				'accepted',
				'accepted',
			]);
		});

		it('never repeats a payment after an answer that never came', async () => {
			const [accepted, unclear] = [newCase('accepted'), newCase('unclear')];
			bank.answer(unclear, (response) => void response.socket?.resetAndDestroy(), succeed);
			const again = await (await (await runWith('money', [accepted, unclear])).retry()).retry();
			expect([accepted, unclear].map((key) => bank.calls(key).length)).toEqual([1, 1]);
			expect(again.status).toBe('error');
			expect(detailsOfError(again).outcome).toBe('unknown');
			expect(descriptionOf(again)).toContain(
				'1 of 2 accepted (1 earlier, not sent again): 10.10; 1 unknown. It was not sent again.',
			);
		});
	});

	// --- tokens

	describe('tokens', () => {
		/** n8n stores the token of one type; our credential stores that of the other. */
		const tokenOf = async (type: string) => {
			const { accessToken, oauthTokenData } = await engine.credential(type);
			return type === client ? { access_token: accessToken as string } : (oauthTokenData as { access_token: string });
		};
		const refusal401 = json(401, { error: 'invalid_token' });
		/** Runs an operation with a token that the bank rejects. */
		const runExpired = async (effect: Asking, type: string) => {
			const { access_token: old } = await tokenOf(type);
			const key = newCase();
			bank.answer(key, (response, seen, request) =>
				(seen.token === old ? refusal401 : succeed)(response, seen, request),
			);
			const result = await runWith(effect, [key]);
			const { access_token: renewed } = await tokenOf(type);
			expect(renewed).not.toBe(old);
			return { key, old, renewed, result };
		};
		const tokensOf = (key: string) => bank.calls(key).map(({ token }) => token);

		it.each([
			['read', user],
			['change', client],
			['order', user],
			['delete', user],
		] as const)('is refreshed for %s, which the bank rejected and which is sent once more', async (effect, type) => {
			const { key, old, renewed, result } = await runExpired(effect, type);
			expect(result.status).toBe('success');
			expect(result.stored).not.toMatch(/secret-/);
			expect(tokensOf(key)).toEqual([old, renewed]);
			expect(new Set(bank.calls(key).map(({ text: body }) => body)).size).toBe(1);
		});

		it.each(['change', 'order', 'delete'] as const)('that is new and rejected as well ends a %s', async (effect) => {
			const key = newCase();
			bank.answer(key, refusal401);
			const failed = await runWith(effect, [key]);
			expect(bank.calls(key)).toHaveLength(2);
			expect(detailsOfError(failed)).toMatchObject({ httpStatus: 401, code: 'invalid_token', outcome: 'rejected' });
			expect(descriptionOf(failed)).not.toContain('was not repeated');
		});

		it('is refreshed for a payment, which is not repeated; the next run uses the new one', async () => {
			const { key, old, renewed, result } = await runExpired('money', client);
			expect(tokensOf(key)).toEqual([old]);
			expect(detailsOfError(result)).toMatchObject({ httpStatus: 401, code: 'invalid_token', outcome: 'rejected' });
			expect(descriptionOf(result)).toContain('A new token was requested, but the request was not repeated: run again');
			expect((await runWith('money', [key])).status).toBe('success');
			expect(tokensOf(key)).toEqual([old, renewed]);
		});

		it.each(effects.filter((effect) => effect !== 'money' && effect !== 'change'))(
			'of a connected user that has expired is refreshed before a %s is sent',
			async (effect) => {
				const credential = stored(bank.origin)[user];
				const ended = { ...credential.oauthTokenData, expires_in: 3600, n8n_expires_at: String(Date.now() - 1) };
				await engine.setCredential(user, { ...credential, oauthTokenData: ended });
				const before = bank.tokenRequests.length;
				const [one, two] = [newCase(), newCase()];
				expect((await runWith(effect, [one, two])).status).toBe('success');
				const { access_token: renewed } = await tokenOf(user);
				expect([one, two].map(tokensOf)).toEqual([[renewed], [renewed]]);
				expect(bank.tokenRequests).toHaveLength(before + 1);
			},
		);

		describe('that cannot be obtained', () => {
			let usual: Reply;
			beforeAll(() => {
				usual = bank.token;
			});
			afterEach(async () => {
				bank.token = usual;
				for (const type of [client, user])
					await engine.setCredential(type, { ...stored(bank.origin)[type as typeof client] });
			});
			const refusals: [string, Reply][] = [
				['invalid_client', json(401, { error: 'invalid_client', error_description: 'secret-client is wrong' })],
				['a page of HTML as success', text(200, page, { 'content-type': 'text/html' })],
				['a reset', (response) => void response.socket?.resetAndDestroy()],
			];

			it.each(refusals.flatMap(([name, reply]) => modes.map((mode) => [name, mode, reply] as const)))(
				'because of %s sends no payment, with %s, and the error says so',
				async (_name, onError, reply) => {
					const key = newCase();
					bank.token = reply;
					await engine.setCredential(client, { ...stored(bank.origin)[client] });
					const result = await runWith('money', [key], { onError, ...retryOnFail });
					expect(bank.calls(key)).toEqual([]);
					const details = failureIn(result, onError);
					expect(details).toMatchObject({ outcome: 'notSent', code: 'TOKEN' });
					expect(details.message).toBe('Pay people: no access token could be obtained');
					expect(details.description).toMatch(/^Nothing was sent, so no money moved\. Details: credential/);
					expect(details.description).toContain(`credential "${client}"`);
					expect(result.stored).not.toContain('secret-client');
				},
			);

			it('because the consent was revoked says which credential to reconnect', async () => {
				const key = newCase();
				bank.answer(key, refusal401);
				bank.token = json(400, { error: 'invalid_grant' });
				const result = await runWith('read', [key]);
				expect(descriptionOf(result)).toMatch(new RegExp(`"${user}" needs to be reconnected`));
			});

			it('after a 401 never makes a payment unknown, because the bank rejected it', async () => {
				const key = newCase();
				await runWith('money', [newCase()]);
				bank.answer(key, refusal401);
				bank.token = json(401, { error: 'invalid_client' });
				const result = await runWith('money', [key]);
				expect(bank.calls(key)).toHaveLength(1);
				expect(['rejected', 'notSent']).toContain(detailsOfError(result).outcome);
			});

			it.each(modes)('because the credential was never connected sends nothing, with %s', async (onError) => {
				const key = newCase();
				const { oauthTokenData: _, ...unconnected } = stored(bank.origin)[user];
				await engine.setCredential(user, unconnected);
				const result = await runWith('order', [key], { onError });
				expect(bank.calls(key)).toEqual([]);
				const details = failureIn(result, onError);
				expect(details.outcome).toBe('notSent');
				expect(details.description).toMatch(/Open the credential.*connect it/);
			});
		});
	});

	// --- the stop button

	describe('stopping the execution', () => {
		it('between packages sends no more of them', async () => {
			const [one, two, three] = [newCase('one'), newCase('two'), newCase('three')];
			const stop = new AbortController();
			bank.answer(two, () => stop.abort());
			const result = await runWith('money', [one, two, three], {
				signal: stop.signal,
				onError: 'continueErrorOutput',
				...retryOnFail,
			});
			expect(result.status).toBe('canceled');
			expect([one, two, three].map((key) => bank.calls(key).length)).toEqual([1, 1, 0]);
		});

		it('while a payment is under way says that its outcome is unknown, and the execution is stopped, not failed', async () => {
			const [one, two] = [newCase('one'), newCase('two')];
			const stop = new AbortController();
			bank.answer(one, () => stop.abort());
			const result = await runWith('money', [one, two], { signal: stop.signal });
			expect(result.status).toBe('canceled');
			expect([one, two].map((key) => bank.calls(key).length)).toEqual([1, 0]);
			expect(detailsOfError(result)).toMatchObject({ code: 'ERR_CANCELED', outcome: 'unknown' });
			// A retry of the execution does not send this payment again, but sends the payment that was not started.
			await result.retry();
			expect([one, two].map((key) => bank.calls(key).length)).toEqual([1, 1]);
		});

		it('while paging asks for no further page', async () => {
			const key = newCase('pages');
			const stop = new AbortController();
			let asked = 0;
			bank.answer(key, (response, seen) => {
				const { offset = '0', limit = '0' } = Object.fromEntries(new URL(seen.url, bank.origin).searchParams);
				if (++asked === 3) return stop.abort();
				json(200, {
					operations: Array.from({ length: Number(limit) }, (_, index) => ({ id: `op-${Number(offset) + index}` })),
				})(response, seen, undefined as never);
			});
			const result = await engine.run({
				type: 'n8n-nodes-bank.bank',
				signal: stop.signal,
				items: [{ key }],
				parameters: {
					resource: 'accountOperation',
					operation: 'getMany',
					returnAll: true,
					filters: { accounts: ['={{ $json.key }}'] },
					options: { pageSize: 2, concurrency: 1 },
				},
			});
			expect(result.status).toBe('canceled');
			// A further page would be requested before this later request is answered.
			expect((await runWith('read', [newCase()])).status).toBe('success');
			expect(bank.calls(key)).toHaveLength(3);
		});
	});

	describe('a loop', () => {
		it.each([[undefined], [1]])(
			'pays once over all rounds: another round is no other payment (the bank rejects request %p)',
			async (rejected) => {
				const key = newCase('round');
				const paid = () => bank.calls(key).length;
				bank.answer(key, (response, seen, request) =>
					(paid() === rejected ? json(400, {}) : succeed)(response, seen, request),
				);
				const { runData } = await runWith('money', [key], {
					rounds: 2,
					...retryOnFail,
					onError: 'continueErrorOutput',
				});
				const rounds = runData['Node']?.map(({ data }) => (data?.['main'] ?? []).map((items) => items?.length ?? 0));
				// Retry On Fail sends a rejected payment again and returns the recorded result of an accepted one.
				expect(rounds).toEqual(Array.from({ length: 2 }, () => [1, 0]));
				expect(paid()).toBe(rejected === 1 ? 2 : 1);
			},
		);
	});

	// --- items, files and expressions of users

	describe('items', () => {
		const freeze = <T>(value: T): T => {
			if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
			return value;
		};

		it.each(effects)('of the input are never changed: %s', async (effect) => {
			const [good, bad] = [newCase('good'), newCase('bad')];
			bank.answer(bad, json(400, { error: 'invalid_request' }));
			const binary = { file: { data: 'c2NhbiE=', mimeType: 'text/plain', fileName: 'scan.txt' } };
			const items = [good, bad].map((key) => ({
				json: freeze({ key, more: { deep: [1, { two: 2 }] }, $odd: null }),
				binary: freeze({ ...binary }),
			}));
			const before = JSON.stringify(items.map((item) => [item.json, item.binary]));
			const result = await runWith(effect, [], { items, onError: 'continueErrorOutput' });
			expect(JSON.stringify(items.map((item) => [item.json, item.binary]))).toBe(before);
			expect(result.outputs[0]).toHaveLength(1);
			expect(result.outputs[1][0]?.json).toMatchObject({ key: bad, more: { deep: [1, { two: 2 }] }, $odd: null });
			expect(result.runData['Start']?.[0]?.data?.['main']?.[0]?.[0]?.binary).toEqual(binary);
		});
	});
});
