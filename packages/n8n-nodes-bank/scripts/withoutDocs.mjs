import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parseAst } from 'rolldown/parseAst';

/**
 * What forms and docs say of operations and fields is made of core's sources, and stands in types/nodes.json: nothing asks for it when a
 * node runs. In dist the same words would be a tenth of core, so that they are left out there: `description: …` and the like, and what
 * is given for a parameter of that name. No `Operation` has these properties: code that reads one does not compile (`Docs` in core).
 */
const documenting = new Set(['answers', 'description', 'notes', 'placeholder', 'serviceVersion', 'spec']);

/** Of the files in which operations and their fields are defined. */
const isDefinition = /[\\/]packages[\\/]core[\\/]src[\\/](?:operations|schemas)[\\/]/;

const parse = (code) => parseAst(code, { lang: 'ts' });

function* nodesIn(value) {
	if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
	else if (typeof value === 'object' && value !== null) {
		if (typeof value.type === 'string') yield value;
		for (const part of Object.values(value)) yield* nodesIn(part);
	}
}

/** Functions and the place of their parameter `description`. */
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

/** Words and nothing else: what is computed may do more than say something. */
const isWords = (node) =>
	(node?.type === 'Literal' && typeof node.value === 'string') ||
	node?.type === 'TemplateLiteral' ||
	(node?.type === 'BinaryExpression' && isWords(node.left) && isWords(node.right)) ||
	(node?.type === 'ArrayExpression' && node.elements.every(isWords));

const isDocumenting = ({ type, key, value }) => type === 'Property' && documenting.has(key.name) && isWords(value);

/** Given for a parameter `description`, or hints of which none is left. */
const documents = (argument, index, place) =>
	(index === place && isWords(argument)) ||
	(argument.type === 'ObjectExpression' && argument.properties.length > 0 && argument.properties.every(isDocumenting));

/** Places of the source and what stands there instead. */
function* changesIn(code, program, describers) {
	for (const node of nodesIn(program)) {
		if (node.type === 'ObjectExpression')
			for (const property of node.properties.filter(isDocumenting)) {
				const [comma] = /^\s*,?/.exec(code.slice(property.end));
				yield { start: property.start, end: property.end + comma.length, text: '' };
			}
		if (node.type !== 'CallExpression') continue;
		const { callee, arguments: given } = node;
		const isOwn = callee.type === 'Identifier' && describers.has(callee.name);
		const isOfLibrary = callee.type === 'MemberExpression' && callee.property.name === 'description';
		if (!isOwn && !isOfLibrary) continue;
		const place = isOwn ? describers.get(callee.name) : 0;
		const left = given.findLastIndex((argument, index) => !documents(argument, index, place)) + 1;
		if (left < given.length && left > 0) yield { start: given[left - 1].end, end: given.at(-1).end, text: '' };
		else if (isWords(given[place])) yield { start: given[place].start, end: given[place].end, text: "''" };
	}
}

/** Without those inside another. */
const outermost = (changes) =>
	changes.filter(
		({ start, end }) =>
			!changes.some((other) => other.start <= start && end <= other.end && other.end - other.start > end - start),
	);

const schemas = path.join(import.meta.dirname, '../../core/src/schemas');

export function withoutDocs() {
	const shared = globSync('*.ts', { cwd: schemas }).flatMap((file) => [
		...describersIn(parse(readFileSync(path.join(schemas, file), 'utf8'))),
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
