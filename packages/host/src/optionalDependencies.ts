/**
 * For tests that need a program which Node and npm do not bring. In CI it must be there: skipped tests prove nothing. Elsewhere the tests
 * are skipped where it is not, and the count at the end of the run says so.
 */
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
