import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IPollFunctions, INodeType } from 'n8n-workflow';

import { fakeN8n } from '../../../fixtures/src/fakeN8n.ts';
import { nodesPackageDir } from '../paths.ts';
import { type BenchBank, startBank, token } from './bank.ts';
import type { Row } from './measure.ts';

/** The built trigger, polled without n8n: what counts is what it asks of the bank. */
function polledTrigger({ url }: BenchBank) {
	const file = join(nodesPackageDir, 'dist/nodes/BankOperationsTrigger/BankOperationsTrigger.node.js');
	const { BankOperationsTrigger } = createRequire(import.meta.url)(file) as {
		BankOperationsTrigger: new () => INodeType;
	};
	const trigger = new BankOperationsTrigger();
	const memory = {};
	const parameters = { flow: 'authorizationCode', startFrom: 'now', statusChanges: true, simplify: true, options: {} };
	const base = fakeN8n({
		parameters,
		credentials: {
			bankAuthorizationCodeOAuth2Api: { environment: 'sandbox', sandboxBaseUrl: url, token: token.access_token },
		},
	});
	const quiet = () => undefined;
	const context = {
		...base,
		getMode: () => 'trigger',
		getNodeParameter: (name: string, fallback?: unknown) => base.getNodeParameter(name, 0, fallback),
		getWorkflowStaticData: () => memory,
		getPollBudgetMs: () => 240_000,
		logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
	};
	return async () => (await trigger.poll?.call(context as unknown as IPollFunctions))?.[0]?.length ?? 0;
}

export const pollingRows: Row[] = [
	{
		group: 'polling',
		name: '5,000 operations in a day: bank calls of a poll that finds nothing new',
		against: '',
		target: '<= 3',
		unit: 'calls',
		pairs: 1,
		async sides(beds) {
			const bank = await startBank();
			beds.closing(() => bank.close());
			bank.operations = 5000;
			const poll = polledTrigger(bank);
			// The first reads all there is.
			await poll();
			return {
				ours: async () => {
					bank.calls = 0;
					const found = await poll();
					if (found !== 0) throw new Error(`The poll found ${found} operations`);
					return bank.calls;
				},
			};
		},
	},
];
