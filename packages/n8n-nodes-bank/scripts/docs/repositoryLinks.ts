import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const manifest = fileURLToPath(new URL('../../package.json', import.meta.url));

/** Replaces the repository `from` (`owner/name`) by `to` in its links, its site, its condition in workflows, and its code owners. */
export function moveLinks(text: string, from: string, to: string): string {
	const [owner = '', name = ''] = from.split('/');
	const [newOwner = '', newName = ''] = to.split('/');
	return text
		.replaceAll(`github.com/${from}`, `github.com/${to}`)
		.replaceAll(`githubusercontent.com/${from}`, `githubusercontent.com/${to}`)
		.replaceAll(`repository == '${from}'`, `repository == '${to}'`)
		.replaceAll(`${owner}.github.io/${name}`, `${newOwner}.github.io/${newName}`)
		.replace(new RegExp(`(^|\\s)@${owner}/(?=maintainers|payments|security)`, 'g'), `$1@${newOwner}/`);
}

/**
 * Path -> text of the files that name another repository than `repository` in package.json. To move the repository, change that field
 * and run `npm run generate`.
 */
export function repositoryLinks(): Map<string, string> {
	const { repository } = JSON.parse(readFileSync(manifest, 'utf8')) as { repository: { url: string } };
	const to = /github\.com\/(.+)\.git$/.exec(repository.url)?.[1];
	const from = /repository == '([^']+)'/.exec(
		readFileSync(resolve(root, '.github/workflows/release.yml'), 'utf8'),
	)?.[1];
	if (to === undefined || from === undefined) throw new Error('package.json or release.yml names no repository');
	if (to === from) return new Map();
	const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
	const named = files.filter(
		(file) => /(?:\.(?:md|ts|json|ya?ml|txt)|CODEOWNERS)$/.test(file) && !/lock\.yaml$/.test(file),
	);
	const texts = named.map((file) => [resolve(root, file), readFileSync(resolve(root, file), 'utf8')] as const);
	return new Map(
		texts.flatMap(([file, text]) => {
			const moved = moveLinks(text, from, to);
			return moved === text ? [] : [[file, moved] as const];
		}),
	);
}
