// Shared by the jest.config.cjs of every package. Results are written as JSON so that `npm test` can count over all packages. Jest
// does not create the output folder itself.
require('node:fs').mkdirSync('.test-results', { recursive: true });

const transform = [
	'@swc/jest',
	{ jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' }, sourceMaps: 'inline' },
];

// nock 15 and its dependencies are ESM only.
const esmOnly = [
	'nock',
	'valibot',
	'@valibot',
	'@mswjs',
	'@open-draft',
	'outvariant',
	'strict-event-emitter',
	'is-node-process',
	'rettime',
	'until-async',
];

module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	setupFilesAfterEnv: [require.resolve('./jest.setup.cjs')],
	// Long enough for busy machines; it only ends tests that hang.
	testTimeout: 60_000,
	moduleNameMapper: { '^fast-check$': require.resolve('./jest.fastCheck.cjs') },
	moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: { '^.+\\.(tsx?|m?js)$': transform },
	transformIgnorePatterns: [`/node_modules/(?!(\\.pnpm/)?(${esmOnly.join('|')})[@+/])`],
};
