// Size limits of the published package, in bytes. CONTRIBUTING.md repeats them; test/dist.test.ts checks both.
export const limits = {
	/** The unpacked package. */
	unpacked: 860_000,
	/** The forms of all nodes, which n8n's editor loads at once. */
	'dist/types/nodes.json': 121_000,
};
