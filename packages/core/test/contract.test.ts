/** Compares core with the oracle: no fact of the API description is missing, none is invented. */
import * as v from 'valibot';

import { docsOf, likelyMethod } from '../src/docs.ts';
import {
	call,
	fieldsOf,
	finalStages,
	findOperation,
	hintsOf,
	hasAddress,
	messageTables,
	type NodeName,
	type Operation,
	operationById,
	operations,
	prepare,
	type PreparedRequest,
	resources,
	resourcesOf,
	restOperations,
	stages,
	unwrap,
} from '../src/index.ts';
import {
	describedIds,
	errorSection,
	errorSections,
	isRest,
	oracle,
	type OperationOracle,
	oracleOf,
	partOf,
	requiredIn,
	errorSectionOf,
} from '../../fixtures/src/oracle.ts';
import { bankThat, issuesOf, pathsIn, patience, prepared, queryOf, words } from './support/bank.ts';
import { hasSampleFile, shapes } from '../../fixtures/src/samples.ts';
import { namesIn, type SampleCase, sampleOf, samplesOf } from './support/samples.ts';
import { lenient, shapeOf, unordered } from './support/shape.ts';

describe('the catalogue', () => {
	test('has the operations of the API description, and no others among P1 to P11', () => {
		expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining([...describedIds]));
		expect(restOperations.map(({ id }) => id).sort()).toEqual(
			oracle
				.filter(isRest)
				.map(({ id }) => id)
				.sort(),
		);
	});

	test('has no ID, action or resource twice: n8n lists all actions of a node together', () => {
		const ids = operations.map(({ id }) => id);
		const actions = operations.map(({ action }) => action);
		const inNodes = resources.map(({ node, value }) => `${node}.${value}`);
		for (const all of [ids, actions, inNodes])
			expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
		for (const operation of operations) expect(findOperation(operation.id)).toBe(operation);
	});

	test('lists each operation once, under the resource of its ID', () => {
		for (const { value, operations: own } of resources) {
			expect(own.map(({ id }) => id.split('.')[0])).toEqual(own.map(() => value));
			expect([value, new Set(own.map(({ name }) => name)).size]).toEqual([value, Math.max(1, own.length)]);
		}
	});

	test.each([...new Set(oracle.map(partOf))])('has the operations of %s in their calling order', (part) => {
		const inOrder = oracle.filter((described) => partOf(described) === part && described.callIndex !== undefined);
		const callIndexOf = (id: string) => operationById(id).callIndex ?? Infinity;
		const ids = inOrder.sort((one, other) => (one.callIndex ?? 0) - (other.callIndex ?? 0)).map(({ id }) => id);
		expect([...ids].sort((one, other) => callIndexOf(one) - callIndexOf(other))).toEqual(ids);
		expect(ids.filter((id) => callIndexOf(id) === Infinity)).toEqual([]);
	});

	test('gives each node its resources', () => {
		const nodes = [...new Set(oracle.map(({ node }) => node))];
		expect(nodes.flatMap((node) => [...resourcesOf(node as NodeName)])).toHaveLength(resources.length);
		// Local operations send nothing, or use the path of another operation.
		const own = resources.flatMap((resource) => resource.operations).filter(({ local }) => local === true);
		const offered = resourcesOf('bank').flatMap((resource) => resource.operations);
		expect(offered.filter((operation) => !own.includes(operation))).toEqual(restOperations);
		expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(['payment.preparePackage']));
		const asks = ({ method, path }: Operation) => `${method} ${path}`;
		const strange = own.filter((one) => one.effect !== 'none' && !restOperations.map(asks).includes(asks(one)));
		expect(strange.map(({ id }) => id)).toEqual([]);
	});
});

/** Facts that a definition and the oracle write in the same way. */
const plainFacts = [
	'effect',
	'auth',
	'scope',
	'method',
	'path',
	'accessToken',
	'tokenExpiredStatus',
	'asynchronous',
] as const;
const plain = (from: Operation | OperationOracle) => Object.fromEntries(plainFacts.map((fact) => [fact, from[fact]]));

