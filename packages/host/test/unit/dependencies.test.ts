/** Versions of dependencies are exact, and .github/dependabot.yml lists those that are not the newest, with the reason. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { repoDir } from '../../src/paths.ts';

const read = (file: string) => readFileSync(join(repoDir, file), 'utf8');
const manifests = ['package.json', 'packages/*/package.json', 'packages/host/n8n/package.json', 'tools/*/package.json'];
const used = globSync(manifests, { cwd: repoDir }).flatMap((file) => {
	const { dependencies = {}, devDependencies = {} } = JSON.parse(read(file)) as Record<string, Record<string, string>>;
	return Object.entries({ ...dependencies, ...devDependencies })
		.filter(([, version]) => version !== 'workspace:*')
		.map(([name, version]) => ({ file, name, version }));
});
const dependabot = read('.github/dependabot.yml');
const { updates } = parse(dependabot) as { updates: { ignore?: { 'dependency-name': string }[] }[] };
const held = updates.flatMap(({ ignore = [] }) => ignore.map((one) => one['dependency-name']));

it('every version is exact', () => {
	expect(used.length).toBeGreaterThan(40);
	expect(used.filter(({ version }) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

it('every version that is held is used, and has a reason', () => {
	const names = used.map(({ name }) => name);
	expect(held.length).toBeGreaterThan(5);
	expect(held.filter((name) => !names.includes(name))).toEqual([]);
	// The reason of the first of a group holds for all of it.
	const entries = dependabot
		.slice(dependabot.indexOf('    ignore:\n'))
		.split(/^ {6}(?=#)/m)
		.slice(1);
	expect(entries.flatMap((entry) => entry.match(/dependency-name:/g) ?? [])).toHaveLength(held.length);
});

it('a package has one version, unless it is held', () => {
	const versions = Map.groupBy(used, ({ name }) => name);
	const several = [...versions].filter(([, all]) => new Set(all.map(({ version }) => version)).size > 1);
	expect(several.map(([name]) => name)).toEqual(['typescript']);
	expect(held).toContain('typescript');
});
