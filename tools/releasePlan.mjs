// What a push to the main branch releases, as lines for GITHUB_OUTPUT: `mode` and `version`. Plain JavaScript without dependencies.
//
// version: changesets are waiting, so the pull request "Version Packages" is updated.
// publish: there are none, and npm lacks this version.
// none: npm has this version, or this is a fork.
//
// Exit code 1, with the reason, if this version must not or cannot be published.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const manifestFile = 'packages/n8n-nodes-bank/package.json';
const manifest = JSON.parse(readFileSync(path.join(root, manifestFile), 'utf8'));
const { name, version } = manifest;

/** Fields of the manifest that nobody has replaced yet. See "Another owner" in CONTRIBUTING.md. */
export function placeholders({ author, repository } = manifest) {
	return [
		...(author.name === 'n8n-nodes-bank maintainers' ? ['author.name'] : []),
		// Nobody can receive mail there (RFC 2606).
		...(/\.example$/.test(author.email) ? ['author.email'] : []),
		...(repositoryOf(repository) === 'n8n-nodes-bank/n8n-nodes-bank' ? ['repository.url'] : []),
	].map((field) => `${manifestFile}: ${field}`);
}

const repositoryOf = ({ url }) => /github\.com\/(.+)\.git$/.exec(url)?.[1];

function mode() {
	const here = process.env.GITHUB_REPOSITORY;
	if (here !== repositoryOf(manifest.repository)) {
		console.error(
			`Nothing is released: this is ${here}, and ${manifestFile} names ${repositoryOf(manifest.repository)}.`,
		);
		return 'none';
	}
	const changesets = readdirSync(path.join(root, '.changeset')).filter((file) => /^(?!README).*\.md$/.test(file));
	if (changesets.length > 0) return 'version';
	if (versionsOnNpm().includes(version)) return 'none';
	const left = placeholders();
	if (left.length > 0) throw new Error(`Placeholders are left, so nothing is published:\n${left.join('\n')}`);
	return 'publish';
}

function versionsOnNpm() {
	const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
	try {
		return [JSON.parse(execFileSync('npm', ['view', '--prefer-online', '--json', name, 'versions'], options))].flat();
	} catch (error) {
		if (`${error.stdout}${error.stderr}`.includes('E404'))
			throw new Error(`npm has no package ${name}. Publish the placeholder: "The first release" in CONTRIBUTING.md.`);
		throw new Error(`npm does not list the versions of ${name}: ${error.stderr || error.message}`);
	}
}

if (import.meta.main) {
	try {
		console.log(`mode=${mode()}\nversion=${version}`);
	} catch (error) {
		console.error(error.message);
		process.exitCode = 1;
	}
}