/** Converts a definition to the notation of the oracle. */
function shownBy(operation: Operation) {
	const { payload, choices, pathFields, query, body, unnamedFields, response, errors, dialect } = operation;
	const known = (schema: Operation['body']) => unordered(schema && shapeOf(schema));
	return {
		...plain(operation),
		spec: docsOf(operation).spec,
		pathFields: known(pathFields),
		choices: choices && Object.fromEntries(Object.entries(choices).map(([name, { from }]) => [name, from.id])),
		query: known(query),
		body: known(body),
		payload: payload === undefined ? undefined : payload.required ? 'required' : 'optional',
		unnamedFields: known(unnamedFields),
		files: payload?.files && { required: payload.files.required, most: payload.files.most },
		response: response && shapeOf(response),
		errors: errors.map(({ status, code }) => `${status} ${code}`),
		section: dialect?.spec ?? '7.1',
		hours: operation.deadline?.hours,
	};
}

function shownIn(described: OperationOracle) {
	const { spec, pathFields, choices, query, body, payload, unnamedFields, files, response, tolerated } = described;
	return {
		...plain(described),
		...{ spec, pathFields, choices, payload },
		query: unordered(query),
		body: unordered(body),
		unnamedFields: unordered(unnamedFields),
		files: files && { required: files.required, most: files.most },
		response: response && lenient({ ...response, ...tolerated }),
		errors: described.errors ?? [],
		section: errorSectionOf(described),
		hours: described.deadline?.hours,
	};
}

describe.each(operations.filter(({ id }) => describedIds.includes(id)))('$id', (operation) => {
	test('has exactly the properties that the description shows', () => {
		const described = oracleOf(operation.id);
		expect(shownBy(operation)).toEqual(shownIn(described));

		const { callOrder = [], deadline, response = {}, query = {} } = described;
		for (const phrase of callOrder) expect(operation.callOrder).toContain(phrase);
		const step = callOrder.find((phrase) => phrase.startsWith('step '));
		if (step !== undefined) expect(operation.callOrder?.split(',')[0]).toBe(step);
		if (deadline !== undefined) expect(operation.deadline?.until).toContain(deadline.until);

		// The paging fields: the list in the response and the fields of the query.
		const { key, offset, limit } = operation.list ?? {};
		expect([key].filter((field) => field !== undefined && response[field] !== 'object[] req')).toEqual([]);
		expect([offset, limit].filter((field) => field !== undefined && query[field] !== 'integer opt')).toEqual([]);
	});

	test('has service details for exactly the properties that are not shown', () => {
		const { method, notShown, body, unnamedFields, payload, effect } = oracleOf(operation.id);
		expect(!hasAddress(operation)).toBe(notShown.includes('method') || notShown.includes('path'));
		const asked = pathsIn(operation, {});
		expect(['method', 'path'].filter((gap) => asked.includes(gap))).toEqual(
			['method', 'path'].filter((gap) => notShown.includes(gap)),
		);
		const carries = body !== undefined || unnamedFields !== undefined || payload === 'required' || effect !== 'read';
		expect(likelyMethod(operation)).toBe(method ?? (carries ? 'POST' : 'GET'));
	});
});

const withSamples = operations.filter(({ id }) => hasSampleFile(id));

