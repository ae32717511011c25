// The rules that n8n's verification applies to a community package.
import n8nPlugin from '@n8n/eslint-plugin-community-nodes';
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';

const namespace = '@n8n/community-nodes';

/**
 * The scanner's own config, with the rules of the plugin release that n8n's node-cli uses in place of the older one that
 * the scanner pins: the newer has all rules of the older and more. `scan.mjs` runs both.
 */
export async function currentRules() {
	const config = await buildScanConfig();
	const isPinned = (part) => part.plugins?.[namespace] !== undefined;
	if (!config.some(isPinned))
		throw new Error(`the scanner's config has no part for ${namespace}: it changed, adapt ${import.meta.filename}`);
	return config.map((part) => {
		if (isPinned(part)) return n8nPlugin.configs.recommended;
		// The scanner runs inside the package, ESLint from the root of the repository.
		return part.files
			? { ...part, files: part.files.map((glob) => (glob === 'package.json' ? '**/package.json' : glob)) }
			: part;
	});
}
