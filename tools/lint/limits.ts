// How big the published package may be, in bytes. CONTRIBUTING.md states the same, and test/dist.test.ts holds both to it.
export const limits = {
	/** Everything that an install unpacks. */
	unpacked: 740_000,
	/** The forms as n8n's editor loads them, all nodes at once. */
	'dist/types/nodes.json': 130_000,
};
