/**
 * `npm run pictures`: takes the screenshots of the docs in a fresh n8n and sandbox bank. With names (`npm run pictures -- courier
 * console`) only those. Failures are listed at the end and do not stop the others.
 */
import { pictures } from '../pictures/pictures.ts';
import { Screenshots } from '../pictures/screenshots.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(pictures, name));
if (unknown.length > 0) throw new Error(`There are ${Object.keys(pictures).join(', ')}; not ${unknown.join(', ')}`);

const screenshots = await Screenshots.open();
try {
	for (const [name, take] of Object.entries(pictures)) {
		if (names.length > 0 && !names.includes(name)) continue;
		await screenshots.bank.reset();
		const failure: unknown = await take(screenshots).catch((error: unknown) => error);
		if (failure !== undefined) process.exitCode = 1;
		console.log(failure === undefined ? `${name}: taken` : `${name}: ${String(failure)}`);
	}
} finally {
	await screenshots.close();
}
