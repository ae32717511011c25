/** What the journal is told, and what it tells where something was sent before. */
import { alreadyClaimed, definitions, heldBackWith, InputError } from '@bank/core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { errorFor } from '../../nodes/shared/failures.ts';
import type { Form } from '../../nodes/shared/form.ts';
import type { JournalContext, JournalRow } from '../../nodes/shared/journal.ts';
import { type Failed, inOrder, type Outcome } from '../../nodes/shared/run/present.ts';
import { recorded } from '../../nodes/shared/run/record.ts';
import { runOf } from './support.ts';

const operation = definitions.payment.sendPackage;
const row = (sequence: string, outcome: string): JournalRow => ({
	...{
		paymentRun: 'salary-2026-11',
		sequence,
		amount: '10',
		phone: '*0001',
		outcome,
		payPackage: '',
		transactionId: '',
	},
});
const form: Form = {
	journal: (_job, items) =>
		items.map(({ json }) => {
			const { sequences, outcome } = json.details as { sequences: string[]; outcome: string };
			return row(sequences[0] ?? '', outcome);
		}),
};
const job = { items: [0, 1], input: {} };
const identities = ['a', 'b'].map((name, item) => ({ field: 'sequence', name, value: name, item }));
/** Of two payments, the first was sent before. */
const refused: Failed = { job, identities, failure: alreadyClaimed(operation, ['a']) };
const accepted = {
	...row('a', 'accepted'),
	payPackage: '700',
	transactionId: 'tx-a',
	execution: '41',
	at: '2026-11-22',
};

interface Recording {
	outcome?: Outcome;
	journal?: string;
	told?: Form;
	/** Why the table cannot be written. */
	fault?: Error;
}

async function record(
	stored: IDataObject[],
	{ outcome = refused, journal = 'Bank journal', told = form, fault }: Recording = {},
) {
	const written: unknown[] = [];
	let reads = 0;
	const context: JournalContext = {
		getExecutionId: () => '42',
		getWorkflow: () => ({ id: 'payouts', active: true }),
		executeWorkflow: async ({ code }, items = []) => {
			const isRead = code?.name === 'Read the journal';
			if (isRead) reads++;
			else if (fault !== undefined) throw fault;
			else written.push(...items.map(({ json }) => [json.sequence, json.outcome]));
			const data: INodeExecutionData[][] = isRead ? [stored.map((json) => ({ json }))] : [];
			return { executionId: '43', data };
		},
	};
	const run = runOf(operation, { parameters: { options: { journal } } });
	const recording = await recorded(run, told, context, outcome);
	return { run, written, reads, outcome: recording };
}

it('what was sent before tells what it came to then, and no row says that it is unknown', async () => {
	const { run, written, outcome } = await record([accepted]);
	expect(written).toEqual([['b', 'notSent']]);
	const [first, second] = inOrder(run, [outcome]).map(({ json }) => json.details as IDataObject);
	const { outcome: then, payPackage, transactionId, execution, at } = accepted;
	expect(first).toMatchObject({
		outcome: 'unknown',
		earlier: [{ sequence: 'a', outcome: then, payPackage, transactionId, execution, at }],
		description: expect.stringContaining(
			'The journal says: accepted in execution 41 at 2026-11-22, package 700, transaction tx-a: a.',
		),
	});
	expect(second).not.toHaveProperty('earlier');
});

it('the error that stops the node tells it as well', async () => {
	const { run, outcome } = await record([accepted]);
	const { failure, earlier } = outcome as Failed;
	const error = errorFor(run.context, failure, { identities, ...(earlier === undefined ? {} : { earlier }) });
	expect(error.description).toContain('The journal says: accepted in execution 41');
	expect(error.description).toContain('Sent before: a.');
});

it('the error that stops the node names all that it is about, but where those that were sent before are all of it', () => {
	const { context } = runOf(operation, {});
	const told = (names: string[]) => errorFor(context, alreadyClaimed(operation, names), { identities }).description;
	expect(told(['a'])).toContain('Its sequences: a, b.');
	expect(told(['a', 'b'])).not.toContain('Its sequences');
});

it('what was sent in one package is told once, however many it paid', async () => {
	const { run, outcome } = await record([accepted]);
	const names = Array.from({ length: 20 }, (_, index) => `p-${index}`);
	const many = names.map((name) => ({ field: 'sequence', name, value: name, item: 0 }));
	const { payPackage, execution, at } = accepted;
	const earlier = new Map(
		names.map((name) => [name, { outcome: 'accepted', payPackage, transactionId: `tx-${name}`, execution, at }]),
	);
	earlier.set('p-19', { outcome: 'unknown', payPackage: '', transactionId: '', execution: '40', at });
	const error = errorFor(run.context, (outcome as Failed).failure, { identities: many, earlier });
	expect(error.description).toContain(
		'The journal says: accepted in execution 41 at 2026-11-22, package 700: p-0, p-1, p-2 and 16 more, ' +
			'unknown in execution 40 at 2026-11-22: p-19.',
	);
	expect(error.context.details).toMatchObject({
		earlier: expect.arrayContaining([{ sequence: 'p-4', ...earlier.get('p-4') }]),
	});
});

it('what was sent before and does not stand there is written down as unknown', async () => {
	const { written, outcome } = await record([]);
	expect(written).toEqual([
		['a', 'unknown'],
		['b', 'notSent'],
	]);
	expect(outcome).toEqual(refused);
});

it('without a journal nothing is read or written', async () => {
	for (const without of [{ journal: '' }, { told: {} }]) {
		const { written, reads, outcome } = await record([accepted], without);
		expect([written, reads, outcome]).toEqual([[], 0, refused]);
	}
});

describe('where nothing was sent before', () => {
	const json = (sequence: string) => ({ details: { sequences: [sequence], outcome: 'accepted' } });
	const items = ['a', 'b'].map((sequence, item) => ({ json: json(sequence), pairedItem: { item } }));
	const done = (): Outcome => ({ job, items: structuredClone(items) });

	it.each<[string, () => Outcome]>([
		['what was carried out', done],
		['what was held back for another reason', () => ({ ...refused, failure: heldBackWith(operation, ['a']) })],
		['a wrong input', () => ({ ...refused, failure: new InputError([{ path: 'phone', message: 'is wrong' }]) })],
	])('%s is written down, and the journal is not read', async (_kind, made) => {
		const told: Form = { journal: () => [row('a', 'told')] };
		const { written, reads, outcome } = await record([accepted], { outcome: made(), told });
		expect([written, reads, outcome]).toEqual([[['a', 'told']], 0, made()]);
	});

	it('a journal that cannot be written is told with what was carried out, and changes nothing of it', async () => {
		const { outcome } = await record([], { outcome: done(), fault: new Error('no such project') });
		const journal = 'not written: no such project';
		expect(outcome).toEqual({ job, items: items.map((item) => ({ ...item, json: { ...item.json, journal } })) });
		expect((await record([], { outcome: done() })).outcome).toEqual(done());
	});
});
