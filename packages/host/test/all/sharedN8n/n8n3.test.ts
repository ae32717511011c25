/** No example uses what n8n 3.0 removes, according to n8n's own migration report (Settings > Migration Report). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readExamples } from '../../../src/examples.ts';
import { n8nDir, repoDir } from '../../../src/paths.ts';
import { afterAClick } from '../../../src/workflows.ts';
import { type Bed, openBed } from '../../support/bed.ts';

interface MigrationReport {
	report: { workflowResults: Array<{ ruleId: string; ruleTitle: string; nbAffectedWorkflows: number }> };
}

interface RuleReport {
	affectedWorkflows: Array<{ name: string; issues: Array<{ title: string }> }>;
}

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

/** The report does not evaluate how many outputs a *Bank* node has, so it lists each that uses *Always Output Data*. */
const bankNodes = new Set(
	readExamples().flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ name, type }) => (type === 'n8n-nodes-bank.bank' ? [name] : [])),
	),
);
const isFalseAlarm = (title: string): boolean =>
	[...bankNodes].some((name) => title === `Node '${name}' uses "Always Output Data" and has multiple outputs`);

/** `<workflow>: <issue>` of all workflows of the instance. */
async function issues(): Promise<string[]> {
	const { report } = await bed.rest.request<MigrationReport>(
		'POST',
		'/rest/breaking-changes/report/refresh?version=v3',
	);
	const rules = report.workflowResults.filter(({ nbAffectedWorkflows }) => nbAffectedWorkflows > 0);
	const details = rules.map(({ ruleId }) =>
		bed.rest.request<RuleReport>('GET', `/rest/breaking-changes/report/${ruleId}`),
	);
	return (await Promise.all(details)).flatMap(({ affectedWorkflows }) =>
		affectedWorkflows.flatMap(({ name, issues: found }) =>
			found.flatMap(({ title }) => (isFalseAlarm(title) ? [] : [`${name}: ${title}`])),
		),
	);
}

test('no example uses a feature that n8n 3 removes', async () => {
	expect(await issues()).toEqual([]);
});

test('a workflow that uses a removed feature is reported', async () => {
	const parameters = { mode: 'each', text: '={{ $getPairedItem() }}' };
	const removed = afterAClick('Removed in n8n 3', [
		{ name: 'Each', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters },
		{ name: 'Function', type: 'n8n-nodes-base.function', typeVersion: 1, parameters: {} },
	]);
	await bed.rest.createWorkflow(removed);
	const found = await issues();
	await bed.rest.request('POST', `/rest/workflows/${removed.id}/archive`, {});
	await bed.rest.request('DELETE', `/rest/workflows/${removed.id}`);
	expect(found).toHaveLength(3);
});

/** Text of docs/admin.md for each rule of the report; '' if a rule does not concern this package. */
const rules: Record<string, string> = {
	'agent-node-version': 'AI Agent version 1',
	'agent-removed-modes': 'AI Agent version 1',
	'ai-transform-deprecated': '',
	'always-output-data-multi-output': '*Always Output Data*',
	'caller-policy-any-removed': '',
	'caller-policy-default-any': '',
	'chat-hub-deprecated': '',
	'chat-trigger-embedded-json': '',
	'compression-node-limits': '',
	'docker-only-deployment': 'Docker image only',
	'execute-workflow-each-mode': '*Run once for each item*',
	'execute-workflow-source-modes': '',
	'external-secrets-project-roles-default': 'external secrets',
	'get-paired-item': '`$getPairedItem`',
	'gmail-trigger-version': '',
	'in-memory-binary-data': '`N8N_DEFAULT_BINARY_DATA_MODE`',
	'offload-manual-executions': 'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
	'pre-execute-error-creates-execution': '',
	'removed-nodes': 'Function, Item Lists',
	'removed-nodes-with-replacements': 'Function, Item Lists',
	'ssrf-default-blocked-ranges': '`N8N_SSRF_ALLOWED_IP_RANGES`',
	'storage-path-rename': '`~/.n8n/storage`',
	'task-runner-task-timeout': '`N8N_RUNNERS_TASK_TIMEOUT`',
	'unverified-packages': '`N8N_UNVERIFIED_PACKAGES_ENABLED`',
	'workflow-import-url-removed': '',
};
const rulesDir = join(n8nDir, 'dist/modules/breaking-changes/rules/v3');
const admin = readFileSync(join(repoDir, 'docs/admin.md'), 'utf8');

// A new rule of n8n fails this test, so that somebody decides whether it concerns this package.
test('docs/admin.md says what concerns this package', () => {
	const names = globSync('*.rule.js', { cwd: rulesDir }).map((file) => file.replace('.rule.js', ''));
	expect(names.toSorted()).toEqual(Object.keys(rules));
	const chapter = admin.split('<a id="n8n-3"></a>')[1]?.split('\n## Install\n')[0] ?? '';
	expect(Object.values(rules).filter((words) => !chapter.includes(words))).toEqual([]);
});
