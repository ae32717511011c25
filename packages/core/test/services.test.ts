import {
	call,
	checkNames,
	finalStages,
	findOperation,
	fullApplicationDocuments,
	isAddressOpen,
	likelyMethod,
	messageTables,
	type Operation,
	operationById,
	operations,
	prepare,
	resources,
	resourcesOf,
	restOperations,
	stages,
	unwrap,
} from '../src/index.ts';
import { bankThat, faultsOf, json, pathsOf, patience, queryOf } from './support/bank.ts';
import { namesIn, sampleOf, samplesOf } from './support/samples.ts';
import {
	deadlines,
	fourDocuments,
	onlyOnce,
	salaryMessages,
	searchMessages,
	sectionOfErrors,
	sectionSizes,
	services,
	sharedMessages,
	shownErrors,
	type ShownOperation,
	stageTable,
	taxNumberLengths,
} from './support/services.ts';
import { requiredIn, shapeOf } from './support/shape.ts';

const sectionOf = ({ spec }: { spec: string }) => spec.replace(/^(4\.\d+).*$/, '$1');
const serviceOperations = operations.filter(
	(operation) => !(restOperations as readonly Operation[]).includes(operation),
);
const documentTitles: string[] = Object.values(fullApplicationDocuments);

describe('the catalogue', () => {
	test('has P1 to P11 and the operations of the eight services, and no other', () => {
		expect(operations).toHaveLength(54);
		expect(serviceOperations.map(({ id }) => id).sort()).toEqual(Object.keys(services).sort());
	});

	test('covers every section of part 4', () => {
		const sizes: Record<string, number> = {};
		for (const operation of serviceOperations) sizes[sectionOf(operation)] = (sizes[sectionOf(operation)] ?? 0) + 1;
		expect(sizes).toEqual(sectionSizes);
	});

	test('has no id twice, so that each can be found by it', () => {
		expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
		for (const operation of operations) expect(findOperation(operation.id)).toBe(operation);
	});

	test('has no sentence twice: n8n lists all actions of a node together', () => {
		const actions = operations.map(({ action }) => action);
		expect(actions.filter((action, index) => actions.indexOf(action) !== index)).toEqual([]);
	});

	test('has no resource twice in a node', () => {
		const all = resources.map(({ node, value }) => `${node}.${value}`);
		expect(new Set(all).size).toBe(all.length);
	});

	test.each(resources.map((resource) => [`${resource.node}, ${resource.name}`, resource] as const))(
		'%s holds operations of its own name, each under another',
		(_name, resource) => {
			expect(resource.operations.length).toBeGreaterThan(0);
			for (const { id } of resource.operations) expect(id.split('.')[0]).toBe(resource.value);
			expect(new Set(resource.operations.map(({ name }) => name)).size).toBe(resource.operations.length);
		},
	);

	test('gives each node its resources', () => {
		expect(resourcesOf('bankChecks').map(({ value }) => value)).toEqual(['entryScore', 'unifiedCheck']);
		const nodes = ['bank', 'bankChecks', 'bankCardIssuance', 'bankCourier', 'bankPartnerServices'] as const;
		expect(nodes.flatMap((node) => [...resourcesOf(node)])).toHaveLength(resources.length);
		expect(resourcesOf('bank').flatMap((resource) => resource.operations)).toEqual(restOperations);
	});
});

describe.each(serviceOperations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
	const shown = services[id] as ShownOperation;

	test('has what the description shows of it, and nothing of what it does not', () => {
		const { spec, method, path, effect, auth } = operation;
		expect({ spec, method, path, effect, auth }).toEqual({
			spec: shown.spec,
			method: shown.method,
			path: shown.path,
			effect: shown.effect,
			auth: shown.auth,
		});
		// Not shown for any of the eight services.
		for (const gap of ['response', 'query', 'scope', 'list', 'identity'] as const)
			expect(operation).not.toHaveProperty(gap);
		expect(operation.errors).toEqual([]);
	});

	test('has a field for each place of the path, and no other', () => {
		const places = [...(shown.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'string req']);
		expect(shapeOf(operation.pathFields)).toEqual(Object.fromEntries(places));
	});

	test('has the fields of the body that the description names, or takes any where it names none', () => {
		expect(operation.body === undefined).toBe(shown.body === undefined);
		expect(shapeOf(operation.body)).toEqual(shown.body ?? {});
		expect(shapeOf(operation.nameless)).toEqual(shown.nameless ?? {});
		const { payload } = operation;
		expect(payload === undefined ? undefined : payload.required ? 'required' : 'optional').toBe(shown.payload);
		expect(payload?.files !== undefined).toBe(shown.files === true);
	});

	test('words its errors as its section of part 7 does', () => {
		expect(operation.dialect?.spec).toBe(sectionOfErrors[sectionOf(shown)]);
	});

	test('knows its deadline, and whether it is asked for only once', () => {
		const { deadline } = operation;
		expect(deadline?.hours).toBe(deadlines[id]?.hours);
		if (deadlines[id] !== undefined) expect(deadline?.until).toMatch(deadlines[id].until);
		expect(operation.once).toBe(onlyOnce.includes(id) ? true : undefined);
	});

	test('knows its place in the calling order where one is shown', () => {
		if (shown.order === undefined) expect(operation.spec).not.toMatch(/^4\.1[35]/);
		else expect(operation.order).toMatch(shown.order);
	});

	test('asks for what is not shown, and only for that', () => {
		expect(isAddressOpen(operation)).toBe(shown.method === undefined || shown.path === undefined);
		const asked = pathsOf(faultsOf(operation, {}));
		expect(asked.includes('method')).toBe(shown.method === undefined);
		expect(asked.includes('path')).toBe(shown.path === undefined);
	});

	test('begins with a method that can carry what it needs', () => {
		const carries =
			shown.body !== undefined ||
			shown.nameless !== undefined ||
			shown.payload === 'required' ||
			shown.effect !== 'read';
		expect(likelyMethod(operation)).toBe(shown.method ?? (carries ? 'POST' : 'GET'));
	});
});

