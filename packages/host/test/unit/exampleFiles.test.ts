/** Rules for the files of all examples. Senders choose the texts of operations, so no CSV file of an example may contain a formula. */
import { runInNewContext } from 'node:vm';

import { phoneDigits } from '@bank/core';

import { BankOperationsTrigger } from '../../../n8n-nodes-bank/nodes/BankOperationsTrigger/BankOperationsTrigger.node.ts';
import { logColumns } from '../../../n8n-nodes-bank/nodes/shared/idempotency/paymentLog.ts';
import { demoCredentialIds } from '../../src/demoCredentials.ts';
import { readExamples } from '../../src/examples.ts';

const examples = readExamples();

type Targets = Record<string, { main?: { node: string }[][] }>;

/** Nodes whose items a following node writes to CSV. */
const writers = examples.flatMap(({ workflow: { nodes, connections } }) =>
	nodes
		.filter(({ type, parameters }) => type === 'n8n-nodes-base.convertToFile' && parameters.operation === 'csv')
		.map(({ name }) =>
			nodes.filter((node) => (connections as Targets)[node.name]?.main?.flat().some((target) => target.node === name)),
		),
);

const formulas = ['=1+1', '+7', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =HYPERLINK("http://a.test")', '＝1+1'];

it('is written by one example, after a node that looks at each text', () => {
	expect(writers.map((before) => before.map(({ type }) => type))).toEqual([['n8n-nodes-base.set']]);
});

it.each(writers.flat())('$name leaves no text that begins like a formula, and changes no other', ({ parameters }) => {
	const rows = formulas.map((title) => ({ title, amount: -5, currency: 'RUB', replaces: '' }));
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(String(parameters.jsonOutput)) ?? [];
	const written = rows.map(($json) => JSON.stringify(runInNewContext(`(${expression})`, { $json })));
	expect(written).toEqual(rows.map((row) => JSON.stringify({ ...row, title: `'${row.title}` })));
});

// n8n runs the branches of a node from top to bottom, and those at the same height from left to right.
test.each(examples)('$file lists the branches of each node in the order in which n8n runs them', ({ workflow }) => {
	const positions = new Map(workflow.nodes.map(({ name, position }) => [name, position]));
	const placeOf = (name: string) => (positions.get(name) ?? [0, 0]) as [number, number];
	const branches = Object.values(workflow.connections as Targets).flatMap(({ main = [] }) => main);
	for (const targets of branches.map((branch) => branch.map(({ node }) => node)))
		expect(targets).toEqual(
			targets.toSorted((one, other) => {
				const [[left, top], [otherLeft, otherTop]] = [placeOf(one), placeOf(other)];
				return top - otherTop || left - otherLeft;
			}),
		);
});

test('an example that makes the payment log makes it with all its columns', () => {
	const made = examples.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ parameters: { tableName, columns } }) =>
			tableName === 'Bank Payment Log'
				? [(columns as { column: { name: string }[] }).column.map(({ name }) => name)]
				: [],
		),
	);
	expect(made).toEqual(made.map(() => [...logColumns]));
	expect(made.length).toBeGreaterThan(0);
});

