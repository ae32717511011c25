// The licences of the libraries that the build put into dist: their authors ask for their notice wherever their code goes. Read from
// what was really bundled, so that a library that comes or goes takes its notice along.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The folder of the package that a module belongs to: the nearest one above it whose package.json has a version. */
function packageOf(module) {
	for (let dir = path.dirname(module); dir !== path.dirname(dir); dir = path.dirname(dir)) {
		const file = path.join(dir, 'package.json');
		if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return dir;
	}
	throw new Error(`${module} belongs to no package`);
}

/** Where a bundled module comes from, when not from this repository. The bundler's own helpers are the bundler's code. */
function originOf(module) {
	if (module.startsWith('\0rolldown/')) return packageOf(createRequire(import.meta.url).resolve('rolldown'));
	return module.includes('node_modules') ? packageOf(module) : undefined;
}

/** Every library of which something stands in dist: name, version, licence, and the text of it. By name. */
export function bundledLibraries(output) {
	const modules = output.flatMap((chunk) => Object.entries(chunk.modules ?? {}));
	const used = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([module]) => originOf(module));
	const dirs = [...new Set(used.filter((dir) => dir !== undefined))];
	return dirs.map(libraryIn).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function libraryIn(dir) {
	const { name, version, license } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
	const [file] = globSync('{LICENSE,LICENCE,license,licence}{,.*}', { cwd: dir });
	if (file === undefined) throw new Error(`${name} has no licence file, so its notice cannot be shipped`);
	return { name, version, license, text: readFileSync(path.join(dir, file), 'utf8').trim() };
}

export function noticesOf(libraries) {
	const chapters = libraries.map(({ name, version, license, text }) => `## ${name} ${version} (${license})\n\n${text}`);
	return `${['# Code of others in this package', ...chapters].join('\n\n')}\n`;
}
