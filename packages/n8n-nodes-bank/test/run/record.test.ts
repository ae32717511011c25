/** What the journal is told, and what it tells where something was sent before. */
import { alreadyClaimed, definitions } from '@bank/core';
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

async function record(stored: IDataObject[], outcome: Outcome = refused, journal = 'Bank journal') {
	const written: unknown[] = [];
	const context: JournalContext = {
		getExecutionId: () => '42',
		getWorkflow: () => ({ id: 'payouts', active: true }),
		executeWorkflow: async ({ code }, items = []) => {
			const isRead = code?.name === 'Read the journal';
			if (!isRead) written.push(...items.map(({ json }) => [json.sequence, json.outcome]));
			const data: INodeExecutionData[][] = isRead ? [stored.map((json) => ({ json }))] : [];
			return { executionId: '43', data };
		},
	};
	const run = runOf(operation, { parameters: { options: { journal } } });
	return { run, written, outcome: await recorded(run, form, context, outcome) };
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
			'The journal says: sequence a outcome accepted payPackage 700 transactionId tx-a execution 41 at 2026-11-22.',
		),
	});
	expect(second).not.toHaveProperty('earlier');
});

it('the error that stops the node tells it as well', async () => {
	const { run, outcome } = await record([accepted]);
	const { failure, earlier } = outcome as Failed;
	const error = errorFor(run.context, failure, { identities, ...(earlier === undefined ? {} : { earlier }) });
	expect(error.description).toContain('The journal says: sequence a outcome accepted');
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
	const { written, outcome } = await record([accepted], refused, '');
	expect([written, outcome]).toEqual([[], refused]);
});