describe.each(withSamples)('$id', (operation) => {
	test('has a sample with all fields, and one with only the required fields', () => {
		const { pathFields = {}, query = {}, body = {}, unnamedFields = {}, payload, response } = oracleOf(operation.id);
		const { input, output } = sampleOf(operation.id, 'all fields');
		expect(namesIn(input.path)).toEqual(new Set(Object.keys(pathFields)));
		expect(namesIn(input.query)).toEqual(new Set(Object.keys(query)));
		expect(namesIn(input.body)).toEqual(new Set(Object.keys(body)));
		expect(Object.keys(input.unnamedFields ?? {})).toEqual(Object.keys(unnamedFields));
		expect(input.payload !== undefined).toBe(payload !== undefined);
		if (response !== undefined) expect(namesIn(output)).toEqual(new Set(Object.keys(response)));

		const smallest = sampleOf(operation.id, 'only the required fields');
		expect(namesIn(smallest.input.path)).toEqual(requiredIn(pathFields));
		expect(namesIn(smallest.input.query)).toEqual(requiredIn(query));
		// No single field says who is checked, but a check of nobody is refused.
		const alternatives = operation.id === 'unifiedCheck.run' ? ['fnm1'] : [];
		expect(namesIn(smallest.input.body)).toEqual(new Set([...requiredIn(body), ...alternatives]));
		expect([...namesIn(smallest.output)]).toEqual(expect.arrayContaining([...requiredIn(response)]));
	});

	test.each(samplesOf(operation.id).map((sample) => [sample.name, sample] as const))(
		'builds the request of its sample, and turns the response into the output: %s',
		async (_name, { input, request: expected, response, output }) => {
			const request = prepared(operation, input);
			expectRequest(request, expected);
			// A prepared input can be prepared again, with the same result.
			if (isRest(oracleOf(operation.id))) expect(prepare(operation, request.input)).toEqual(request);

			const text = response.body === undefined ? '' : JSON.stringify(response.body);
			const { send, asked } = bankThat(words(response.status, text));
			const result = await call(operation, request, send, patience());
			expect(result).toEqual({ data: output, raw: response.body, status: response.status });
			expect(asked).toEqual([request]);
		},
	);
});

function expectRequest(request: PreparedRequest, expected: SampleCase['request']): void {
	const { method, path, query, body, parts, headers } = expected;
	expect([request.method, request.url.split('?')[0], queryOf(request)]).toEqual([method, path, query]);
	expect(request.body === undefined ? undefined : (JSON.parse(request.body) as unknown)).toEqual(body);
	expect(request.parts).toEqual(parts);
	expect(request.headers).toEqual({
		Accept: 'application/json',
		...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		...headers,
	});
}

test.each(shapes<SampleCase>().map((shape) => [shape.name, shape] as const))(
	'a request that is not described is built in this shape: %s',
	(_name, { operation, input, request }) => {
		expectRequest(prepared(operation, input), request);
	},
);

test.each(operations.filter(({ id }) => !hasSampleFile(id)))(
	'$id: a response that is not documented is the output, unchanged',
	async (operation) => {
		for (const { input, response, output } of samplesOf(operation.id)) {
			const { send } = bankThat(words(response.status, JSON.stringify(response.body)));
			const { data, raw } = await call(operation, prepared(operation, input), send, patience());
			expect([data, raw]).toEqual([output, response.body]);
		}
	},
);

describe('the texts of a field', () => {
	const given = operations.flatMap(({ id, pathFields, query, body, unnamedFields }) =>
		[pathFields, query, body, unnamedFields].flatMap((group) =>
			fieldsOf(group).map(([name, entry]) => ({ id, name, field: unwrap(entry).schema })),
		),
	);
	const answered = operations.flatMap(({ id, response }) =>
		fieldsOf(response).map(([name, entry]) => ({ id, name, field: unwrap(entry).schema })),
	);

	test('are its label and its purpose', () => {
		const isGroup = (field: object) => 'entries' in field || 'item' in field;
		const untold = [...given, ...answered.filter(({ field }) => !isGroup(field))]
			.filter(({ field }) => (v.getTitle(field) ?? '') === '' || (v.getDescription(field) ?? '') === '')
			.map(({ id, name }) => `${id} ${name}`);
		expect(untold).toEqual([]);
		expect(given.length).toBeGreaterThan(50);
	});

	test('include an example that starts with "e.g.", if there is one', () => {
		const examples = given.flatMap(({ field }) => hintsOf(field).placeholder ?? []);
		expect(examples.filter((example) => !/^e\.g\. \S/.test(example))).toEqual([]);
		expect(examples.length).toBeGreaterThan(20);
	});

	test('include a label for each of its values, also for the initial one', () => {
		const choices = given.filter(({ field }) => hintsOf(field).labels !== undefined);
		expect(choices.length).toBeGreaterThan(3);
		for (const { id, name, field } of choices) {
			const { labels = {}, initial } = hintsOf(field);
			expect([id, name, Object.values(labels).filter((label) => label === '')]).toEqual([id, name, []]);
			if (initial !== undefined && initial !== '') expect(Object.keys(labels)).toContain(initial);
		}
	});
});

