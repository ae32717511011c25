/** Who may send: the memory of what was sent before, within an execution, over retries, and over executions. */
import { type CallResult, type FailureDetails, isBankFailure, type Operation, type Outcome } from '@bank/core';
import fc from 'fast-check';

import { Claims } from '../../nodes/shared/run/claim.ts';
import { claimForGood, type LastingMemory } from '../../nodes/shared/run/lastingClaim.ts';
import type { Planned } from '../../nodes/shared/run/plan.ts';
import type { Identity } from '../../nodes/shared/run/run.ts';
import type { Sealed } from '../../nodes/shared/run/seal.ts';
import {
	baseUrl,
	contextOf,
	effects,
	input,
	list,
	make,
	plannedOf,
	sealedOf,
	thrownBy,
	withEffect,
} from './support.ts';

const answer: CallResult = { data: { number: '7' }, raw: { number: '7' }, status: 200 };

function details(outcome: Outcome, httpStatus?: number): FailureDetails {
	return {
		operation: 'thing.make',
		...(httpStatus === undefined ? { code: 'ECONNREFUSED' } : { httpStatus }),
		effect: 'money',
		kind: httpStatus === undefined ? 'noAnswer' : 'refused',
		what: `it was ${outcome}`,
		message: `Make a thing: it was ${outcome}`,
		next: [],
		retryable: false,
		outcome,
	};
}

/** What n8n keeps for a node of a workflow. */
class Workflow {
	/** Within an execution and its retries. */
	kept: Record<string, unknown> = {};
	/** Over all executions. */
	readonly held = new Set<string>();
	broken = false;
	/** The items and the place at which a run begins. */
	readonly operation: Operation;

	constructor(operation: Operation) {
		this.operation = operation;
	}

	/** A run of the node: the first of an execution, a rerun by Retry On Fail, or a retried execution, which has another id. */
	run({
		execution = '1',
		runIndex = 0,
		at = baseUrl,
		environment = 'sandbox',
		operation = this.operation,
	} = {}): Claims {
		// n8n keeps it as JSON between a failed execution and its retry.
		this.kept = JSON.parse(JSON.stringify(this.kept)) as Record<string, unknown>;
		const context = contextOf({ context: this.kept, executionId: execution, runIndex });
		return new Claims(context, operation, { environment, baseUrl: at }, this.#memory);
	}

	/** All or nothing, as the guard of nodes/shared/guard is. */
	readonly #memory: LastingMemory = {
		claim: async (digests) => {
			if (this.broken) throw new Error('the database is away');
			const taken = digests.filter((digest) => this.held.has(digest));
			if (taken.length === 0) for (const digest of digests) this.held.add(digest);
			return { taken };
		},
		release: async (digests) => {
			if (this.broken) throw new Error('the database is away');
			for (const digest of digests) this.held.delete(digest);
		},
	};

	async sealed(more: Parameters<typeof plannedOf>[1] = {}): Promise<Sealed> {
		return await sealedOf(this.operation, more);
	}
}

/** What a try comes to: it sends, it recalls what was answered before, or it is refused. */
async function tried(claims: Claims, sealed: Sealed): Promise<string> {
	try {
		const earlier = await claims.claim(sealed);
		return earlier === undefined ? 'sends' : 'recalls';
	} catch (error) {
		return isBankFailure(error) ? error.details.outcome : 'refused';
	}
}

const changed = { path: { kind: 'a' }, body: { name: 'another' } };

