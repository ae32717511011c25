import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const manifest = 'packages/n8n-nodes-bank/package.json';
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

export interface Owner {
	/** `owner/name` on GitHub. */
	repository: string;
	/** Who holds the copyright. */
	author: string;
}

/** The owner that package.json names, the only file to edit by hand. */
export function ownerOf(text: string): Owner {
	const { author, repository } = JSON.parse(text) as { author: { name: string }; repository: { url: string } };
	const [, name] = /github\.com\/(.+)\.git$/.exec(repository.url) ?? [];
	if (name === undefined) throw new Error(`${manifest} names no repository on GitHub`);
	return { repository: name, author: author.name };
}

/** The owner that the other files name. */
function currentOwner(): Owner {
	const [, repository] = /^git clone https:\/\/github\.com\/(.+)\.git$/m.exec(read('README.md')) ?? [];
	const [, author] = /^Copyright \(c\) \d+ (.+)$/m.exec(read('LICENSE')) ?? [];
	if (repository === undefined || author === undefined) throw new Error('README.md or LICENSE names no owner');
	return { repository, author };
}

/** Replaces the owner in links, the site, conditions of workflows, commands, code owners and the copyright. */
function replaceOwner(text: string, from: Owner, to: Owner): string {
	const [owner = '', name = ''] = from.repository.split('/');
	const [newOwner = '', newName = ''] = to.repository.split('/');
	return text
		.replaceAll(`github.com/${from.repository}`, `github.com/${to.repository}`)
		.replaceAll(`githubusercontent.com/${from.repository}`, `githubusercontent.com/${to.repository}`)
		.replaceAll(`repository == '${from.repository}'`, `repository == '${to.repository}'`)
		.replaceAll(`--repository ${from.repository} `, `--repository ${to.repository} `)
		.replaceAll(`${owner}.github.io/${name}`, `${newOwner}.github.io/${newName}`)
		.replace(new RegExp(`(^|\\s)@${owner}/(?=maintainers|payments|security)`, 'g'), `$1@${newOwner}/`)
		.replace(/^(Copyright \(c\) \d+ )(.+)$/gm, (line, start: string, author: string) =>
			author === from.author ? start + to.author : line,
		);
}

/** Text of each file that names the owner `from`, with the owner `to` instead; by path. */
export function ownedFiles(from = currentOwner(), to = ownerOf(read(manifest))): Map<string, string> {
	const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
	const named = files.filter(
		(file) => /(?:\.(?:md|ts|mjs|json|ya?ml|txt)|CODEOWNERS|LICENSE)$/.test(file) && !/lock\.yaml$/.test(file),
	);
	return new Map(
		named.flatMap((file) => {
			const text = read(file);
			const replaced = replaceOwner(text, from, to);
			return replaced === text ? [] : [[resolve(root, file), replaced] as const];
		}),
	);
}
