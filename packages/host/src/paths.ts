import { join } from 'node:path';

export const hostDir = join(import.meta.dirname, '..');
export const repoDir = join(hostDir, '../..');
export const examplesDir = join(repoDir, 'examples');
/** The published package: its `package.json` and `dist` are what n8n gets to see. */
export const nodesPackageDir = join(repoDir, 'packages/n8n-nodes-bank');
/** n8n's own install, apart from the workspace: 1.9 GB and a lockfile of its own. */
export const n8nInstallDir = join(hostDir, 'n8n');
export const n8nDir = join(n8nInstallDir, 'node_modules/n8n');
export const n8nBin = join(n8nDir, 'bin/n8n');
