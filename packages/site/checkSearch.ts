// Run after `vitepress build`: searches the index in the same way as the site's search box. Each search must show the right page
// first.
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import config from './.vitepress/config.ts';

interface Hit {
	id: string;
}

interface Index {
	search(query: string): Hit[];
}

/** Search and the page that must come first; several pages if each has the answer. */
const searches: Record<string, string> = {
	idempotency: 'payments',
	duplicate: 'payments',
	'duplicate protection': 'payments',
	'dry run': 'payments',
	batch: 'payments',
	payroll: 'payments, nodes/bank',
	refund: 'not-shown',
	'cancel payment': 'not-shown',
	balance: 'not-shown',
	'account list': 'not-shown',
	'list of cards': 'not-shown',
	'payment status': 'not-shown',
	reconcile: 'not-shown',
	'rate limit': 'errors',
	retry: 'errors',
	'test mode': 'sandbox, credentials',
	'instant payments': 'payments',
	SBP: 'payments',
	webhook: 'triggers, nodes/bank-trigger',
	'webhook signature': 'credentials',
	approval: 'payments, examples',
	'audit log': 'payments',
	'payment log': 'payments',
	'which bank': 'not-shown',
	'n8n 3': 'admin',
	checksum: 'admin, faq',
	install: 'admin',
	'queue mode': 'admin',
	'client certificate': 'credentials',
	insufficient_scope: 'credentials, faq',
	'AI agent': 'nodes/bank',
	'daily limit': 'guardrails',
	'service details': 'service-details, credentials',
};

const base = config.base ?? '/';
const file = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: config.outDir }).map((name) =>
	join(import.meta.dirname, config.outDir ?? '', name),
)[0];
if (file === undefined) throw new Error('The site is not built');
const { default: json } = (await import(pathToFileURL(file).href)) as { default: string };
// A dependency of VitePress.
const require = createRequire(createRequire(import.meta.url).resolve('vitepress'));
const { default: MiniSearch } = (await import(pathToFileURL(require.resolve('minisearch')).href)) as {
	default: { loadJSON(json: string, options: object): Index };
};
const { search } = config.themeConfig ?? {};
if (search?.provider !== 'local') throw new Error('The site has no local search');
// The options of VitePress's search box (VPLocalSearchBox.vue).
const index = MiniSearch.loadJSON(json, {
	fields: ['title', 'titles', 'text'],
	storeFields: ['title', 'titles'],
	searchOptions: {
		fuzzy: 0.2,
		prefix: true,
		boost: { title: 4, text: 2, titles: 1 },
		...search.options?.miniSearch?.searchOptions,
	},
});
const wrong = Object.entries(searches).flatMap(([query, page]) => {
	const ids = index.search(query).map(({ id }) => id.replace(base, ''));
	return page.split(', ').includes(ids[0]?.split('#')[0] ?? '')
		? []
		: [`${query}: ${page} expected, found ${ids.slice(0, 5).join(', ')}`];
});
console.log(
	wrong.length === 0 ? `${Object.keys(searches).length} searches show the right page first.` : wrong.join('\n'),
);
process.exitCode = wrong.length === 0 ? 0 : 1;
