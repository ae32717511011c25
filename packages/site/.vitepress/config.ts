// The documentation site: docs/ with search, navigation and dark mode. `npm run site` builds it into dist and fails on a dead link.
// docs/public holds the favicon.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';

import abbreviations from 'markdown-it-abbr';
import { defineConfig, type HeadConfig, type MarkdownRenderer } from 'vitepress';

const docsDir = join(import.meta.dirname, '../../../docs');
const vue = (file: string) => join(import.meta.dirname, '../node_modules/vue', file);
const repository = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank';
const siteUrl = 'https://n8n-nodes-bank.github.io/n8n-nodes-bank/';
const base = new URL(siteUrl).pathname;
const previewImage =
	'https://raw.githubusercontent.com/n8n-nodes-bank/n8n-nodes-bank/main/docs/images/workflow-payout.png';

/** Tooltips of operation numbers, from the list of operations: `P6` -> `Account Operation: Get Many`. */
const numbers = Object.fromEntries(
	[...readFileSync(join(docsDir, 'reference/index.md'), 'utf8').matchAll(/^\| (P\d+) \| \[([^\]]+)\]/gm)].map(
		([, number, name]) => [`:${number}`, name],
	),
);

/** GitHub's anchors, so that links work there and here. docs.test.ts uses the same rule. */
const slugify = (title: string) =>
	title
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/\s/g, '-');

/** Turns a link to a file outside docs/ into a link to GitHub. */
function externalLink(href: string, page: string): string {
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
			if (token.type === 'link_open')
				token.attrSet('href', externalLink(token.attrGet('href') ?? '', env.relativePath));
			// n8n expressions use {{ }} too: Vue must not evaluate them.
			if (token.type === 'code_inline') token.attrSet('v-pre', '');
		}
	});
}

const pages = (names: Record<string, string>) =>
	Object.entries(names).map(([text, link]) => ({ text, link: `/${link}` }));

/** Pages of a folder: title -> link. */
const titled = (folder: string) =>
	Object.fromEntries(
		globSync(`${folder}/*.md`, { cwd: docsDir })
			.map((file) => file.replace(/\.md$/, ''))
			.filter((page) => basename(page) !== 'index')
			.sort()
			.map((page) => {
				const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(docsDir, `${page}.md`), 'utf8')) ?? [];
				return [title, page];
			}),
	);

/** Open Graph tags of a page, for link previews. */
const openGraph = (page: string, title: string, description: string): HeadConfig[] =>
	Object.entries({
		'og:type': 'website',
		'og:site_name': 'n8n-nodes-bank',
		'og:title': title,
		'og:description': description,
		'og:url': new URL(page.replace(/(?:index)?\.md$/, ''), siteUrl).href,
		'og:image': previewImage,
	}).map(([property, content]) => ['meta', { property, content }]);

const sidebar = [
	{ text: 'Nodes', items: pages(titled('nodes')) },
	{
		text: 'Guides',
		items: pages({
			'Try it without a bank': 'try',
			Examples: 'examples',
			Credentials: 'credentials',
			Payments: 'payments',
			Guardrails: 'guardrails',
			Triggers: 'triggers',
			'Partner services': 'partner-services',
			'Service details': 'service-details',
			'Sandbox bank': 'sandbox',
			FAQ: 'faq',
		}),
	},
	{
		text: 'For admins',
		items: pages({
			'Admin guide': 'admin',
			'Compatibility and support': 'compatibility',
			"n8n's review": 'review',
		}),
	},
	{
		text: 'Reference',
		items: pages({
			Operations: 'reference/',
			Errors: 'errors',
			'Payment protocol': 'payment-protocol',
			'API limits': 'not-shown',
		}),
	},
	{ text: 'Reference by resource', collapsed: true, items: pages(titled('reference')) },
	{ text: 'Design decisions', collapsed: true, items: pages(titled('adr')) },
];
const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link.replace(/^\/|\/$/g, '')));
const unlisted = globSync('*.md', { cwd: docsDir })
	.map((file) => file.replace(/\.md$/, ''))
	.filter((page) => page !== 'index' && !listed.includes(page));
if (unlisted.length > 0) throw new Error(`Pages without an entry in the sidebar: ${unlisted.join(', ')}`);

/** https://llmstxt.org: the pages of the sidebar, for language models. */
function llmsText(description: string): string {
	const page = ({ text, link }: { text: string; link: string }) =>
		`- [${text}](${new URL(link.slice(1), siteUrl).href})`;
	const chapters = sidebar.map(({ text, items }) => `## ${text}\n\n${items.map(page).join('\n')}`);
	return `# n8n-nodes-bank\n\n> ${description}\n\n${chapters.join('\n\n')}\n`;
}

export default defineConfig({
	srcDir: '../../docs',
	// Below the base path, so that the link checker resolves absolute links.
	outDir: `./dist${base}`,
	base,
	title: 'n8n-nodes-bank',
	description:
		"n8n nodes for a bank's partner API: pay people by phone number, start workflows from incoming payments, " +
		'check customers, issue cards. For self-hosted n8n 2.40 or newer.',
	lang: 'en',
	cleanUrls: true,
	head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
	transformHead: ({ page, title, description }) => openGraph(page, title, description),
	sitemap: { hostname: siteUrl },
	buildEnd: ({ outDir, site }) => writeFileSync(join(outDir, 'llms.txt'), llmsText(site.description)),
	// The pages are outside this package: resolve their imports here.
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
		search: {
			provider: 'local',
			options: {
				miniSearch: {
					searchOptions: {
						// Guides rank above reference pages and design decisions. VitePress serializes this function: it can use nothing outside it.
						boostDocument: (id: string) =>
							/\/(?:reference|adr)\/|\/review#/.test(id)
								? 0.3
								: /\/(?:nodes\/|(?:payments|sandbox|triggers)#)/.test(id)
									? 1.5
									: 1,
					},
				},
			},
		},
		socialLinks: [{ icon: 'github', link: repository }],
		editLink: { pattern: `${repository}/edit/main/docs/:path` },
		outline: [2, 3],
		nav: pages({ Payments: 'payments', Triggers: 'triggers', Admins: 'admin', Reference: 'reference/' }),
		sidebar,
	},
});
