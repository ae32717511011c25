// Stand-in for GitHub's command line, in the place of `gh`: keeps releases and the open pull request in the folder REHEARSAL.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const folder = process.env['REHEARSAL'] ?? '';
const git = (...args: string[]) => execFileSync('git', args, { cwd: join(folder, 'origin.git'), stdio: 'pipe' });
const text = { type: 'string' } as const;
const names = ['target', 'title', 'notes-file', 'head', 'base', 'body', 'json', 'jq'] as const;
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: Object.fromEntries(names.map((name) => [name, text])),
});
const [group = '', action = '', ...rest] = positionals;
const value = (name: (typeof names)[number]) => String(values[name] ?? '');
const pullRequest = join(folder, 'pullRequest.json');

const commands: Record<string, () => void> = {
	/** Makes a release with its tag. */
	'release create'() {
		const [tag = '', ...files] = rest;
		const release = join(folder, 'releases', tag);
		mkdirSync(release, { recursive: true });
		git('tag', tag, value('target'));
		for (const file of [...files, value('notes-file')]) cpSync(file, join(release, basename(file)));
		writeFileSync(join(release, 'title'), value('title'));
	},
	'pr list'() {
		if (value('json') !== 'number' || value('jq') !== 'length') throw new Error('Only the number of pull requests');
		console.log(existsSync(pullRequest) ? 1 : 0);
	},
	'pr create'() {
		if (existsSync(pullRequest)) throw new Error('A pull request is open');
		for (const branch of [value('head'), value('base')]) git('rev-parse', '--verify', `refs/heads/${branch}`);
		writeFileSync(pullRequest, JSON.stringify({ head: value('head'), base: value('base'), title: value('title') }));
	},
};

for (const name of ['GH_TOKEN', 'GH_REPO']) if (!process.env[name]) throw new Error(`${name} is empty`);
const command = commands[`${group} ${action}`];
if (command === undefined) throw new Error(`gh ${group} ${action} has no stand-in`);
command();
