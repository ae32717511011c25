// The rules of n8n's verification.
import n8nPlugin from '@n8n/eslint-plugin-community-nodes';
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';

const namespace = '@n8n/community-nodes';

/**
 * The scanner's config with the plugin version of n8n's node-cli, which has more rules than the version that the scanner pins.
 * `scan.mjs` runs both.
 */
export async function currentRules() {
	const config = await buildScanConfig();
	const isPinned = (part) => part.plugins?.[namespace] !== undefined;
	if (!config.some(isPinned))
		throw new Error(`the scanner's config has no part for ${namespace}: it changed, adapt ${import.meta.filename}`);
	return config.map((part) => {
		if (isPinned(part)) return n8nPlugin.configs.recommended;
		// The scanner runs inside the package, ESLint in the root of the repository.
		return part.files
			? { ...part, files: part.files.map((glob) => (glob === 'package.json' ? '**/package.json' : glob)) }
			: part;
	});
}