describe.each(serviceOperations.map((operation) => [operation.id, operation] as const))(
	'the samples of %s',
	(id, operation) => {
		test('are one with all that can be given and one with only what is required', () => {
			const { path, body, nameless, payload } = sampleOf(id, 'all fields').input;
			expect(Object.keys(path)).toEqual(Object.keys(operation.pathFields?.entries ?? {}));
			expect(namesIn(body)).toEqual(new Set(Object.keys(shapeOf(operation.body))));
			expect(Object.keys(nameless ?? {})).toEqual(Object.keys(operation.nameless?.entries ?? {}));
			expect(payload !== undefined).toBe(operation.payload !== undefined);
			expect(namesIn(sampleOf(id, 'only the required fields').input.body)).toEqual(requiredIn(shapeOf(operation.body)));
		});

		test.each(samplesOf(id).map((sample) => [sample.name, sample] as const))(
			'become the request that they show, and their answer the output: %s',
			async (_name, sample) => {
				const { method, path, query, body, parts, headers = {} } = sample.request;
				const request = prepare(operation, sample.input);
				expect([request.method, request.url.split('?')[0], queryOf(request)]).toEqual([method, path, query]);
				expect(request.body === undefined ? undefined : (JSON.parse(request.body) as unknown)).toEqual(body);
				expect(request.parts).toEqual(parts);
				expect(request.headers).toEqual({
					Accept: 'application/json',
					...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
					...headers,
				});

				const { send, asked } = bankThat(json(sample.response.status, sample.response.body));
				const result = await call(operation, request, send, patience());
				expect(result).toEqual({ data: sample.output, raw: sample.response.body, status: sample.response.status });
				expect(asked).toEqual([request]);
			},
		);
	},
);

test('the card application must carry the four documents, the first upload of scans any', () => {
	expect(documentTitles).toHaveLength(fourDocuments.length);
	fourDocuments.forEach((title, index) => expect(documentTitles[index]).toMatch(title));
	expect(operationById('application.complete').payload?.files?.documents).toBe(fullApplicationDocuments);
	const others = serviceOperations.filter(
		({ payload, id }) => payload?.files?.documents !== undefined && id !== 'application.complete',
	);
	expect(others.map(({ id }) => id)).toEqual([]);
});

test('only the attaching of a file is "called once per file"', () => {
	expect(
		serviceOperations
			.filter(({ payload }) => payload?.files?.most !== undefined)
			.map(({ id, payload }) => [id, payload?.files?.most]),
	).toEqual([['file.attach', 1]]);
});

test('only the profile needs an access token, and only there 419 says that it has expired', () => {
	expect(operations.filter(({ accessToken }) => accessToken === true).map(({ id }) => id)).toEqual(['profile.get']);
	expect(
		operations
			.filter(({ tokenExpiredStatus }) => tokenExpiredStatus !== undefined)
			.map(({ id, tokenExpiredStatus }) => [id, tokenExpiredStatus]),
	).toEqual([['profile.get', 419]]);
});

test('the stages and which of them are final', () => {
	expect(Object.keys(stages)).toEqual(Object.keys(stageTable));
	expect([...finalStages]).toEqual(Object.keys(stageTable).filter((stage) => stageTable[stage]?.final));
	for (const [stage, label] of Object.entries(stages)) {
		expect(label).toMatch(stageTable[stage]?.meaning as RegExp);
		expect(label).toContain(`(${stage}`);
		expect(/final/i.test(label)).toBe(stageTable[stage]?.final);
	}
});

test.each(Object.entries(taxNumberLengths))('%s takes a tax number of %i digits', (id, length) => {
	const input = (digits: number) => ({
		method: 'POST',
		nameless: { taxNumber: { value: '7'.repeat(digits), field: 'number' } },
	});
	for (const digits of [9, 10, 11, 12, 13]) {
		const expected =
			digits === length ? [] : [{ path: 'taxNumber', message: `must have ${length} digits, got ${digits}` }];
		expect(faultsOf(id, input(digits))).toEqual(expected);
	}
});

test('the check names are those that can be sent', () => {
	const item = unwrap(operationById('unifiedCheck.run').body?.entries.checks as never).schema.item;
	expect(shapeOf(item).checkName).toBe(`${Object.keys(checkNames).join('|')} req`);
});

test('the message codes of 7.3', () => {
	expect(messageTables.shared).toEqual(sharedMessages);
	expect(messageTables.WSGlobalSearch).toEqual(searchMessages);
	expect(messageTables.WSResultSOZSalaryProject).toEqual(salaryMessages);
});

describe('the errors of part 7', () => {
	const dialects = new Map(serviceOperations.map(({ dialect }) => [dialect?.spec, dialect]));
	const keyOf = ({ status, code }: { status?: number | undefined; code?: string | undefined }, section: string) =>
		['7.2', '7.4'].includes(section) ? code : status;

	test.each(['7.2', '7.3', '7.4', '7.5', '7.6'] as const)('%s: none is missing, none is invented', (section) => {
		const listed = dialects.get(section)?.listed.map((error) => keyOf(error, section));
		const shown = shownErrors.filter((error) => error.section === section).map((error) => keyOf(error, section));
		expect(new Set(listed)).toEqual(new Set(shown));
	});

	test('of three services none is listed', () => {
		expect(dialects.get('7')?.listed).toEqual([]);
	});
});
