// `npm run test:image -- <tag>`: see imageCheck.ts.
import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { engine: { type: 'string' } } });
const [tag] = positionals;
if (tag === undefined) {
	console.error('Usage: npm run test:image -- <tag of n8nio/n8n | npm> [--engine podman | docker]');
	process.exit(1);
}
// Read when the modules load. Some requests of n8n's editor differ between versions.
if (tag !== 'npm') process.env['TEST_N8N_VERSION'] = tag;
const { checkImage } = await import('../imageCheck.ts');
await checkImage(tag, values.engine);
