/** The parameters of the bank nodes in the examples are those of the forms. */
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { Bank } from '../../../n8n-nodes-bank/nodes/Bank/Bank.node.ts';
import { BankCardIssuance } from '../../../n8n-nodes-bank/nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankChecks } from '../../../n8n-nodes-bank/nodes/BankChecks/BankChecks.node.ts';
import { BankCourier } from '../../../n8n-nodes-bank/nodes/BankCourier/BankCourier.node.ts';
import { BankCourierOrderTrigger } from '../../../n8n-nodes-bank/nodes/BankCourierOrderTrigger/BankCourierOrderTrigger.node.ts';
import { BankOperationsTrigger } from '../../../n8n-nodes-bank/nodes/BankOperationsTrigger/BankOperationsTrigger.node.ts';
import { BankTrigger } from '../../../n8n-nodes-bank/nodes/BankTrigger/BankTrigger.node.ts';
import { readExamples } from '../../src/examples.ts';

const types = new Map<string, INodeTypeDescription>(
	[Bank, BankCardIssuance, BankChecks, BankCourier, BankCourierOrderTrigger, BankOperationsTrigger, BankTrigger].map(
		(Type) => [Type.name, new Type().description],
	),
);

const nodes = readExamples().flatMap(({ file, workflow }) =>
	workflow.nodes.flatMap((node) => {
		const [, type] = /^n8n-nodes-bank\.(\w+?)(?:Tool)?$/.exec(node.type) ?? [];
		if (type === undefined) return [];
		const description = types.get(type.charAt(0).toUpperCase() + type.slice(1));
		if (description === undefined) throw new Error(`${node.type} is missing above`);
		return [{ file, name: node.name, node: node as unknown as INode, description }];
	}),
);

test.each(nodes)('$file, $name: the form shows each parameter', ({ node, description }) => {
	const shown = NodeHelpers.getNodeParameters(description.properties, node.parameters, true, false, node, description);
	// n8n adds the poll times itself. It drops a parameter that another one hides or that has been renamed.
	const { pollTimes, ...own } = node.parameters;
	expect(shown).toMatchObject(own);
	expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBeNull();
});
