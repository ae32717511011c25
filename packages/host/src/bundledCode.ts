import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BundledLibrary } from 'n8n-nodes-bank/build.mjs';

type Library = Omit<BundledLibrary, 'text'>;

/** Licenses that only require a notice, which is in dist/THIRD_PARTY_NOTICES.md. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** The libraries whose license may require more than a notice. */
export function otherLicenses(libraries: readonly Library[]): string[] {
	return libraries
		.filter(({ license }) => !permissive.includes(license))
		.map(({ name, version, license }) => `${name} ${version}: ${license}`);
}

/**
 * The vulnerabilities of these libraries that `npm audit` knows; undefined if the registry does not respond. Without
 * `registry`, npm's own setting applies. Dependencies of a library count only if the list contains them.
 */
export async function vulnerabilities(libraries: readonly Library[], registry?: string): Promise<string[] | undefined> {
	const dir = await mkdtemp(join(tmpdir(), 'audit-'));
	const dependencies = Object.fromEntries(libraries.map(({ name, version }) => [name, version]));
	const installed = libraries.map(({ name, version }) => [`node_modules/${name}`, { version }]);
	const root = { name: 'bundled', version: '0.0.0', dependencies };
	const lockfile = { ...root, lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(installed) } };
	await writeFile(join(dir, 'package.json'), JSON.stringify(root));
	await writeFile(join(dir, 'package-lock.json'), JSON.stringify(lockfile));
	const report = await new Promise<string>((resolve) => {
		// npm audit ends with exit code 1 if it finds something and if the registry does not respond, so its output
		// decides.
		execFile(
			'npm',
			['audit', '--package-lock-only', '--json', ...(registry === undefined ? [] : [`--registry=${registry}`])],
			{ cwd: dir, shell: process.platform === 'win32', timeout: 60_000 },
			(_, stdout) => resolve(stdout),
		);
	});
	await rm(dir, { recursive: true });
	const { vulnerabilities: found } = JSON.parse(report || '{}') as { vulnerabilities?: Record<string, Finding> };
	if (found === undefined) return undefined;
	return Object.values(found).flatMap(({ name, severity, via }) =>
		via.map((one) => `${name}: ${typeof one === 'string' ? one : `${one.title} ${one.url}`} (${severity})`),
	);
}

interface Finding {
	name: string;
	severity: string;
	/** Advisories, or names of vulnerable dependencies. */
	via: (string | { title: string; url: string })[];
}
