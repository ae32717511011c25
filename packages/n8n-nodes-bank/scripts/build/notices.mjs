// License notices of the libraries that are bundled into dist, read from the bundler's output.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Package folder of a module: the nearest parent whose package.json has a version. */
function packageOf(module) {
	for (let dir = path.dirname(module); dir !== path.dirname(dir); dir = path.dirname(dir)) {
		const file = path.join(dir, 'package.json');
		if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return dir;
	}
	throw new Error(`${module} belongs to no package`);
}

/** Package folder of a third-party module; undefined for own code. Helpers of the bundler belong to rolldown. */
function originOf(module) {
	if (module.startsWith('\0rolldown/')) return packageOf(createRequire(import.meta.url).resolve('rolldown'));
	return module.includes('node_modules') ? packageOf(module) : undefined;
}

/** Libraries with code in dist, sorted by name. */
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
