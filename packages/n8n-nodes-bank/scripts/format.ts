import { readFileSync } from 'node:fs';

import * as babel from 'prettier/plugins/babel';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import type { Options } from 'prettier';
import { format } from 'prettier/standalone';

/** The Prettier options of the repository. */
const options = JSON.parse(readFileSync(new URL('../../../.prettierrc.json', import.meta.url), 'utf8')) as Options;

/** Cache: `npm run dev` formats mostly the same texts again. */
export const formattedBefore = new Map<string, string>();

export async function formatted(parser: 'typescript' | 'json', text: string): Promise<string> {
	const known = formattedBefore.get(text);
	if (known !== undefined) return known;
	const result = await format(text, { ...options, parser, plugins: [babel, estree, typescript] });
	formattedBefore.set(text, result);
	return result;
}
