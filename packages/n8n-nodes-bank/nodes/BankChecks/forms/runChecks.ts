import { type CheckName, checkNames, InputError, type OperationInput, readChecks } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { type Form, readOpen } from '../../shared/form.ts';

/** 4.14: the checks to run are picked; the others go along as "false" or not at all. The answer becomes a field per check. */
export const runChecks: Form = {
	async read(form, item): Promise<OperationInput> {
		const { parameter } = form;
		const chosen = chosenChecks(parameter('checks', item, []));
		const { otherChecks = 'false' } = parameter('options', item, {}) as IDataObject;
		const all = Object.keys(checkNames) as CheckName[];
		const listed = otherChecks === 'leaveOut' ? chosen : all;
		const checks = listed.map((checkName) => ({ checkName, isToCall: chosen.includes(checkName) ? 'true' : 'false' }));
		const needed = { idg: parameter('idg', item, ''), chklst: parameter('chklst', item, []) };
		return {
			body: { checks, ...(parameter('additionalFields', item, {}) as IDataObject), ...needed },
			...(await readOpen(form, item)),
		};
	},

	output(_form, { items: [item = 0], input }, { data }) {
		const asked = (input.body as { checks: { checkName: CheckName; isToCall: string }[] }).checks
			.filter(({ isToCall }) => isToCall === 'true')
			.map(({ checkName }) => checkName);
		const { verdict, results, messages } = readChecks(data, asked);
		return [
			{
				json: { verdict, ...results, messages: messages as IDataObject, answer: (data ?? null) as IDataObject },
				pairedItem: { item },
			},
		];
	},
};

function chosenChecks(value: unknown): CheckName[] {
	const given = (Array.isArray(value) ? value : String(value ?? '').split(','))
		.map((name) => String(name).trim())
		.filter((name) => name !== '');
	const wrong = given.find((name) => !Object.hasOwn(checkNames, name));
	if (wrong !== undefined)
		throw new InputError([{ path: 'checks', message: `must be among ${Object.keys(checkNames).join(', ')}` }]);
	return given as CheckName[];
}
