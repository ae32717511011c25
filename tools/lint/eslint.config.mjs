// One config for the whole repository: ESLint searches parent folders.
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { currentRules } from './n8n-rules.mjs';

const code = ['**/*.{ts,mts,mjs,cjs,js}'];

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

	// Generated from the operations.
	{ files: ['packages/n8n-nodes-bank/nodes/*/descriptions/generated/**'], rules: { 'max-len': 'off' } },

	{
		files: ['packages/{core,credentials}/src/**/*.ts', 'packages/n8n-nodes-bank/{nodes,credentials}/**/*.ts'],
		ignores: ['packages/n8n-nodes-bank/nodes/*/descriptions/generated/**'],
		rules: { 'max-lines': ['error', 300] },
	},
	// A state machine is read, and searched, as a whole.
	{
		files: ['packages/core/src/payments/protocol.ts', 'packages/core/src/triggers/operationsTracker.ts'],
		rules: { 'max-lines': ['error', 580] },
	},

	// A floating promise could hide the outcome of a payment. These rules need types, so they run for production code only.
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

	// core uses ECMAScript only, so that it runs anywhere.
	{
		files: ['packages/core/src/**/*.ts'],
		languageOptions: { globals: {}, parserOptions: { lib: ['es2023'] } },
		rules: {
			'no-undef': 'error',
			'no-restricted-globals': ['error', 'globalThis', 'eval', 'Function'],
		},
	},
	// The rules of n8n's verification, which ignores inline disables.
	{
		files: ['packages/n8n-nodes-bank/{nodes,credentials}/**/*.ts', 'packages/n8n-nodes-bank/package.json'],
		extends: [await currentRules()],
		linterOptions: { noInlineConfig: true },
	},
);
