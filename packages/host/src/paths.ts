import { join } from 'node:path';

export const hostDir = join(import.meta.dirname, '..');
export const repoDir = join(hostDir, '../..');
export const examplesDir = join(repoDir, 'examples');
/** The published package: its `package.json` and `dist` are what n8n gets to see. */
export const nodesPackageDir = join(repoDir, 'packages/n8n-nodes-bank');
/** Of n8n, to try the nodes in: that of the lockfile, unless another is asked for. */
export const otherN8nVersion = process.env['TEST_N8N_VERSION'];
/** What n8n is installed by, as the workspace has it. */
export const n8nManifestDir = join(hostDir, 'n8n');
/** n8n's own install, apart from the workspace: 1.9 GB and a lockfile of its own. */
export const n8nInstallDir =
	otherN8nVersion === undefined ? n8nManifestDir : join(hostDir, 'n8n-versions', otherN8nVersion);
export const n8nDir = join(n8nInstallDir, 'node_modules/n8n');
export const n8nBin = join(n8nDir, 'bin/n8n');
/** What Node has compiled of n8n's files; goes with the install. */
export const compileCacheDir = join(n8nInstallDir, 'node_modules/.compile-cache');
