// n8n's checks before it verifies a release, without network: `n8n-node cloud-support` and `lint`, and the scan of the source and of
// the tarball, with the rules that the scanner pins and with those of the current plugin. Then checks the files of the tarball. Exit
// code 1 on any error.
// Use: `node tools/lint/scan.mjs [package folder] [folder to pack into]`, by default the current and a temporary folder. After a
// release, with network: `node tools/lint/scan.mjs --published n8n-nodes-bank@<version>`.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import {
	analyzePackage,
	analyzePackageByName,
	resolvePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

import { currentRules } from './n8n-rules.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];
/** Size limit of the unpacked package, in bytes. */
const largest = 832_800;

/** Runs ESLint. `rules` names the rules in the error. */
async function lint(rules, files, options) {
	const eslint = new ESLint({ allowInlineConfig: false, ...options });
	const results = await eslint.lintFiles(files);
	const formatter = await eslint.loadFormatter('stylish');
	const errors = results.some(({ errorCount }) => errorCount > 0) ? [`${rules}: see below`] : [];
	return { files: results.length, errors, report: await formatter.format(results) };
}

/** Lints files with both rule sets. The scanner reports no warnings; the current rules do. */
async function scan(dir, patterns) {
	const files = globSync(patterns, { cwd: dir, exclude: ['node_modules/**'] }).map((file) => path.join(dir, file));
	const rules = { overrideConfigFile: true, overrideConfig: await currentRules() };
	const current = await lint('rules of the current plugin', files, { cwd: dir, ...rules });
	const { passed, message, details = message } = await analyzePackage(dir, patterns);
	if (!passed) current.errors.push(`rules that the scanner pins: ${current.errors.length > 0 ? message : details}`);
	return current;
}

/** Runs `n8n-node cloud-support`, which answers whether n8n may verify the package. It exits with 0 in any case. */
function cloudSupport(packageDir) {
	const command = path.join(packageDir, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
	const output = execFileSync(process.execPath, [command, 'cloud-support'], { cwd: packageDir, encoding: 'utf8' });
	const isEligible = /Status: eligible/.test(stripVTControlCharacters(output));
	return {
		files: 2,
		errors: isEligible ? [] : ['not eligible for verification: see below'],
		report: isEligible ? '' : output,
	};
}

/**
 * Lints what is published with the package's own eslint.config.mjs, which `n8n-node lint` requires to be n8n's. That command also
 * lints tests and scripts, which are not published and have the rules of this repository.
 */
const lintAsAuthor = (packageDir) =>
	lint('rules of n8n-node lint', ['package.json', '{nodes,credentials}/**/*.ts'], { cwd: packageDir });

/** Packs as a release does (changesets call `pnpm publish`) and unpacks into `target`. */
export function packInto(packageDir, target) {
	const pnpm = path.join(root, 'node_modules/.bin/pnpm');
	execFileSync(pnpm, ['pack', '--pack-destination', target], {
		cwd: packageDir,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const [tarball] = globSync('*.tgz', { cwd: target });
	execFileSync('tar', ['-xzf', tarball], { cwd: target });
	return { tarball: path.join(target, tarball), dir: path.join(target, 'package') };
}

/** Checks the files and the size of the unpacked tarball. */
function checkTarball(dir) {
	const files = globSync('**/*', { cwd: dir }).filter((file) => statSync(path.join(dir, file)).isFile());
	const size = files.reduce((sum, file) => sum + statSync(path.join(dir, file)).size, 0);
	const errors = [];

	const shipped = /^(dist\/.+|package\.json|README\.md|LICENSE(\.md)?|CHANGELOG\.md)$/;
	for (const file of files) if (!shipped.test(file)) errors.push(`${file} should not be in the tarball`);
	for (const file of ['README.md', 'LICENSE', 'dist/THIRD_PARTY_NOTICES.md'])
		if (!files.includes(file)) errors.push(`${file} is missing in the tarball`);
	if (size > largest) errors.push(`${size} bytes unpacked; the limit is ${largest}`);

	for (const file of files.filter((name) => name.endsWith('.js'))) {
		const lines = readFileSync(path.join(dir, file), 'utf8').split('\n');
		const longest = Math.max(...lines.map((line) => line.length));
		const mean = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
		if (longest > 1500 || mean > 150)
			errors.push(`${file} looks minified: longest line ${longest}, mean ${Math.round(mean)} characters`);
		if (lines.some((line) => line.startsWith('//# sourceMappingURL'))) errors.push(`${file} refers to a source map`);
	}
	return { files, size, errors };
}

async function main(packageDir, target) {
	let failed = false;
	const tell = (title, { errors, report = '' }) => {
		failed ||= errors.length > 0;
		console.log(`${errors.length === 0 ? 'passed' : 'FAILED'}: ${title}`);
		for (const text of [...errors, report]) if (text.trim() !== '') console.log(text.trimEnd());
	};

	tell('n8n-node cloud-support', cloudSupport(packageDir));
	const asAuthor = await lintAsAuthor(packageDir);
	tell(`n8n-node lint, as n8n gives it to authors, ${asAuthor.files} files`, asAuthor);
	const source = await scan(packageDir, SOURCE_FILE_PATTERNS);
	tell(`n8n's scan of the source, ${source.files} files`, source);
	const { tarball, dir } = packInto(packageDir, target);
	const packed = await scan(dir, TARBALL_FILE_PATTERNS);
	tell(`n8n's scan of the tarball, ${packed.files} files`, packed);
	const content = checkTarball(dir);
	const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
	const sizes = `${kilobytes(statSync(tarball).size)}, unpacked ${kilobytes(content.size)}`;
	tell(`tarball, ${content.files.length} files, ${sizes}`, content);
	process.exitCode = failed ? 1 : 0;
}

/** Runs n8n's scanner on a published version. n8n's own command exits with 0 if the package fails. */
async function scanPublished(spec) {
	const { packageName, version } = resolvePackage(spec);
	const { passed, message, details = '' } = await analyzePackageByName(packageName, version);
	console.log(`${passed ? 'passed' : 'FAILED'}: n8n's scan of ${spec}\n${message ?? ''}\n${details}`.trim());
	process.exitCode = passed ? 0 : 1;
}

if (import.meta.main) {
	const [first = '.', second] = process.argv.slice(2);
	if (first === '--published') await scanPublished(second);
	else {
		const temporary = mkdtempSync(path.join(tmpdir(), 'n8n-scan-'));
		await main(path.resolve(first), second ?? temporary).finally(() => rmSync(temporary, { recursive: true }));
	}
}
