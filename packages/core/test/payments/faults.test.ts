/**
 * Tests the search: puts single faults into the source of the protocol, one at a time, which the search must find.
 * Fails if the text that a fault replaces is no longer in the source.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { transformSync } from '@swc/core';

import { type Machine, search } from './search.ts';
import { smallWorlds } from './worlds.ts';

const source = readFileSync(join(__dirname, '../../src/payments/protocol.ts'), 'utf8');

type Fault = [world: keyof typeof smallWorlds, what: string, text: string, instead: string];

const faults: Fault[] = [
	// Reading the log
	[
		'plain',
		'an accepted payment is free',
		'if (row !== undefined) return { is: isSame(row)',
		'if (false) return { is: isSame(row)',
	],
	[
		'plain',
		'accepted is not looked at first',
		'const made = rows.filter(isMade)',
		'const made = openRows(rows).length > 0 ? [] : rows.filter(isMade)',
	],
	['plain', "a person's `has` does not count", "state === 'accepted' || state === 'has'", "state === 'accepted'"],
	[
		'plain',
		'an unknown number is free',
		"(row.state === 'sending' || row.state === 'unknown')",
		"row.state === 'sending'",
	],
	[
		'copies',
		'a number that was not finished is free',
		"(row.state === 'sending' || row.state === 'unknown')",
		"row.state === 'unknown'",
	],
	['copies', 'what ended in one workflow ended in all', `\`\${workflow} \${number}\``, `\`\${number}\``],
	['plain', 'what ended one number ended all', '!ended.has(numberOf(row))', 'ended.size === 0'],
	[
		'copies',
		'an attempt of another workflow that has not claimed yet is ignored',
		"state === 'preparing' && workflow !== own",
		'false',
	],
	['plain', 'a rejected payment is not free', "state === 'rejected' || state === 'notSent'", "state === 'notSent'"],
	[
		'plain',
		'a payment that was not sent is not free',
		"state === 'rejected' || state === 'notSent'",
		"state === 'rejected'",
	],
	['plain', 'a number is used again', 'number: highest + 1', 'number: Math.max(1, highest)'],
	['content', 'other content is the same payment', "content === '' || row.content === content", 'true'],
	// A run
	['plain', 'the own row is not looked for', `own.has(\`\${key} \${part.attempt}\`)`, 'true'],
	[
		'packages',
		'refusals are ignored',
		"event.is !== 'decided' || event.refused.includes(key)",
		"event.is !== 'decided'",
	],
	[
		'plain',
		'a lost claim is ignored',
		"won: event.is === 'claimed' ? event.won : []",
		'won: openIn(state).map(({ key }) => key)',
	],
	[
		'plain',
		'a claim whose reply was lost is won',
		"event.is === 'claimed' ? event.won : []",
		"event.is === 'claimed' ? event.won : Object.keys(state.numbers)",
	],
	[
		'run',
		'nothing is claimed',
		'claim({ ...state, begun: [...state.begun, run.key] });\n}\n\nfunction explainBegin',
		'mark({ ...state, begun: [...state.begun, run.key] });\n}\n\nfunction explainBegin',
	],
	[
		'plain',
		'a claim that no row explains is free',
		"running === undefined ? { is: 'unknown' }",
		"running === undefined ? notSent('justEnded')",
	],
	[
		'copies',
		'sends although the mark failed',
		"event.is === 'failed' ? write(settlePart(state, notSent('logFailed'))) : send(state)",
		'send(state)',
	],
	['copies', 'no mark after all claims were won', '? mark(claimed)', '? send(claimed)'],
	[
		'plain',
		'unknown is written as not sent',
		'return { state: result.outcome, number }',
		"return { state: result.outcome === 'unknown' ? 'notSent' : result.outcome, number }",
	],
	[
		'plain',
		'unknown is written as rejected',
		'return { state: result.outcome, number }',
		"return { state: result.outcome === 'unknown' ? 'rejected' : result.outcome, number }",
	],
	['plain', 'a missing answer is a rejection', "outcomes[key] ?? 'unknown'", "outcomes[key] ?? 'rejected'"],
	[
		'two',
		'an answer of one payment is that of all',
		"outcomes[key] ?? 'unknown'",
		"Object.values(outcomes)[0] === 'accepted' ? 'accepted' : 'rejected'",
	],
	[
		'plain',
		'an attempt that did not win ends the number',
		"state.won.includes(key) ? { state: 'notSent'",
		"true ? { state: 'notSent'",
	],
	[
		'plain',
		'an attempt that did not win frees the number',
		"return { state: 'unknown', number };",
		"return { state: 'notSent', number };",
	],
	[
		'plain',
		'an unexplained number is not recorded',
		"if (result.is === 'unknown' && result.row === undefined) return { state: 'unknown', number };",
		'',
	],
	[
		'copiesOfPackages',
		'the end of a package removes the rows of the next ones',
		'parts = [partOf(state)]): Step<Row> {',
		'parts = state.parts): Step<Row> {',
	],
	[
		'twoPackages',
		'a result that cannot be written ends the run',
		'{ ...state, unwritten: [...state.unwritten, ...numbered(state)] }',
		'{ ...state, at: state.parts.length }',
	],
	['two', 'one claim is won, all are sent', '.every(({ key }) => claimed.won', '.some(({ key }) => claimed.won'],
	[
		'plain',
		'the mark has no number',
		"{ state: 'sending', number: state.numbers[one.key]?.number ?? 0 }",
		"{ state: 'sending', number: 0 }",
	],
	['plain', 'the own row explains a lost claim', 'row.attempt !== attempt && row.until > now', 'row.until > now'],
	[
		'packages',
		'the run goes on after Stop',
		"write(settle(settled, allIn(state), notSent('stopped')), state.parts.slice(state.at))",
		'write(settled)',
	],
	['packages', 'payments that were refused are sent', 'payments.filter(({ key }) => isOpen(state, key))', 'payments'],
	[
		'plain',
		'attempts end when they start',
		"record: Pick<LogEntry, 'state' | 'number'>,\n): LogEntry => ({ key, attempt, workflow, ...record, until, content })",
		"record: Pick<LogEntry, 'state' | 'number'>,\n): LogEntry => ({ key, attempt, workflow, ...record, until: 0, content })",
	],
	// Sequence or phone
	['kinds', 'a payment run is not begun', 'part.run === undefined || state.begun.includes(part.run.key)', 'true'],
	['kinds', 'a lost begin is ignored', 'event.won.length === 0', 'false'],
	[
		'kindGone',
		'a begin that no row explains is begun',
		'const unanswered = openIn(state).filter((payment) => !isAnswered(payment))',
		'const unanswered: LogKey[] = []',
	],
	[
		'answeredBoth',
		'a payment run that people have answered about does not begin again',
		'begin(settled, run, state.beginning + 1)',
		'claim(settled)',
	],
	[
		'runGone',
		'a begin that no row explains stays so',
		'free?.isAnswered === true && free.number > state.beginning',
		'false',
	],
	[
		'copiesOfKinds',
		'only `begun` shows how another workflow identifies the payments',
		'...known.filter(({ attempt, until }) => !own.has(attempt) && until > now)',
		'',
	],
	[
		'copiesOfKinds',
		'a row that contradicts is not looked at first',
		'shown.find((one) => one.content !== content) ?? shown[0]',
		'shown[0]',
	],
	[
		'otherKind',
		'a run that is beginning the payment run has begun it',
		"shown?.isSame === true && shown.row.state === 'begun' }",
		'shown?.isSame === true }',
	],
	['kinds', 'the own rows show that a payment run has begun', '!own.has(attempt) && until > now', 'until > now'],
	// A person
	[
		'plain',
		'an answer while an attempt may run',
		"if (running !== undefined) return { is: 'running'",
		"if (false) return { is: 'running'",
	],
	['late', 'an answer about an earlier attempt ends a later one', "answer === 'hasNot' && asked !== ''", 'false'],
	[
		'twoOpen',
		'an answer ends one of several open numbers',
		'const ended = open.length === 0 ? [last] : open;',
		'const ended = open.length === 0 ? [last] : open.slice(-1);',
	],
	[
		'plain',
		'an answer records the next number',
		'({ ...row, attempt, state: answer',
		'({ ...row, number: row.number + 1, attempt, state: answer',
	],
	[
		'plain',
		'an answer counts for the attempt only',
		"is: 'recorded', rows: ended.map((row) => ({ ...row, attempt,",
		"is: 'recorded', rows: ended.map((row) => ({ ...row, workflow: 'person', attempt,",
	],
];

function machineWith([, , text, instead]: Fault): Machine {
	expect(source.split(text)).toHaveLength(2);
	const { code } = transformSync(
		source.replace(text, () => instead),
		{
			jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
			module: { type: 'commonjs' },
		},
	);
	const exported = {} as Machine;
	compileFunction(code, ['exports'])(exported);
	return exported;
}

it.each(Object.entries(smallWorlds))('the source without a fault is fine: %s', (_, plan) => {
	expect(search(plan).problem).toBeUndefined();
});

it.each(faults)('%s: %s', (...fault) => {
	expect(search(smallWorlds[fault[0]], machineWith(fault)).problem).toMatch(/paid|shown/);
});
