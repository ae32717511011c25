/**
 * Runs files by name. jest's own order depends on the last run, and files that share an n8n must come in the same order every time.
 * Those with an n8n of their own run in reverse, because two run at a time and the longest come last by name.
 */
module.exports = class {
	sort(tests) {
		const isOwn = ({ path }) => path.includes('ownN8n');
		return [...tests].sort((one, other) => (one.path < other.path !== (isOwn(one) && isOwn(other)) ? -1 : 1));
	}

	cacheResults() {}
};
