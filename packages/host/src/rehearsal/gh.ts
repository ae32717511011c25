// Stand-in for GitHub's command line, in the place of `gh`: makes a release in the folder REHEARSAL, with its tag.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const folder = process.env['REHEARSAL'] ?? '';
const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { target: text, title: text, 'notes-file': text },
});
const [group, action, tag = '', ...files] = positionals;
if (group !== 'release' || action !== 'create') throw new Error(`gh ${group} ${action} has no stand-in`);
for (const name of ['GH_TOKEN', 'GH_REPO']) if (!process.env[name]) throw new Error(`${name} is empty`);

const release = join(folder, 'releases', tag);
mkdirSync(release, { recursive: true });
execFileSync('git', ['tag', tag, values.target ?? ''], { cwd: join(folder, 'origin.git') });
for (const file of [...files, values['notes-file'] ?? '']) cpSync(file, join(release, basename(file)));
writeFileSync(join(release, 'title'), values.title ?? '');
