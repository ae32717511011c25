import { ensureN8nInstalled } from '../n8nInstall.ts';

try {
	await ensureN8nInstalled();
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
