// The documentation site: docs/ with search, navigation and dark mode. `npm run site` builds it into dist and fails on a dead link.
import { globSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';

import abbreviations from 'markdown-it-abbr';
import { defineConfig, type MarkdownRenderer } from 'vitepress';

const docsDir = join(import.meta.dirname, '../../../docs');
const vue = (file: string) => join(import.meta.dirname, '../node_modules/vue', file);
const repository = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank';

/** `P6` -> `Bank, Account Operation: Get Many`, as the glossary says: a number never stands on a page without its word. */
const numbers = Object.fromEntries(
	[...readFileSync(join(docsDir, 'glossary.md'), 'utf8').matchAll(/^\| (P\d+) \| \[([^\]]+)\]/gm)].map(
		([, number, name]) => [`:${number}`, name],
	),
);

/** Anchors as GitHub makes them, so that a link holds in both places; docs.test.ts checks them by the same rule. */
const slugify = (title: string) =>
	title
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/\s/g, '-');

/** A link out of docs/ leads to the file on GitHub. */
function leadOut(href: string, page: string): string {
	if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
	const target = posix.join('docs', posix.dirname(page), href);
	const stays = target.startsWith('docs/') && /\.md(?:#|$)/.test(target);
	return stays ? href : `${repository}/blob/main/${target}`;
}

function markdown(md: MarkdownRenderer) {
	md.use(abbreviations);
	md.core.ruler.before('abbr_replace', 'numbers', ({ env }) => {
		env.abbreviations = { ...env.abbreviations, ...numbers };
	});
	md.core.ruler.push('for_the_site', ({ env, tokens }) => {
		for (const token of tokens.flatMap(({ children }) => children ?? [])) {
			if (token.type === 'link_open') token.attrSet('href', leadOut(token.attrGet('href') ?? '', env.relativePath));
			// An expression of n8n is none of Vue.
			if (token.type === 'code_inline') token.attrSet('v-pre', '');
		}
	});
}

const pages = (names: Record<string, string>) =>
	Object.entries(names).map(([text, link]) => ({ text, link: `/${link}` }));

/** `0017-claims-before-sending.md`, by the title that it begins with. */
const decisions = Object.fromEntries(
	globSync('adr/*.md', { cwd: docsDir })
		.sort()
		.map((file) => {
			const [, title = file] = /^# (.+)$/m.exec(readFileSync(join(docsDir, file), 'utf8')) ?? [];
			return [title, `adr/${basename(file, '.md')}`];
		}),
);

export default defineConfig({
	srcDir: '../../docs',
	// Where it is served, so that the link check finds the base of the addresses.
	outDir: './dist/n8n-nodes-bank',
	base: '/n8n-nodes-bank/',
	title: 'n8n-nodes-bank',
	description: "n8n nodes for a bank's partner API",
	lang: 'en',
	cleanUrls: true,
	// The pages lie outside this package, so what they import is looked for here.
	vite: {
		resolve: {
			alias: [
				{ find: /^vue$/, replacement: vue('dist/vue.runtime.esm-bundler.js') },
				{ find: /^vue\/server-renderer$/, replacement: vue('server-renderer/index.mjs') },
			],
		},
	},
	markdown: { config: markdown, anchor: { slugify } },
	themeConfig: {
		search: { provider: 'local' },
		socialLinks: [{ icon: 'github', link: repository }],
		editLink: { pattern: `${repository}/edit/main/docs/:path` },
		outline: [2, 3],
		nav: pages({ Payments: 'payments', Triggers: 'triggers', Admins: 'admin', Reference: 'reference' }),
		sidebar: [
			{
				text: 'Nodes',
				items: pages({
					Bank: 'nodes/bank',
					'Bank Checks': 'nodes/bank-checks',
					'Bank Card Issuance': 'nodes/bank-card-issuance',
					'Bank Courier': 'nodes/bank-courier',
					'Bank Partner Services': 'nodes/bank-partner-services',
					'Bank Trigger': 'nodes/bank-trigger',
					'Bank Courier Order Trigger': 'nodes/bank-courier-order-trigger',
					'Bank Operations Trigger': 'nodes/bank-operations-trigger',
				}),
			},
			{
				text: 'Guides',
				items: pages({
					'Try it without a bank': 'try',
					Examples: 'examples',
					Credentials: 'credentials',
					Payments: 'payments',
					Triggers: 'triggers',
					'Partner services': 'partner-services',
					'Sandbox bank': 'sandbox',
					Questions: 'faq',
				}),
			},
			{
				text: 'For admins',
				items: pages({
					'Install, update, guard': 'admin',
					'Queue mode': 'queue-mode',
					Compatibility: 'compatibility',
					'Support and upgrades': 'support',
					"n8n's review": 'review',
				}),
			},
			{
				text: 'To look up',
				items: pages({
					Operations: 'operations',
					Reference: 'reference',
					Errors: 'errors',
					'Fast and small': 'bench',
					Glossary: 'glossary',
					'What is not shown': 'not-shown',
				}),
			},
			{ text: 'Why it is built this way', collapsed: true, items: pages(decisions) },
		],
	},
});