describe('a request with an effect', () => {
	it.each(effects)('is claimed before it is sent: found so by a later try, it is unknown (%s)', async (effect) => {
		const workflow = new Workflow(withEffect(effect));
		const sealed = await workflow.sealed();
		expect(await workflow.run().claim(sealed)).toBeUndefined();
		// The process died, or the execution was stopped. Whoever comes next:
		for (const execution of ['1', '2']) {
			const error = await thrownBy(() => workflow.run({ execution }).claim(sealed));
			expect(error).toMatchObject({ name: 'NoAnswerError', details: { operation: 'thing.make', outcome: 'unknown' } });
		}
	});

	it.each(effects)(
		'that was accepted is recalled with what was sent, and when it was answered (%s)',
		async (effect) => {
			const workflow = new Workflow(withEffect(effect));
			const claims = workflow.run();
			const sealed = await workflow.sealed();
			await claims.claim(sealed);
			const accepted = claims.accepted(sealed, answer);
			expect(accepted).toEqual({ sent: sealed.prepared.input, result: answer, at: expect.any(Number) });
			for (const execution of ['1', '2'])
				expect(await workflow.run({ execution }).claim(sealed)).toMatchObject(accepted);
		},
	);

	it('is the same at its place in one execution, though an expression gave another body', async () => {
		const workflow = new Workflow(make);
		const claims = workflow.run();
		const sealed = await workflow.sealed();
		await claims.claim(sealed);
		claims.accepted(sealed, answer);
		for (let rerun = 0; rerun < 2; rerun++) {
			const earlier = await workflow.run().claim(await workflow.sealed({ input: changed }));
			expect(earlier?.sent.body).toEqual({ name: 'b' });
		}
	});

	it('is another one in a retried execution, where its content is another', async () => {
		const workflow = new Workflow(make);
		const claims = workflow.run();
		const sealed = await workflow.sealed();
		await claims.claim(sealed);
		claims.accepted(sealed, answer);
		const retried = workflow.run({ execution: '2' });
		expect(await tried(retried, await workflow.sealed({ input: changed }))).toBe('sends');
	});

	it('is the same in a retried execution by its identities alone, where it has some', async () => {
		const workflow = new Workflow(make);
		const claims = workflow.run();
		const signed = await workflow.sealed({ input: { ...input, body: { name: 'b', count: 1 } }, identities: paid('b') });
		await claims.claim(signed);
		claims.accepted(signed, answer);
		const anew = await workflow.sealed({ input: { ...input, body: { name: 'b', count: 2 } }, identities: paid('b') });
		expect(await tried(workflow.run({ execution: '2' }), anew)).toBe('recalls');
		const other = await workflow.sealed({ input: changed, identities: paid('c') });
		expect(await tried(workflow.run({ execution: '3' }), other)).toBe('sends');
	});

	it('is told from an equal one by its position', async () => {
		const workflow = new Workflow(make);
		const claims = workflow.run();
		const [first, second] = [await workflow.sealed(), await workflow.sealed({ position: 1 })];
		expect([await tried(claims, first), await tried(claims, second)]).toEqual(['sends', 'sends']);
		claims.accepted(second, answer);
		const again = workflow.run({ execution: '2' });
		expect([await tried(again, first), await tried(again, second)]).toEqual(['unknown', 'recalls']);
	});

	it('is another one in the second round of a loop', async () => {
		const workflow = new Workflow(make);
		const sealed = await workflow.sealed();
		for (const runIndex of [0, 1]) {
			const claims = workflow.run({ runIndex });
			expect(await tried(claims, sealed)).toBe('sends');
			claims.accepted(sealed, answer);
		}
		for (const execution of ['1', '2'])
			for (const runIndex of [0, 1]) expect(await tried(workflow.run({ execution, runIndex }), sealed)).toBe('recalls');
	});

	it('is another one at another bank', async () => {
		const workflow = new Workflow(make);
		const claims = workflow.run();
		const sealed = await workflow.sealed();
		await claims.claim(sealed);
		claims.accepted(sealed, answer);
		const elsewhere = workflow.run({ execution: '2', at: 'https://other.test' });
		expect(await tried(elsewhere, sealed)).toBe('sends');
	});

	it.each([
		['method', { method: 'PUT' }],
		['address', { url: '/things/b' }],
		['file', { parts: [{ name: 'scan', file: { field: '', fileName: '', mimeType: '', base64: 'AA==' } }] }],
	] as [string, Partial<Planned['prepared']>][])('is another one with another %s', async (_what, change) => {
		const workflow = new Workflow(make);
		const { body: _, ...bare } = plannedOf(make).prepared;
		const first = await workflow.sealed({ prepared: { ...bare, parts: [{ name: 'scan', value: 'x' }] } });
		const claims = workflow.run();
		await claims.claim(first);
		claims.accepted(first, answer);
		const other = await workflow.sealed({ prepared: { ...first.prepared, ...change } });
		expect(await tried(workflow.run({ execution: '2' }), other)).toBe('sends');
		expect(await tried(workflow.run({ execution: '3' }), first)).toBe('recalls');
	});

	it('is told from others by every part of its place and content, not by all of them in a row', async () => {
		const workflow = new Workflow(make);
		const { body: _, ...bare } = plannedOf(make).prepared;
		const all: [Parameters<Workflow['run']>[0], Partial<Planned>][] = [
			[{ execution: '1', runIndex: 1 }, { position: 1 }],
			[{ execution: '1', runIndex: 11 }, { position: 1 }],
			[{ execution: '1', runIndex: 1 }, { position: 11 }],
			[{ execution: '11', runIndex: 11 }, { position: 11 }],
			[{ execution: '1' }, { prepared: { ...bare, url: '/things/1', body: '1' } }],
			[{ execution: '2' }, { prepared: { ...bare, url: '/things/11', body: '' } }],
			[{ execution: '3' }, { prepared: { ...bare, url: '/things/1' } }],
		];
		for (const [where, planned] of all)
			expect([where, await tried(workflow.run(where), await workflow.sealed(planned))]).toEqual([where, 'sends']);
	});

	it('of another operation is another one, also at the same place', async () => {
		const workflow = new Workflow(make);
		const sealed = await workflow.sealed();
		await workflow.run().claim(sealed);
		const operation = { ...make, id: 'thing.alter' } as const;
		expect(await tried(workflow.run({ operation }), sealed)).toBe('sends');
	});
});

