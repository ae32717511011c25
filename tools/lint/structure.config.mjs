/** Which files may import which others, including types. `structure.mjs` reads it, as part of `npm run lint`. */

const nodes = '^packages/n8n-nodes-bank/nodes/';
const core = '^packages/core/src/';

/** A forbidden import. `from` and `to` are regular expressions over paths; `but` are exceptions of `to`. */
const no = (name, from, to, but) => ({
	name,
	severity: 'error',
	from: { path: from },
	to: { path: to, ...(but === undefined ? {} : { pathNot: but }) },
});

/** Files that import only each other and `others`. */
const only = (name, files, ...others) => no(name, files, '.', [files, ...others]);

/** Layers from bottom to top: none imports a higher one. */
const layers = (name, folder, all) =>
	all.slice(0, -1).map((layer, at) => {
		const higher = all.slice(at + 1).join('|');
		return no(`${name}: ${layer}`, `${folder}(?:${layer})`, `${folder}(?:${higher})`);
	});

const coreIndex = `${core}index\\.ts$`;
/** What n8n's verification allows. */
const ofN8n = ['/node_modules/n8n-workflow/', '^(?:node:)?crypto$'];

/** Packages depend in one direction, and import each other's index only. */
const packages = [
	only('core-imports-valibot-only', core, '/node_modules/valibot/'),
	only('credentials-know-core', '^packages/credentials/src/', coreIndex, ...ofN8n),
	only(
		'nodes-know-credentials-and-core',
		'^packages/n8n-nodes-bank/(?:nodes|credentials)/',
		...[coreIndex, '^packages/credentials/src/index\\.ts$', ...ofN8n],
	),
	no('fixtures-know-core', '^packages/fixtures/src/', '^packages/', [
		'^packages/fixtures/',
		`${core}(?:index|docs)\\.ts$`,
	]),
	no('core-index-is-for-other-packages', `${core}(?!index\\.ts$)`, coreIndex),
	// The build leaves docs out of the published package.
	no('docs-are-not-published', core, `${core}docs\\.ts$`),
];

const layersOfCore = [
	...layers('core', core, [
		'(?:boundedSet|headers|json|keys|list|number|omitUndefined|path|text|validation)\\.ts$',
		'schemas/',
		'(?:errors/|operation\\.ts$)',
		'(?:operations|client)/',
		'triggers/',
	]),
	// An operation is data, and a call is the same for every operation.
	no('operations-are-data', `${core}operations/`, `${core}client/`),
	no('client-knows-no-operation', `${core}client/`, `${core}operations/`),
	no('triggers-only-parse', `${core}triggers/`, `${core}client/`),
];

/** The folders of nodes/shared, from bottom to top. */
const foldersOfShared = [
	'descriptions/',
	'base/',
	'inbound/',
	'idempotency/',
	'http/',
	'form/',
	'limits/',
	'pipeline/',
	'execute\\.ts$',
];
const pipeline = `${nodes}shared/pipeline/`;
const layersOfNodes = [
	...layers('shared', `${nodes}shared/`, foldersOfShared),
	{
		...no('shared-has-no-other-folders', `${nodes}shared/`, '.'),
		from: { path: `${nodes}shared/`, pathNot: `${nodes}shared/(?:${foldersOfShared.join('|')})` },
	},
	no('shared-imports-no-node', `${nodes}shared/`, `${nodes}(?!shared/)`),
	no('nodes-apart', `${nodes}(?!shared/)([^/]+)/`, `${nodes}(?!shared/)`, [`${nodes}$1/`]),
	no('messages-import-no-node', `${nodes}shared/base/messages\\.ts$`, nodes),
	// Only triggers authenticate incoming requests. The checks are pure functions that do not depend on n8n's request.
	no('inbound-stands-alone', `${nodes}shared/inbound/`, nodes, [`${nodes}shared/inbound/`]),
	...layers('inbound', `${nodes}shared/inbound/`, [
		'(?:addressRanges|checks|digest|signature)\\.ts$',
		'(?:authenticate|body|response)\\.ts$',
	]),
	no(
		'forms-do-not-depend-on-how-they-are-run',
		`${nodes}[^/]+/descriptions?(?:/|\\.ts$)`,
		`${nodes}(?:[^/]+/forms/|shared/(?:pipeline/|http/|execute|base/failures|form/(?:choices|readForm)))`,
	),
	...layers('pipeline', pipeline, [
		'plan\\.ts$',
		'encodeRequest\\.ts$',
		'(?:executionLedger|present)\\.ts$',
		'(?:pipeline|payJobs|bankSession)\\.ts$',
	]),
	no('steps-apart', `${pipeline}(executionLedger|present)\\.ts$`, `${pipeline}(?:executionLedger|present)\\.ts$`, [
		`/$1\\.ts$`,
	]),
];

export const forbidden = [
	{
		name: 'no-circle',
		severity: 'error',
		from: {},
		to: { circular: true },
	},
	{
		// No rule applies to an unresolved import.
		name: 'found',
		severity: 'error',
		// n8n is installed separately, and only where tests need it.
		from: { pathNot: '^packages/host/' },
		to: { couldNotResolve: true },
	},
	...packages,
	...layersOfCore,
	...layersOfNodes,
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
