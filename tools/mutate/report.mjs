// What Stryker found, as a summary for the terminal and a report that lists every survivor.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const acceptedFile = join(import.meta.dirname, 'survivors.json');

/** The mutants of a part, each with its place and its text before and after. */
export function readResults(file, { name, sources }) {
	const { files } = JSON.parse(readFileSync(file, 'utf8'));
	const wanted = new Set(sources);
	return Object.entries(files)
		.filter(([path]) => wanted.has(path))
		.flatMap(([path, { source, mutants }]) =>
			mutants.map(({ mutatorName, replacement, location, status }) => ({
				file: `packages/${name}/${path}`,
				line: location.start.line,
				mutator: mutatorName,
				original: textAt(source, location),
				replacement,
				status,
			})),
		);
}

function textAt(source, { start, end }) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return lines.join('\n');
}

const isKilled = ({ status }) => status === 'Killed' || status === 'Timeout';
const isSurvivor = ({ status }) => status === 'Survived' || status === 'NoCoverage';

/** Per folder and in all: how many of the mutants that count were noticed. `below` are the folders with a score below `least`. */
export function summaryOf(results, least) {
	const counted = results.filter((mutant) => isKilled(mutant) || isSurvivor(mutant));
	const folders = [...new Set(counted.map(({ file }) => dirname(file)))].sort();
	const width = Math.max(5, ...folders.map((folder) => folder.length));
	const row = (title, mutants) => {
		const killed = mutants.filter(isKilled).length;
		return `${title.padEnd(width)}  ${score(mutants).toFixed(1).padStart(5)}  ${killed} of ${mutants.length}`;
	};
	const inFolder = (folder) => counted.filter(({ file }) => dirname(file) === folder);
	return {
		text: [...folders.map((folder) => row(folder, inFolder(folder))), row('total', counted)].join('\n'),
		below: folders.filter((folder) => score(inFolder(folder)) < least),
	};
}

function score(mutants) {
	return mutants.length > 0 ? (100 * mutants.filter(isKilled).length) / mutants.length : 100;
}

export function reportOf(results, summary) {
	const accepted = existsSync(acceptedFile) ? JSON.parse(readFileSync(acceptedFile, 'utf8')) : [];
	const reasonOf = (mutant) => accepted.find((entry) => isSame(entry, mutant))?.reason;
	const survivors = results.filter(isSurvivor);
	const seen = new Set(results.map(({ file }) => file));
	const stale = accepted.filter((entry) => seen.has(entry.file) && !survivors.some((mutant) => isSame(entry, mutant)));
	const open = survivors.filter((mutant) => reasonOf(mutant) === undefined);
	return [
		'# Mutations',
		`\`\`\`\n${summary}\n\`\`\``,
		`## Survivors without a reason (${open.length})`,
		...open.map(lineOf),
		`## Accepted, for the reason given in tools/mutate/survivors.json (${survivors.length - open.length})`,
		...survivors.filter((mutant) => !open.includes(mutant)).map((mutant) => `${lineOf(mutant)}\n  ${reasonOf(mutant)}`),
		...(stale.length > 0 ? ['## Accepted, but no longer there: to be deleted from that file'] : []),
		...stale.map((entry) => `- ${entry.file} ${entry.mutator} ${inline(entry.original)}`),
		'',
	].join('\n\n');
}

function isSame(entry, mutant) {
	return ['file', 'mutator', 'original', 'replacement'].every((key) => entry[key] === mutant[key]);
}

function lineOf({ file, line, mutator, original, replacement, status }) {
	const untested = status === 'NoCoverage' ? ', reached by no test' : '';
	return `- ${file}:${line} ${mutator}${untested}: ${inline(original)} → ${inline(replacement)}`;
}

function inline(text) {
	const short = text.replace(/\s+/g, ' ');
	return `\`${short.length > 160 ? `${short.slice(0, 160)} …` : short}\``;
}
