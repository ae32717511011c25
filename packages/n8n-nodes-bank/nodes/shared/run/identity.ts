import { createHash } from 'node:crypto';

import { canonicalJson, type Fault, type Operation, type PreparedRequest } from '@bank/core';

import type { Form } from '../form.ts';
import type { Connection } from './connection.ts';
import { firstItem, type Identity, type Job, type Run } from './run.ts';

/** What makes two requests the same one for whoever retries an execution: what they are about, else what they carry. */
export function identityOf(operation: Operation, identities: readonly Identity[], prepared: PreparedRequest): string {
	const { method, url } = prepared;
	const own = identities.length === 0 ? contentOf(prepared) : canonicalJson(identities.map(({ value }) => value));
	return [operation.id, method, url, own].join('\n');
}

/** What a request carries. A form counts by its parts: the boundary between them is drawn anew each time. */
export function contentOf({ body, parts }: PreparedRequest): string {
	return body ?? (parts === undefined ? '' : JSON.stringify(parts));
}

/** What of a request must not be sent twice, over all executions; empty where it may. */
export type IdentitiesOf = (job: Job, prepared: PreparedRequest) => readonly Identity[];

/** For the requests of one run, in their order: equal ones that the user means as several are told apart by counting. */
export function identitiesIn(run: Run, form: Form): IdentitiesOf {
	const counted = new Map<string, number>();
	return (job, prepared) =>
		given(run, form, job, prepared).map((identity) => {
			if (identity.countsEquals !== true) return identity;
			const key = canonicalJson(identity.value);
			const count = (counted.get(key) ?? 0) + 1;
			counted.set(key, count);
			return { ...identity, value: [identity.value, count] };
		});
}

function given(run: Run, form: Form, job: Job, prepared: PreparedRequest): readonly Identity[] {
	const { operation } = run;
	const own = job.identities?.(prepared.input) ?? form.identities?.(run, job, prepared.input);
	if (own !== undefined || operation.once !== true) return own ?? [];
	// What the bank allows once for the same path fields (part 8).
	const field = Object.keys(operation.pathFields?.entries ?? {})[0] ?? '';
	const name = String(prepared.input.path[field] ?? '');
	return [{ field, name, value: [operation.id, prepared.url], item: firstItem(job) }];
}

/** Looks at the requests of a run one after another: the faults of one that is about the same as one before. */
export function repeatedFaults({ name, once }: Operation): (identities: readonly Identity[]) => Fault[] {
	const first = new Map<string, number>();
	return (identities) =>
		identities.flatMap(({ field, value, item }) => {
			const key = canonicalJson(value);
			const earlier = first.get(key);
			first.set(key, earlier ?? item);
			if (earlier === undefined) return [];
			const why = once === true ? `the bank allows ${name} only once` : 'the same thing is not sent twice';
			const message = `is that of item ${earlier} as well, and ${why}. Remove repeated items before this node`;
			return [{ path: field, message, item }];
		});
}

/** An identity at one bank, however its address is written, as digest: what is remembered of it tells nobody who was paid. */
export function digestOf(
	{ environment, baseUrl }: Pick<Connection, 'environment' | 'baseUrl'>,
	value: unknown,
): string {
	return createHash('sha256')
		.update(canonicalJson([environment, new URL(baseUrl).href, value]))
		.digest('hex');
}

/** As a person reads it: whoever types it again, or copies it from elsewhere, may get other spaces or another form of the same letters. */
export const spelled = (text: string): string =>
	text
		.normalize('NFKC')
		.replace(/\p{Cf}/gu, '')
		.replace(/\s+/gu, ' ')
		.trim();
