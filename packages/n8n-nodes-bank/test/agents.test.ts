/** What agents may do, over all operations of all nodes. */
import { isIrreversible, operations } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { Bank } from '../nodes/Bank/Bank.node.ts';
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankChecks } from '../nodes/BankChecks/BankChecks.node.ts';
import { BankCourier } from '../nodes/BankCourier/BankCourier.node.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';

const isSelector = ({ name }: INodeProperties) => name === 'operation';

test('the form of a tool hides what stays done, and nothing else', () => {
	const hidden = new Set<string>();
	const offered = new Set<string>();
	for (const Node of [Bank, BankCardIssuance, BankChecks, BankCourier, BankPartnerServices])
		for (const { displayOptions, options = [] } of new Node().description.properties.filter(isSelector))
			for (const resource of displayOptions?.show?.resource ?? [])
				for (const option of options) {
					if (!('value' in option)) continue;
					const isHidden = option.displayOptions?.hide?.['@tool']?.includes(true) === true;
					(isHidden ? hidden : offered).add(`${String(resource)}.${String(option.value)}`);
				}
	const wanted = operations.filter(isIrreversible).map(({ id }) => id);
	expect([...hidden].sort()).toEqual(wanted.sort());
	expect(wanted).toEqual(
		expect.arrayContaining(['webhook.delete', 'cardLimit.delete', 'payment.sendPackage', 'directDebit.debit']),
	);
	expect(offered.size).toBeGreaterThan(20);
});
