import { join } from 'node:path';

export const hostDir = join(import.meta.dirname, '..');
export const repoDir = join(hostDir, '../..');
/** The published package, of which n8n uses `package.json` and `dist`. */
export const nodesPackageDir = join(repoDir, 'packages/n8n-nodes-bank');
/** Version of n8n to test with, if not that of the lockfile. */
export const otherN8nVersion = process.env['TEST_N8N_VERSION'];
/** Folder with the package.json that installs n8n. */
export const n8nManifestDir = join(hostDir, 'n8n');
/** n8n's install, separate from the workspace: 1.9 GB and its own lockfile. */
export const n8nInstallDir =
	otherN8nVersion === undefined ? n8nManifestDir : join(hostDir, 'n8n-versions', otherN8nVersion);
export const n8nDir = join(n8nInstallDir, 'node_modules/n8n');
export const n8nBin = join(n8nDir, 'bin/n8n');
/** Node's compile cache for n8n's files; deleted with the install. */
export const compileCacheDir = join(n8nInstallDir, 'node_modules/.compile-cache');
