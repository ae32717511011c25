import { readFileSync } from 'node:fs';

import * as babel from 'prettier/plugins/babel';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import type { Options } from 'prettier';
import { format } from 'prettier/standalone';

/** The Prettier options of the repository. */
const options = JSON.parse(readFileSync(new URL('../../../.prettierrc.json', import.meta.url), 'utf8')) as Options;

export const formatted = (parser: 'typescript' | 'json', text: string): Promise<string> =>
	format(text, { ...options, parser, plugins: [babel, estree, typescript] });
