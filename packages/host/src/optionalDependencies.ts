/** Whether a program that npm does not install is available. If not, tests that need it are skipped and counted; in CI they fail. */
export function isAvailable(find: () => unknown): boolean {
	try {
		find();
		return true;
	} catch (error) {
		if (process.env['CI']) throw error;
		console.warn(`Skipped: ${(error as Error).message}`);
		return false;
	}
}
