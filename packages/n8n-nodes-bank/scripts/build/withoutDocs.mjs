import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parseAst } from 'rolldown/parseAst';

/**
 * Removes texts that only forms and docs use from core's code in dist: properties such as `description: …`, and arguments for
 * parameters of that name. They are a tenth of core, and nothing reads them at run time: `Operation` lacks these properties, so code
 * that reads one does not compile (`Docs` in core).
 */
const documenting = new Set(['description', 'notes', 'placeholder', 'responseSummary', 'serviceVersion', 'spec']);

/** Files that define operations and fields. */
const isDefinition = /[\\/]packages[\\/]core[\\/]src[\\/](?:operations|schemas|serviceDetails)[\\/]/;

const parse = (code) => parseAst(code, { lang: 'ts' });

function* nodesIn(value) {
	if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
	else if (typeof value === 'object' && value !== null) {
		if (typeof value.type === 'string') yield value;
		for (const part of Object.values(value)) yield* nodesIn(part);
	}
}

/** The index of the parameter `description` of each function, by the function's name. */
function describersIn(program) {
	const found = new Map();
	for (const node of nodesIn(program)) {
		const [name, of] = node.type === 'VariableDeclarator' ? [node.id.name, node.init] : [node.id?.name, node];
		if (name === undefined || !/^(?:Arrow)?Function(?:Expression|Declaration)?$/.test(of?.type)) continue;
		const place = of.params.findIndex((parameter) => parameter.name === 'description');
		if (place >= 0) found.set(name, place);
	}
	return found;
}

/** Whether an expression consists of string literals only, so that removing it has no side effect. */
const isStringLiteral = (node) =>
	(node?.type === 'Literal' && typeof node.value === 'string') ||
	node?.type === 'TemplateLiteral' ||
	(node?.type === 'BinaryExpression' && isStringLiteral(node.left) && isStringLiteral(node.right)) ||
	(node?.type === 'ArrayExpression' && node.elements.every(isStringLiteral));

const isDocumenting = ({ type, key, value }) =>
	type === 'Property' && documenting.has(key.name) && isStringLiteral(value);

/** Whether a node is a call `v.description('…')`. */
const isDescription = ({ type, callee, arguments: given }) =>
	type === 'CallExpression' &&
	callee.type === 'MemberExpression' &&
	callee.property.name === 'description' &&
	given.every(isStringLiteral);

/** Whether an argument is a description, or an object with documenting properties only. */
const documents = (argument, index, place) =>
	(index === place && isStringLiteral(argument)) ||
	(argument.type === 'ObjectExpression' && argument.properties.length > 0 && argument.properties.every(isDocumenting));

/** Yields the replacements in a source text. */
function* changesIn(code, program, describers) {
	for (const node of nodesIn(program)) {
		if (node.type === 'ObjectExpression')
			for (const property of node.properties.filter(isDocumenting)) {
				const [comma] = /^\s*,?/.exec(code.slice(property.end));
				yield { start: property.start, end: property.end + comma.length, text: '' };
			}
		if (node.type !== 'CallExpression') continue;
		const { callee, arguments: given } = node;
		for (const [index, argument] of given.entries())
			if (index > 0 && isDescription(argument)) yield { start: given[index - 1].end, end: argument.end, text: '' };
		if (callee.type !== 'Identifier' || !describers.has(callee.name)) continue;
		const place = describers.get(callee.name);
		const left = given.findLastIndex((argument, index) => !documents(argument, index, place)) + 1;
		if (left < given.length && left > 0) yield { start: given[left - 1].end, end: given.at(-1).end, text: '' };
		else if (isStringLiteral(given[place])) yield { start: given[place].start, end: given[place].end, text: "''" };
	}
}

/** Drops changes that are inside another change. */
const outermost = (changes) =>
	changes.filter(
		({ start, end }) =>
			!changes.some((other) => other.start <= start && end <= other.end && other.end - other.start > end - start),
	);

const core = path.join(import.meta.dirname, '../../../core/src');

export function withoutDocs() {
	const shared = globSync('{schemas,serviceDetails}/*.ts', { cwd: core }).flatMap((file) => [
		...describersIn(parse(readFileSync(path.join(core, file), 'utf8'))),
	]);
	return {
		name: 'without-docs',
		transform(code, id) {
			if (!isDefinition.test(id)) return undefined;
			const program = parse(code);
			const describers = new Map([...shared, ...describersIn(program)]);
			const changes = outermost([...changesIn(code, program, describers)]).sort(
				(one, other) => other.start - one.start,
			);
			return changes.reduce(
				(text, { start, end, text: instead }) => text.slice(0, start) + instead + text.slice(end),
				code,
			);
		},
	};
}
