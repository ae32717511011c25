/** Which files may import which others, including types. `structure.mjs` reads it, as part of `npm run lint`. */

const nodes = '^packages/n8n-nodes-bank/nodes/';
const core = '^packages/core/src/';

/** A forbidden import. `from` and `to` are regular expressions over paths; `but` are exceptions of `to`. */
const no = (name, comment, from, to, but) => ({
	name,
	comment,
	severity: 'error',
	from: { path: from },
	to: { path: to, ...(but === undefined ? {} : { pathNot: but }) },
});

/** What n8n's verification allows. */
const ofN8n = ['/node_modules/n8n-workflow/', '^(?:node:)?crypto$'];

/** Packages depend in one direction, and import each other's index only. */
const packages = [
	no('core-imports-valibot-only', 'core imports its own files and valibot', core, '.', [
		core,
		'/node_modules/valibot/',
	]),
	no(
		'credentials-know-core',
		'credentials import their own files, core, n8n-workflow and node:crypto',
		'^packages/credentials/src/',
		'.',
		['^packages/credentials/src/', `${core}index\\.ts$`, ...ofN8n],
	),
	no(
		'nodes-know-credentials-and-core',
		'what is published imports its own files, credentials, core, n8n-workflow and node:crypto',
		'^packages/n8n-nodes-bank/(?:nodes|credentials)/',
		'.',
		[
			'^packages/n8n-nodes-bank/(?:nodes|credentials)/',
			`${core}index\\.ts$`,
			'^packages/credentials/src/index\\.ts$',
			...ofN8n,
		],
	),
	no('fixtures-know-core', 'fixtures import their own files and core', '^packages/fixtures/src/', '^packages/', [
		'^packages/fixtures/',
		`${core}(?:index|docs)\\.ts$`,
	]),
	no('docs-are-not-published', 'the build leaves docs out of the published package', core, `${core}docs\\.ts$`),
];

/** core: texts, errors and schemas at the bottom, then operations, then the client and the triggers. */
const layersOfCore = [
	no(
		'core-base',
		'helpers for texts, JSON and validation issues import no other part',
		`${core}(?:boundedSet|headers|json|keys|list|number|omitUndefined|path|text|validation)\\.ts$`,
		`${core}(?:errors|schemas|operations|client|triggers)/|${core}operation\\.ts$`,
	),
	no(
		'core-errors',
		'errors are shared by operations',
		`${core}errors/`,
		`${core}(?:schemas|operations|client|triggers)/`,
	),
	no(
		'core-schemas',
		'schemas are shared by operations',
		`${core}schemas/`,
		`${core}(?:errors|operations|client|triggers)/|${core}operation\\.ts$`,
	),
	no(
		'core-vocabulary',
		'the type Operation is shared by operations',
		`${core}operation\\.ts$`,
		`${core}(?:operations|client|triggers)/`,
	),
	no(
		'core-operations',
		'an operation is data, independent of the client',
		`${core}operations/`,
		`${core}(?:client|triggers)/`,
	),
	no('core-client', 'a call is the same for every operation', `${core}client/`, `${core}(?:operations|triggers)/`),
	no('core-triggers', 'a trigger only parses; its node calls the bank', `${core}triggers/`, `${core}client/`),
	no('core-inside', 'the index is for other packages', `${core}(?!index\\.ts$)`, `${core}index\\.ts$`),
];

/** Inside the published package. */
const layersOfNodes = [
	no('shared-imports-no-node', 'shared/ serves every node', `${nodes}shared/`, `${nodes}(?!shared/)`),
	no('nodes-apart', 'nodes share code only through shared/', `${nodes}(?!shared/)([^/]+)/`, `${nodes}(?!shared/)`, [
		`${nodes}$1/`,
	]),
	no(
		'inbound-stands-alone',
		'authentication of incoming requests serves the triggers and knows neither them nor outgoing requests',
		`${nodes}shared/inbound/`,
		nodes,
		[`${nodes}shared/inbound/`],
	),
	no(
		'inbound-checks-are-pure',
		'a check is a function of settings and request, without the request of n8n',
		`${nodes}shared/inbound/(?:addressRanges|checks|digest|signature)\\.ts$`,
		`${nodes}shared/inbound/(?:authenticate|body|response)\\.ts$`,
	),
	no('messages-import-no-node', 'messages depend on core only', `${nodes}shared/messages\\.ts$`, nodes),
	no(
		'forms-are-literals',
		'what the editor shows does not depend on how it is run',
		`${nodes}[^/]+/descriptions?(?:/|\\.ts$)`,
		`${nodes}(?:[^/]+/forms/|shared/(?:pipeline/|http/|execute|failures|form/(?:choices|readForm)))`,
	),
];

const pipelineFolder = `${nodes}shared/pipeline/`;
const httpFolder = `${nodes}shared/http/`;
const steps = {
	plan: `${pipelineFolder}plan`,
	encode: `${pipelineFolder}encodeRequest`,
	claim: `${pipelineFolder}executionLedger`,
	send: `${httpFolder}bankHttpClient`,
	present: `${pipelineFolder}present`,
};
/** The steps of the pipeline, each with the steps whose types it may import. It imports no other step, and not the runner. */
const receives = { plan: [], encode: ['plan'], claim: ['encode'], send: ['encode'], present: ['encode'] };
const runners = [`${pipelineFolder}(?:pipeline|sendPayments)`, `${httpFolder}bankSession`];
const pipeline = [
	...Object.entries(receives).map(([step, before]) =>
		no(
			`${step}-imports-no-later-step`,
			'a step imports neither a later step nor the runner',
			`${steps[step]}\\.ts$`,
			`(?:${[...Object.values(steps), ...runners].join('|')})\\.ts$`,
			[step, ...before].map((known) => `${steps[known]}\\.ts$`),
		),
	),
	no(
		'http-imports-no-pipeline',
		'triggers use the HTTP client as well: it knows the bytes of a request and not how a run of a node makes them',
		`${httpFolder}(?!bankSession)`,
		`${pipelineFolder}(?!encodeRequest)`,
	),
	no(
		'pipeline-imports-no-entry-point',
		'triggers use the same steps',
		`${nodes}shared/(?:pipeline|http|idempotency)/`,
		`${nodes}shared/(?:execute|action)\\.ts$`,
	),
];

export const forbidden = [
	{
		name: 'no-circle',
		comment: 'files that import each other belong together, or need a third one',
		severity: 'error',
		from: {},
		to: { circular: true },
	},
	{
		name: 'found',
		comment: 'no rule would apply to an unresolved import',
		severity: 'error',
		// n8n is installed separately, and only where tests need it.
		from: { pathNot: '^packages/host/' },
		to: { couldNotResolve: true },
	},
	...packages,
	...layersOfCore,
	...layersOfNodes,
	...pipeline,
];

export const options = {
	doNotFollow: { path: 'node_modules' },
	tsPreCompilationDeps: true,
	// Resolves as TypeScript does: by the `exports` of the packages, whose entry points are sources.
	enhancedResolveOptions: {
		exportsFields: ['exports'],
		conditionNames: ['import', 'types', 'node', 'default'],
		extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
	},
};
