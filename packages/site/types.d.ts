declare module 'markdown-it-abbr' {
	import type { MarkdownRenderer } from 'vitepress';

	export default function abbreviations(md: MarkdownRenderer): void;
}
