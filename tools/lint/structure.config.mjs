/**
 * The house, as rules over imports. Types count: whoever needs to know a name knows the room that it lives in.
 * Read by `structure.mjs`, which `npm run lint` runs; drawn with `node tools/lint/structure.mjs --draw`.
 */

const nodes = '^packages/n8n-nodes-bank/nodes/';
const core = '^packages/core/src/';

/** An arrow that must not be. `from` and `to` are regular expressions over paths; `but` are the exceptions of `to`. */
const no = (name, comment, from, to, but) => ({
	name,
	comment,
	severity: 'error',
	from: { path: from },
	to: { path: to, ...(but === undefined ? {} : { pathNot: but }) },
});

/** Packages look in one direction, and at each other's front door only. */
const packages = [
	no('core-knows-nobody', 'core imports its own files and valibot', core, '.', [core, '/node_modules/valibot/']),
	no(
		'credentials-know-core',
		'credentials import their own files and core',
		'^packages/credentials/src/',
		'^packages/',
		['^packages/credentials/src/', `${core}index\\.ts$`],
	),
	no(
		'nodes-know-credentials-and-core',
		'what is published imports its own files, credentials and core',
		'^packages/n8n-nodes-bank/(?:nodes|credentials)/',
		'^packages/',
		['^packages/n8n-nodes-bank/(?:nodes|credentials)/', `${core}index\\.ts$`, '^packages/credentials/src/index\\.ts$'],
	),
	no('fixtures-know-core', 'fixtures import their own files and core', '^packages/fixtures/src/', '^packages/', [
		'^packages/fixtures/',
		`${core}(?:index|docs)\\.ts$`,
	]),
	no('docs-stay-behind', 'the build leaves docs out of what is published', core, `${core}docs\\.ts$`),
];

/** core: texts, errors and schemas below, then operations, then what carries them out. */
const floorsOfCore = [
	no(
		'core-ground',
		'texts, JSON and faults stand on nothing else',
		`${core}(?:text|json|faults|headers|keys|list|memory|number|path)\\.ts$`,
		`${core}(?:errors|schemas|operations|client|triggers)/|${core}operation\\.ts$`,
	),
	no(
		'core-errors',
		'errors speak of an operation, and know none',
		`${core}errors/`,
		`${core}(?:schemas|operations|client|triggers)/`,
	),
	no(
		'core-schemas',
		'schemas are shared by operations, and know none',
		`${core}schemas/`,
		`${core}(?:errors|operations|client|triggers)/|${core}operation\\.ts$`,
	),
	no(
		'core-vocabulary',
		'the vocabulary of operations knows none of them',
		`${core}operation\\.ts$`,
		`${core}(?:operations|client|triggers)/`,
	),
	no(
		'core-operations',
		'an operation is data: who carries it out is no business of its own',
		`${core}operations/`,
		`${core}(?:client|triggers)/`,
	),
	no('core-client', 'a call is the same for every operation', `${core}client/`, `${core}(?:operations|triggers)/`),
	no('core-triggers', 'a trigger reads what came; its node calls', `${core}triggers/`, `${core}client/`),
	no('core-inside', 'the front door is for other packages', `${core}(?!index\\.ts$)`, `${core}index\\.ts$`),
];

/** Inside the published package: what all nodes share knows none of them, and they do not know each other. */
const floorsOfNodes = [
	no('shared-knows-no-node', 'the bridge serves every node alike', `${nodes}shared/`, `${nodes}(?!shared/)`),
	// A trigger may ask for the same fields as an operation of a node.
	no('nodes-apart', 'nodes meet only in shared/', `${nodes}(?!shared/)([^/]+)/`, `${nodes}(?!shared/)`, [
		`${nodes}$1/`,
		`${nodes}[^/]+/descriptions/generated/`,
	]),
	no(
		'inbound-stands-alone',
		'authentication of incoming requests serves the triggers and knows neither them nor outgoing requests',
		`${nodes}shared/inbound/`,
		nodes,
		[`${nodes}shared/inbound/`],
	),
	no(
		'inbound-checks-know-no-request-of-n8n',
		'a check is a function of settings and request',
		`${nodes}shared/inbound/(?:addressRanges|checks|digest|signature)\\.ts$`,
		`${nodes}shared/inbound/(?:authenticate|body|response)\\.ts$`,
	),
	no('words-know-no-room', 'words are looked up, by whoever needs them', `${nodes}shared/words\\.ts$`, nodes),
	no(
		'forms-are-literals',
		'what the editor shows does not depend on how it is run',
		`${nodes}[^/]+/descriptions?(?:/|\\.ts$)`,
		`${nodes}(?:[^/]+/forms/|shared/(?:run/|execute|failures|journal|readForm))`,
	),
];

/**
 * The rooms that a request passes through. Each knows what it is given, which is the type of the room named here, and no other room;
 * nor does it know who leads the request through.
 */
const given = { plan: [], seal: ['plan'], claim: ['seal'], send: ['seal'], present: ['seal'] };
const run = `${nodes}shared/run/`;
const pipeline = [
	...Object.entries(given).map(([room, before]) =>
		no(
			`${room}-knows-what-it-is-given`,
			'a room knows neither those after it nor who leads through them',
			`${run}${room}\\.ts$`,
			`${run}(?:${[...Object.keys(given), 'corridor', 'bank'].join('|')})\\.ts$`,
			[room, ...before].map((known) => `${run}${known}\\.ts$`),
		),
	),
	no('run-knows-no-entrance', 'the rooms serve triggers as well', run, `${nodes}shared/execute\\.ts$`),
];

export const forbidden = [
	{
		name: 'no-circle',
		comment: 'what needs each other is one thing, or has a third in common',
		severity: 'error',
		from: {},
		to: { circular: true },
	},
	{
		name: 'found',
		comment: 'an import that leads nowhere would be under no rule',
		severity: 'error',
		// n8n itself is installed apart, and only where it is needed.
		from: { pathNot: '^packages/host/' },
		to: { couldNotResolve: true },
	},
	...packages,
	...floorsOfCore,
	...floorsOfNodes,
	...pipeline,
];

export const options = {
	doNotFollow: { path: 'node_modules' },
	tsPreCompilationDeps: true,
	// As TypeScript finds them: by the exports of the packages, whose entries are sources.
	enhancedResolveOptions: {
		exportsFields: ['exports'],
		conditionNames: ['import', 'types', 'node', 'default'],
		extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
	},
};
