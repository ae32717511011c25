/** Rules for the files of all examples. Senders choose the texts of operations, so no CSV file of an example may contain a formula. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { logColumns } from '../../../n8n-nodes-bank/nodes/shared/idempotency/paymentLog.ts';
import { repoDir } from '../../src/paths.ts';

interface ExampleNode {
	name: string;
	type: string;
	position: [x: number, y: number];
	parameters: {
		operation?: string;
		jsonOutput?: string;
		content?: string;
		tableName?: string;
		columns?: { column: { name: string }[] };
	};
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, { main?: { node: string }[][] }>;
}

const files = globSync('examples/*.json', { cwd: repoDir });
const examples = files.map((file) => JSON.parse(readFileSync(join(repoDir, file), 'utf8')) as Example);

/** Nodes whose items a following node writes to CSV. */
const writers = examples.flatMap(({ nodes, connections }) =>
	nodes
		.filter(({ type, parameters }) => type === 'n8n-nodes-base.convertToFile' && parameters.operation === 'csv')
		.map(({ name }) =>
			nodes.filter((node) => connections[node.name]?.main?.flat().some((target) => target.node === name)),
		),
);

const formulas = ['=1+1', '+7', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =HYPERLINK("http://a.test")', '＝1+1'];

it('is written by one example, after a node that looks at each text', () => {
	expect(writers.map((before) => before.map(({ type }) => type))).toEqual([['n8n-nodes-base.set']]);
});

it.each(writers.flat())('$name leaves no text that begins like a formula, and changes no other', ({ parameters }) => {
	const rows = formulas.map((title) => ({ title, amount: -5, currency: 'RUB', replaces: '' }));
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(parameters.jsonOutput ?? '') ?? [];
	const written = rows.map(($json) => JSON.stringify(runInNewContext(`(${expression})`, { $json })));
	expect(written).toEqual(rows.map((row) => JSON.stringify({ ...row, title: `'${row.title}` })));
});

// n8n runs the branches of a node from top to bottom, and those at the same height from left to right.
test.each(examples)('$name lists the branches of each node in the order in which n8n runs them', (example) => {
	const positions = new Map(example.nodes.map(({ name, position }) => [name, position]));
	const place = (name: string) => positions.get(name) ?? [0, 0];
	const branches = Object.values(example.connections).flatMap(({ main = [] }) => main);
	const byPlace = branches.map((targets) =>
		targets
			.map(({ node }) => node)
			.sort((one, other) => place(one)[1] - place(other)[1] || place(one)[0] - place(other)[0]),
	);
	expect(branches.map((targets) => targets.map(({ node }) => node))).toEqual(byPlace);
});

test('an example that makes the payment log makes it with all its columns', () => {
	const made = examples.flatMap(({ nodes }) =>
		nodes.flatMap(({ parameters: { tableName, columns } }) =>
			tableName === 'Bank Payment Log' ? [columns?.column.map(({ name }) => name)] : [],
		),
	);
	expect(made).toEqual(made.map(() => [...logColumns]));
	expect(made.length).toBeGreaterThan(0);
});

test.each(examples.map((example, index) => [files[index], example]))(
	'the notes of %s have its name as title, and say what to click, what happens and what to change',
	(_file, { name, nodes }) => {
		const notes = nodes.flatMap(({ parameters }) => parameters.content ?? []).join('\n');
		expect(notes.split('\n')[0]).toBe(`## ${name}`);
		expect(notes).toMatch(/\*\*(?:Click|Publish)\*\*/i);
		expect(notes).toMatch(/\*\*What happens\.\*\*/);
		expect(notes).toMatch(/(?:\*\*|## )For your own use/);
	},
);
