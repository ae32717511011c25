// Reads a workflow of GitHub Actions and evaluates its expressions, with GitHub's own evaluator.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Evaluator, Lexer, Parser, data } from '@actions/expressions';
import { parse } from 'yaml';

type Value = string | number | boolean;

export interface Step {
	id?: string;
	name?: string;
	uses?: string;
	run?: string;
	if?: string | boolean;
	env?: Record<string, Value>;
	with?: Record<string, Value>;
}

export interface Job {
	uses?: string;
	needs?: string | string[];
	if?: string | boolean;
	strategy?: { matrix: Record<string, Value[]> & { include?: Record<string, Value>[] } };
	env?: Record<string, Value>;
	outputs?: Record<string, string>;
	steps?: Step[];
}

export interface Workflow {
	jobs: Record<string, Job>;
}

/** Values of an expression, by the name of their context: `github`, `needs`, `steps`, `matrix`. */
export type Contexts = Record<string, unknown>;

export function readWorkflow(checkout: string, file: string): Workflow {
	return parse(readFileSync(join(checkout, '.github/workflows', file), 'utf8')) as Workflow;
}

/** The text with its `${{ … }}` evaluated. */
export function interpolate(text: Value, contexts: Contexts): string {
	return String(text).replace(/\$\{\{([^}]*)\}\}/g, (_, expression: string) =>
		evaluate(expression, contexts).coerceString(),
	);
}

/** Whether an `if` holds. A run that failed ends the rehearsal, so `success()` is true and `cancelled()` false. */
export function isConditionMet(condition: string | boolean | undefined, contexts: Contexts): boolean {
	if (condition === undefined) return true;
	const result = evaluate(String(condition).replace(/^\$\{\{(.*)\}\}$/s, '$1'), contexts);
	return result.coerceString() === 'true' || !['', 'false', '0'].includes(result.coerceString());
}

const functions = Object.entries({ success: true, always: true, failure: false, cancelled: false }).map(
	([name, value]) => ({ name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }),
);

function evaluate(expression: string, contexts: Contexts): data.ExpressionData {
	const { tokens } = new Lexer(expression.trim()).lex();
	// An unknown context or function is an error.
	const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
	const known = new Map(functions.map((one) => [one.name, one]));
	return new Evaluator(parsed, toData(contexts) as data.Dictionary, known).evaluate();
}

function toData(value: unknown): data.ExpressionData {
	if (typeof value === 'string') return new data.StringData(value);
	if (typeof value === 'number') return new data.NumberData(value);
	if (typeof value === 'boolean') return new data.BooleanData(value);
	const pairs = Object.entries(value as object).map(([key, one]) => ({ key, value: toData(one) }));
	return new data.Dictionary(...pairs);
}

/** The combinations of a job's matrix: one without values if it has none. */
export function combinations({ strategy }: Job): Record<string, Value>[] {
	const { include = [], ...axes } = strategy?.matrix ?? {};
	const product = Object.entries(axes as Record<string, Value[]>).reduce<Record<string, Value>[]>(
		(all, [axis, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [axis]: value }))),
		[{}],
	);
	return include.length > 0 ? include : product;
}