describe('the rules of the description for values', () => {
	const withValue = (id: string, name: string, value: unknown): string[] => {
		const operation = operationById(id);
		const { input } = sampleOf(id, 'all fields');
		const unnamedFields = { ...input.unnamedFields, [name]: value };
		return issuesOf(operation, { ...input, unnamedFields, payload: undefined })
			.filter(({ path }) => path === name)
			.map(({ message }) => message);
	};
	const limited = oracle.flatMap(({ id, digits = {}, unnamedFields = {} }) =>
		Object.entries(digits)
			.filter(([name]) => name in unnamedFields)
			.map(([name, length]) => [id, name, length] as const),
	);

	test.each(limited)('%s: %s has %i digits', (id, name, length) => {
		for (const digits of [length - 2, length - 1, length + 1, length + 2])
			expect(withValue(id, name, '7'.repeat(digits))).toEqual([
				expect.stringMatching(
					new RegExp(`^must have ${length} digits, got ${digits}(?:$|\\. A leading 0 may have been lost)`),
				),
			]);
		expect(withValue(id, name, '7'.repeat(length))).toEqual([]);
	});

	test('the stages, and which of them are final', () => {
		const described = oracleOf('channelApplication.setStatus').values?.stage ?? {};
		expect(Object.keys(stages).sort()).toEqual(Object.keys(described).sort());
		expect([...finalStages].sort()).toEqual(
			Object.keys(described)
				.filter((stage) => described[stage]?.final)
				.sort(),
		);
		for (const [stage, label] of Object.entries(stages)) {
			expect(label).toContain(`(${stage}`);
			expect([stage, /final/i.test(label)]).toEqual([stage, described[stage]?.final]);
			const said = label.toLowerCase().split(' (')[0]?.split(' ') ?? [];
			expect(described[stage]?.meaning.split(' ')).toEqual(expect.arrayContaining(said));
		}
	});

	test('only a full application has required documents', () => {
		const bare = (words: string) => words.toLowerCase().replaceAll('the ', '');
		for (const { id, files } of oracle) {
			const titles = Object.values(operationById(id).payload?.files?.documents ?? {});
			expect([id, titles.map(bare)]).toEqual([id, (files?.documents ?? []).map(bare)]);
		}
	});
});

describe('the errors of part 7', () => {
	const dialects = new Map(operations.map(({ dialect }) => [dialect?.spec, dialect]));

	test.each(errorSections.filter(({ section }) => section !== '7.1').map(({ section }) => section))(
		'%s: none is missing, none is invented',
		(section) => {
			const { errors } = errorSection(section);
			const listed = dialects.get(section)?.listed ?? [];
			expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(errors.map(({ status }) => status)));
			const codes = new Set(listed.map(({ code }) => code));
			for (const { code } of errors) expect(codes).toContain(code);
			if (errors.every(({ code }) => code !== undefined)) expect(listed).toHaveLength(errors.length);
		},
	);

	test('services without a section have none', () => {
		expect(dialects.get('7')?.listed).toEqual([]);
	});

	test('the message codes of the unified checks', () => {
		const { messages = {} } = errorSection('7.3');
		expect(messageTables).toEqual(
			Object.fromEntries(Object.entries(messages).map(([table, { codes }]) => [table, codes])),
		);
	});
});

test('the reference names the version of each service (9.3), and P3 as temporary (9.4)', () => {
	const versions = new Map(
		operations.map((operation) => [docsOf(operation).spec.replace(/,.*/, ''), docsOf(operation).serviceVersion]),
	);
	expect(Object.fromEntries(versions)).toEqual({
		'4': undefined,
		'4.13': '1.0.5',
		'4.14': '1.2.0',
		'4.15': '1.0.6',
		'4.16': '1.0.4',
		'4.17': '1.0.2',
		'4.18': '1.1.0',
		'4.19': '1.0.2',
		'4.20': '1.2.1',
	});
	for (const operation of operations)
		expect(docsOf(operation).description.includes('temporary')).toBe(operation.id === 'loanApplication.create');
});