describe('a request that failed', () => {
	/** The words for the next try in the same execution, and in one that the user retried. */
	async function nextTries(operation: Operation, failure: FailureDetails): Promise<[string, string]> {
		const next = async (execution: string) => {
			const workflow = new Workflow(operation);
			const claims = workflow.run();
			const sealed = await workflow.sealed();
			await claims.claim(sealed);
			await claims.failed(sealed, failure);
			return await tried(workflow.run({ execution }), sealed);
		};
		return [await next('1'), await next('2')];
	}

	it.each([
		['rejected', ['rejected', 'sends']],
		['notSent', ['notSent', 'sends']],
		['unknown', ['unknown', 'unknown']],
	] as const)(
		'and was a payment, %s: is final in its execution; the retry of a user comes to %j',
		async (outcome, tries) => {
			expect(await nextTries(withEffect('money'), details(outcome, 400))).toEqual(tries);
		},
	);

	it.each(effects.filter((effect) => effect !== 'money'))(
		'and was a %s: may be sent again, but in its execution not where its outcome is unknown',
		async (effect) => {
			expect(await nextTries(withEffect(effect), details('rejected', 403))).toEqual(['sends', 'sends']);
			expect(await nextTries(withEffect(effect), details('notSent'))).toEqual(['sends', 'sends']);
			expect(await nextTries(withEffect(effect), details('unknown', 500))).toEqual(['unknown', 'sends']);
		},
	);

	it.each([
		['BankApiError', details('unknown', 502)],
		['NoAnswerError', details('unknown')],
	])('fails again as it did: %s', async (name, failure) => {
		const workflow = new Workflow(withEffect('money'));
		const claims = workflow.run();
		const sealed = await workflow.sealed();
		await claims.claim(sealed);
		await claims.failed(sealed, failure);
		expect(await thrownBy(() => workflow.run().claim(sealed))).toMatchObject({ name, details: failure });
	});

	it('is claimed anew before it is sent again', async () => {
		const workflow = new Workflow(withEffect('money'));
		const claims = workflow.run();
		const sealed = await workflow.sealed();
		await claims.claim(sealed);
		await claims.failed(sealed, details('rejected', 400));
		expect(await tried(workflow.run({ execution: '2' }), sealed)).toBe('sends');
		expect(await tried(workflow.run({ execution: '3' }), sealed)).toBe('unknown');
	});
});

