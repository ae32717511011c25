import {
	type CheckName,
	checkNames,
	definitions,
	InputError,
	type InputOf,
	isCheckName,
	keysOf,
	type OperationInput,
	readChecks,
	splitList,
} from '@bank/core';

import { fieldJson } from '../../shared/form/itemJson.ts';
import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { readUndescribed } from '../../shared/form/readForm.ts';
import { firstItem, type Run } from '../../shared/form/run.ts';
import { personFields } from './personFields.ts';

type RunChecks = typeof definitions.unifiedCheck.run;

/** 4.14: selected checks are requested, the others sent as "false" or left out. The output has a field per check. */
export const runChecks = bindHooks(definitions.unifiedCheck.run, {
	async read(run, item): Promise<OperationInput> {
		const { parameters } = run;
		const chosen = chosenChecks(parameters.value('checks', item, []));
		const { otherChecks = 'false' } = parameters.options(item);
		const listed = otherChecks === 'leaveOut' ? chosen : keysOf(checkNames);
		const checks = listed.map((checkName) => ({ checkName, isToCall: chosen.includes(checkName) ? 'true' : 'false' }));
		// If the checks come from an expression, n8n returns both fields for every item.
		const needed = chosen.includes('WSCustomerComplianceCheckGet')
			? { idg: parameters.value('idg', item, ''), chklst: parameters.value('chklst', item, []) }
			: {};
		return {
			body: { checks, ...personIn(run, item), ...parameters.group('additionalFields', item), ...needed },
			...(await readUndescribed(run, item)),
		};
	},

	output(run, { job, sent, result: { data, status } }) {
		const details = (job.operation ?? run.operation).details?.checks;
		const { verdict, results, messages, reasons } = readChecks(data, askedIn(sent.body), { status, details });
		const why = Object.keys(reasons).length === 0 ? {} : { reasons: fieldJson(reasons) };
		const response = fieldJson(data ?? null);
		const json = { verdict, ...results, ...why, messages: fieldJson(messages), response };
		return [{ json, pairedItem: { item: firstItem(job) } }];
	},
});

/** The fields that the user filled in. An expression that returns nothing is an empty value, which is reported. */
function personIn({ context, parameters }: Run, item: number): Record<string, unknown> {
	const written = context.getNode().parameters;
	const filled = personFields.filter((name) => (written[name] ?? '') !== '');
	return Object.fromEntries(filled.map((name) => [name, parameters.value(name, item, '')]));
}

/** The checks that the request includes. */
function askedIn({ checks }: InputOf<RunChecks>['body']): CheckName[] {
	return checks.filter(({ isToCall }) => isToCall === 'true').map(({ checkName }) => checkName);
}

function chosenChecks(value: unknown): CheckName[] {
	const given = [...new Set(splitList(value, 'identifier'))];
	if (given.every(isCheckName)) return given;
	const message = `must be among ${Object.keys(checkNames).join(', ')}`;
	throw new InputError([{ path: 'checks', message, value: given.find((name) => !isCheckName(name)) }]);
}