test.each(examples)(
	'the notes of $file have its name as title, and say what to click, what happens and what to change',
	({ workflow: { name, nodes } }) => {
		const notes = nodes.flatMap(({ parameters }) => parameters.content ?? []).join('\n');
		expect(notes.split('\n')[0]).toBe(`## ${name}`);
		expect(notes).toMatch(/\*\*(?:Click|Publish)\*\*/i);
		expect(notes).toMatch(/\*\*What happens\.\*\*/);
		expect(notes).toMatch(/(?:\*\*|## )For your own use/);
	},
);

test('the notes of examples with a Bank Operations Trigger say what a click brings, as the form of the trigger does', () => {
	const shown = 'up to ten of the latest';
	expect(JSON.stringify(new BankOperationsTrigger().description.triggerPanel)).toContain(shown);
	const clicked = examples
		.filter(({ workflow: { nodes } }) => nodes.some(({ type }) => type === 'n8n-nodes-bank.bankOperationsTrigger'))
		.map(({ file, workflow }) => [file, /Execute workflow\*: ([^.]+)/.exec(JSON.stringify(workflow))?.[1]]);
	expect(clicked.length).toBeGreaterThan(0);
	expect(clicked).toEqual(clicked.map(([file]) => [file, expect.stringContaining(shown)]));
});

// *Find in Operations* has only amount, phone and time: an equal payment at the same time would be a second candidate.
test('payout-unknown-results.json pays nobody the amount that another example pays them', () => {
	const payments = examples.flatMap(({ file, workflow }) =>
		workflow.nodes.flatMap(({ parameters: { jsonOutput } }) => {
			if (typeof jsonOutput !== 'string' || !jsonOutput.startsWith('{')) return [];
			const { people = [] } = JSON.parse(jsonOutput) as { people?: { phone: unknown; amount: unknown }[] };
			return people.map(({ phone, amount }) => ({ file, payment: `${phoneDigits(phone)} ${Number(amount)}` }));
		}),
	);
	const own = payments.filter(({ file }) => file === 'payout-unknown-results.json');
	expect([own.length, payments.length > 10]).toEqual([2, true]);
	for (const { payment } of own)
		expect(payments.filter((other) => other.payment === payment).map(({ file }) => file)).toEqual([own[0]?.file]);
});

// n8n's import command has not changed the files.
test.each(examples)('$file uses only credentials that the demo has', ({ workflow }) => {
	const ids = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
	const known: unknown[] = Object.values(demoCredentialIds);
	expect(ids.filter((id) => !known.includes(id))).toEqual([]);
});

// A condition for submitting an example as a template.
test.each(examples)(
	"$file has all that n8n's form for templates asks for",
	({ workflow: { id, nodes, description, tags } }) => {
		// n8n stores no static data for a workflow with a longer ID, so its trigger would forget everything.
		expect(id).toMatch(/^\w{1,16}$/);
		expect(nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length).toBeGreaterThan(0);
		expect(description).toMatch(/^[A-Z].{20,200}\.$/);
		expect(tags).toEqual(expect.arrayContaining([{ id: 'bankTagBank', name: 'Bank' }, expect.anything()]));
	},
);

test('no two examples share an id', () => {
	const ids = examples.map(({ workflow }) => workflow.id);
	expect(new Set(ids).size).toBe(ids.length);
});

// n8n's lookup by name also matches a table whose name contains the name, and takes the one changed last.
test('no table of an example has a name that another one contains', () => {
	const named = examples.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ parameters }) => [parameters.tableName, Object(parameters.options).logToDataTable]),
	);
	const tables = [...new Set(named.flatMap((name) => (typeof name === 'string' ? name.toLowerCase() : [])))];
	expect(tables.length).toBeGreaterThan(10);
	expect(tables.filter((name) => tables.some((other) => other !== name && other.includes(name)))).toEqual([]);
});

// n8n does not check these when it imports a file, and renaming a node by hand breaks them.
test.each(examples)('$file names only nodes that it has, and handles each error output', ({ workflow }) => {
	const { nodes } = workflow;
	const connections = workflow.connections as Targets;
	const names = nodes.map(({ name }) => name);
	const named = nodes.flatMap(({ parameters }) =>
		[...JSON.stringify(parameters).matchAll(/\$\('((?:[^'\\]|\\.)+)'\)/g)].map(([, name]) => name),
	);
	const connected = Object.values(connections).flatMap((outputs) => Object.values(outputs).flat(2));
	const all = [...named, ...Object.keys(connections), ...connected.map(({ node }) => node)];
	expect(all.filter((name) => name === undefined || !names.includes(name))).toEqual([]);
	const unhandled = nodes.filter(
		({ name, onError }) => onError === 'continueErrorOutput' && !connections[name]?.main?.[1]?.length,
	);
	expect(unhandled.map(({ name }) => name)).toEqual([]);
});