describe('whatever happens, try after try', () => {
	const ends = ['accepted', 'rejected', 'notSent', 'unknown', 'dies'] as const;
	const tries = fc.array(fc.record({ isRetried: fc.boolean(), end: fc.constantFrom(...ends) }), { maxLength: 8 });

	/** What became of each request that was sent, and in which execution. */
	async function sent(operation: Operation, given: readonly { isRetried: boolean; end: (typeof ends)[number] }[]) {
		const workflow = new Workflow(operation);
		const sealed = await workflow.sealed();
		const found: { execution: number; end: (typeof ends)[number] }[] = [];
		let execution = 1;
		for (const { isRetried, end } of given) {
			if (isRetried) execution++;
			const claims = workflow.run({ execution: String(execution) });
			if ((await tried(claims, sealed)) !== 'sends') continue;
			found.push({ execution, end });
			if (end === 'accepted') claims.accepted(sealed, answer);
			else if (end !== 'dies') await claims.failed(sealed, details(end, 400));
		}
		return found;
	}

	it('a payment is sent again only by a user, and only where no money moved', async () => {
		await fc.assert(
			fc.asyncProperty(tries, async (given) => {
				const all = await sent(withEffect('money'), given);
				for (const { end } of all.slice(0, -1)) expect(['rejected', 'notSent']).toContain(end);
				expect(new Set(all.map(({ execution }) => execution)).size).toBe(all.length);
			}),
		);
	});

	it('anything else is sent again only where it was not accepted, and after a doubt only by a user', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...effects.filter((effect) => effect !== 'money')),
				tries,
				async (effect, given) => {
					const all = await sent(withEffect(effect), given);
					for (const [index, { end, execution }] of all.slice(0, -1).entries()) {
						expect(['rejected', 'notSent', 'unknown']).toContain(end);
						if (end === 'unknown') expect(all[index + 1]?.execution).toBeGreaterThan(execution);
					}
				},
			),
		);
	});
});

describe('a read', () => {
	it('is neither kept nor recalled', async () => {
		const workflow = new Workflow(list);
		const sealed = await workflow.sealed({ input: {} });
		const claims = workflow.run();
		expect(await tried(claims, sealed)).toBe('sends');
		expect(claims.accepted(sealed, answer)).toMatchObject({ sent: { path: {}, query: {} }, result: answer });
		expect(await tried(claims, sealed)).toBe('sends');
		await claims.failed(sealed, details('nothingChanged', 500));
		expect(await tried(claims, sealed)).toBe('sends');
		expect(Object.values(workflow.kept)).toEqual([{}, {}]);
	});

	it('of what the bank allows once, were there one, is not kept either', async () => {
		const workflow = new Workflow({ ...list, once: true });
		expect(await tried(workflow.run(), await workflow.sealed({ input: {} }))).toBe('sends');
		expect([...workflow.held]).toEqual([]);
	});
});

const paid = (...names: string[]): Identity[] =>
	names.map((name) => ({ field: 'sequence', name, value: ['payment', name], item: 0 }));

