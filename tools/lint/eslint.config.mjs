// One config for the whole repository: ESLint finds it from every package, because it looks upwards.
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { currentRules } from './n8n-rules.mjs';

const code = ['**/*.{ts,mts,mjs,cjs,js}'];

/** A relative import, but not out of the package into another one's source. */
const relative = '\\.{1,2}/(?!.*(?:src|node_modules)/).*';

/** Shipped files that are still longer than the limit: split them and take them out. None is added. */
const longFiles = [
	'packages/core/src/client/pages.ts',
	'packages/core/src/errors/bankErrors.ts',
	'packages/core/src/triggers/operationsCursor.ts',
	'packages/credentials/src/hiding.ts',
	'packages/n8n-nodes-bank/nodes/Bank/descriptions/payment.preparePackage.ts',
	'packages/n8n-nodes-bank/nodes/BankTrigger/lifecycle.ts',
	'packages/n8n-nodes-bank/nodes/shared/failures.ts',
];

/** Imports that `allowed` (a regular expression) does not match are refused, in every way to write an import. */
const onlyImport = (allowed, message) => ({
	'no-restricted-imports': ['error', { patterns: [{ regex: `^(?!(?:${allowed})$)`, message }] }],
	'no-restricted-syntax': [
		'error',
		{
			// What is loaded when it is needed is a file of one's own. A slash would end the expression.
			selector:
				`ImportExpression:not([source.value=/^${relative.replaceAll('/', '\\x2f')}$/]), ` +
				'TSImportEqualsDeclaration, MetaProperty[meta.name="import"]',
			message,
		},
	],
});

export default defineConfig(
	globalIgnores([
		'**/dist/',
		'**/.turbo/',
		'**/.test-results/',
		'**/.demo/',
		'**/coverage/',
		'packages/host/n8n/',
		'packages/host/n8n-versions/',
		'tools/node24/',
	]),
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },

	{
		files: code,
		extends: [js.configs.recommended, tseslint.configs.recommended],
		rules: {
			// TypeScript knows which names exist.
			'no-undef': 'off',
			// Prettier keeps the code at 120 columns, but breaks no string, template or comment. A tab counts as one character.
			'max-len': ['error', { code: 140, tabWidth: 1 }],
			eqeqeq: ['error', 'always'],
			'no-var': 'error',
			'prefer-const': ['error', { destructuring: 'all' }],
			'no-eval': 'error',
			'no-implied-eval': 'error',
			'no-new-func': 'error',
			'no-throw-literal': 'error',
			'no-unmodified-loop-condition': 'error',
			'no-self-compare': 'error',
			'no-template-curly-in-string': 'error',
			'object-shorthand': 'error',
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/consistent-type-imports': [
				'error',
				{ fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
			],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
			],
		},
	},

	// Nobody writes or reads these line by line: they are made from the operations.
	{ files: ['packages/n8n-nodes-bank/nodes/*/descriptions/generated/**'], rules: { 'max-len': 'off' } },

	// What is published is read in one sitting, file by file.
	{
		files: ['packages/{core,credentials}/src/**/*.ts', 'packages/n8n-nodes-bank/{nodes,credentials}/**/*.ts'],
		ignores: ['packages/n8n-nodes-bank/nodes/*/descriptions/generated/**', ...longFiles],
		rules: { 'max-lines': ['error', 300] },
	},

	// A promise nobody waits for is a payment nobody knows the outcome of. Needs types, so only what runs in production.
	{
		files: ['packages/*/{src,nodes,credentials}/**/*.ts'],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/await-thenable': 'error',
		},
	},

	{
		files: ['**/*.cjs'],
		languageOptions: { sourceType: 'commonjs' },
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	// Tests may look at what a type says is not there.
	{ files: ['**/test/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },

	// core runs anywhere: ECMAScript and valibot, nothing of Node, browsers or n8n. What it needs is handed in.
	{
		files: ['packages/core/src/**/*.ts'],
		languageOptions: { globals: {}, parserOptions: { lib: ['es2023'] } },
		rules: {
			'no-undef': 'error',
			'no-restricted-globals': ['error', 'globalThis', 'eval', 'Function'],
			...onlyImport(`${relative}|valibot`, 'core imports only its own files and valibot'),
		},
	},
	{
		files: ['packages/credentials/src/**/*.ts'],
		rules: onlyImport(
			`${relative}|@bank/core|n8n-workflow|node:crypto`,
			'credentials import only their own files, @bank/core, n8n-workflow and node:crypto',
		),
	},

	// What n8n checks before it verifies a release; it ignores inline disables, so there are none.
	{
		files: ['packages/n8n-nodes-bank/{nodes,credentials}/**/*.ts', 'packages/n8n-nodes-bank/package.json'],
		extends: [await currentRules()],
		linterOptions: { noInlineConfig: true },
	},
	{
		files: ['packages/n8n-nodes-bank/{nodes,credentials}/**/*.ts'],
		rules: onlyImport(
			`${relative}|@bank/core|@bank/credentials|n8n-workflow|node:crypto`,
			'nodes and credentials import only their own files, core, credentials, n8n-workflow and node:crypto',
		),
	},
);