describe('what must not be sent twice', () => {
	const money = withEffect('money');
	/** Another execution has a context of its own. */
	const newExecution = (workflow: Workflow, execution: string, more: Parameters<Workflow['run']>[0] = {}) => {
		workflow.kept = {};
		return workflow.run({ execution, ...more });
	};
	const namesTaken = async (claims: Claims, sealed: Sealed) => {
		const error = await thrownBy(() => claims.claim(sealed));
		if (!isBankFailure(error)) throw error;
		const { code, outcome, names } = error.details;
		expect({ code, outcome }).toEqual({ code: 'already_claimed', outcome: 'unknown' });
		return names;
	};

	it('is claimed over executions, whatever its body and place', async () => {
		const workflow = new Workflow(money);
		await workflow.run().claim(await workflow.sealed({ identities: paid('a') }));
		const other = await workflow.sealed({ input: changed, position: 4, identities: paid('a') });
		expect(await namesTaken(newExecution(workflow, '2'), other)).toEqual(['a']);
	});

	it('is named, and nothing of the same package is claimed where one is taken', async () => {
		const workflow = new Workflow(money);
		await workflow.run().claim(await workflow.sealed({ identities: paid('b', 'd') }));
		const several = await workflow.sealed({ identities: paid('a', 'b', 'c', 'd') });
		expect(await namesTaken(newExecution(workflow, '2'), several)).toEqual(['b', 'd']);
		const others = await workflow.sealed({ identities: paid('a', 'c') });
		expect(await tried(newExecution(workflow, '3'), others)).toBe('sends');
	});

	it('is named in the order of the request, which its reader knows', async () => {
		const workflow = new Workflow(money);
		const names = ['c', 'a', 'e', 'b', 'd'];
		const sealed = await workflow.sealed({ identities: paid(...names) });
		await workflow.run().claim(sealed);
		expect(await namesTaken(newExecution(workflow, '2'), sealed)).toEqual(names);
	});

	it('is another one in another environment, at another address and of another value', async () => {
		const workflow = new Workflow(money);
		const sealed = await workflow.sealed({ identities: paid('a') });
		await workflow.run().claim(sealed);
		expect(await tried(newExecution(workflow, '2', { at: 'https://other.test' }), sealed)).toBe('sends');
		expect(await tried(newExecution(workflow, '3', { environment: 'production' }), sealed)).toBe('sends');
		expect(await tried(newExecution(workflow, '4'), await workflow.sealed({ identities: paid('b') }))).toBe('sends');
	});

	it('leaves behind digests only, which tell nobody who was paid', async () => {
		const workflow = new Workflow(money);
		await workflow.run().claim(await workflow.sealed({ identities: paid('+79000000001') }));
		expect([...workflow.held]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});

	it.each([
		['rejected', 'sends'],
		['notSent', 'sends'],
		['unknown', 'unknown'],
	] as const)('and was %s: the next execution %s', async (outcome, next) => {
		const workflow = new Workflow(money);
		const claims = workflow.run();
		const sealed = await workflow.sealed({ identities: paid('a', 'b') });
		await claims.claim(sealed);
		await claims.failed(sealed, details(outcome, 409));
		expect(await tried(newExecution(workflow, '2'), sealed)).toBe(next);
	});

	it('and was accepted stays claimed', async () => {
		const workflow = new Workflow(money);
		const claims = workflow.run();
		const sealed = await workflow.sealed({ identities: paid('a') });
		await claims.claim(sealed);
		claims.accepted(sealed, answer);
		expect(await tried(newExecution(workflow, '2'), sealed)).toBe('unknown');
	});

	it('is claimed anew by a rerun of the same execution only after it was given back', async () => {
		const workflow = new Workflow(withEffect('order'));
		const sealed = await workflow.sealed({ identities: paid('a') });
		for (let rerun = 0; rerun < 3; rerun++) {
			const claims = workflow.run();
			expect(await tried(claims, sealed)).toBe('sends');
			await claims.failed(sealed, details('rejected', 403));
		}
		expect([...workflow.held]).toEqual([]);
	});

	it('is recalled by a rerun before anybody asks whether it was claimed', async () => {
		const workflow = new Workflow(money);
		const claims = workflow.run();
		const sealed = await workflow.sealed({ identities: paid('a') });
		await claims.claim(sealed);
		claims.accepted(sealed, answer);
		expect(await tried(workflow.run(), sealed)).toBe('recalls');
	});

	it('is what names a request whose outcome nobody wrote down', async () => {
		const workflow = new Workflow(money);
		const sealed = await workflow.sealed({ identities: paid('a', 'b') });
		await workflow.run().claim(sealed);
		expect(await namesTaken(workflow.run(), sealed)).toEqual(['a', 'b']);
	});

	it('is told by whoever remembers, where that is not certain: nothing is sent', async () => {
		const workflow = new Workflow(money);
		workflow.broken = true;
		const sealed = await workflow.sealed({ identities: paid('a') });
		await expect(workflow.run().claim(sealed)).rejects.toThrow('the database is away');
		workflow.broken = false;
		expect(await tried(workflow.run(), sealed)).toBe('sends');
	});

	it.each(['rejected', 'notSent'] as const)(
		'and was %s, but cannot be given back: whoever settles the claim hears of it, and it stays claimed',
		async (outcome) => {
			const workflow = new Workflow(money);
			const claims = workflow.run();
			const sealed = await workflow.sealed({ identities: paid('a') });
			await claims.claim(sealed);
			workflow.broken = true;
			await expect(claims.failed(sealed, details(outcome, 400))).rejects.toThrow('the database is away');
			workflow.broken = false;
			// In its own execution it is known what became of it.
			expect(await tried(workflow.run(), sealed)).toBe(outcome);
			expect(await namesTaken(newExecution(workflow, '2'), sealed)).toEqual(['a']);
		},
	);

	describe('and is to be sent again', () => {
		const again = (workflow: Workflow, word: string | true, ...names: string[]) =>
			workflow.sealed({ identities: paid(...names), again: word });

		it('is sent once more for each word', async () => {
			const workflow = new Workflow(money);
			await workflow.run().claim(await workflow.sealed({ identities: paid('a', 'b') }));
			const second = await again(workflow, 'second', 'a', 'b', 'c');
			expect(await tried(newExecution(workflow, '2'), second)).toBe('sends');
			expect(await namesTaken(newExecution(workflow, '3'), second)).toEqual(['a', 'b', 'c']);
			expect(await tried(newExecution(workflow, '4'), await again(workflow, 'third', 'a'))).toBe('sends');
			// What came in with the word is claimed like anything else.
			expect(await namesTaken(newExecution(workflow, '5'), await workflow.sealed({ identities: paid('c') }))).toEqual([
				'c',
			]);
		});

		it('is sent once more by the word of another, which counts for each by itself', async () => {
			const workflow = new Workflow(money);
			await workflow.run().claim(await workflow.sealed({ identities: paid('a', 'b') }));
			for (const [name, execution] of [
				['a', '2'],
				['b', '3'],
			] as const)
				expect(await tried(newExecution(workflow, execution), await again(workflow, 'second', name))).toBe('sends');
		});

		it('is given back word and all where the bank says no', async () => {
			const workflow = new Workflow(money);
			await workflow.run().claim(await workflow.sealed({ identities: paid('a') }));
			const second = await again(workflow, 'second', 'a', 'b');
			const claims = newExecution(workflow, '2');
			await claims.claim(second);
			await claims.failed(second, details('rejected', 400));
			// The first claim was not this run's to give back. Asked for first: the word claims it again.
			expect(await namesTaken(newExecution(workflow, '3'), await workflow.sealed({ identities: paid('a') }))).toEqual([
				'a',
			]);
			// What nobody had sent before is as if it had never been asked for.
			expect(await tried(newExecution(workflow, '4'), await workflow.sealed({ identities: paid('b') }))).toBe('sends');
			expect(await tried(newExecution(workflow, '5'), await again(workflow, 'second', 'a'))).toBe('sends');
		});

		it('gives the word back where it is refused, and is refused as sent before also where that fails', async () => {
			// The word is new, of both one was sent before, and somebody claims the other at this moment.
			const told = [0, 1, 1];
			const asked: (readonly string[])[] = [];
			const released: (readonly string[])[] = [];
			const memory: LastingMemory = {
				claim: async (digests) => (asked.push(digests), { taken: digests.slice(0, told.shift()) }),
				release: (digests) => (released.push(digests), Promise.reject(new Error('the database is away'))),
			};
			const where = { environment: 'sandbox', baseUrl };
			const refused = claimForGood(money, where, memory, { identities: paid('a', 'b'), again: 'second' });
			await expect(refused).rejects.toMatchObject({ details: { code: 'already_claimed', names: ['a', 'b'] } });
			expect(released).toEqual(asked.slice(0, 1));
		});

		it('is sent as often as the user likes where the bank itself allows it once', async () => {
			const workflow = new Workflow(make);
			await workflow.run().claim(await workflow.sealed({ identities: paid('a') }));
			for (const execution of ['2', '3'])
				expect(await tried(newExecution(workflow, execution), await again(workflow, true, 'a'))).toBe('sends');
			const claims = newExecution(workflow, '4');
			const sealed = await again(workflow, true, 'a');
			await claims.claim(sealed);
			await claims.failed(sealed, details('rejected', 409));
			expect(await tried(newExecution(workflow, '5'), await workflow.sealed({ identities: paid('a') }))).toBe(
				'unknown',
			);
		});
	});
});
