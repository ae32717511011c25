import { readFileSync } from 'node:fs';
import path from 'node:path';

import { resources } from '@bank/core';

const aliasesOf = (node: string): string[] => {
	const file = path.join(__dirname, `../nodes/${node}/${node}.node.json`);
	const { alias } = JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] };
	return alias;
};

// The node panel lists a trigger under its action node and searches only the keywords of that node.
describe('the search of the node panel, for words of the task', () => {
	it.each([
		['Bank', 'sbp, salary, payroll, freelancers, pay people, transfer, money, iban, loan, card limit, limits'],
		['Bank', 'send money, mass payment, receipt, balance, account operations, resolve payment, find payment'],
		['Bank', 'reconcile, reconciliation, сверка'],
		// docs/not-shown.md says what to use instead of the first four.
		['Bank', 'refund, возврат, balance, receipt, чек, баланс, остаток, кредит, налог, idempotency, pay twice'],
		['Bank', 'СБП, перевод, выплата, выписка, операции'],
		['Bank', 'bank statement, payment received, invoice paid, event, subscription, webhook, webhook bank'],
		['BankChecks', 'scoring, kyc, aml, passport, sanctions, check customer, check passport, проверка, контрагент, ИНН'],
		['BankCardIssuance', 'scoring, credit card, issue card, карта'],
		['BankCourier', 'courier, delivery, sms code, курьер, доставка'],
		['BankOperationsTrigger', 'payment received, bank statement, new operation'],
	])('finds %s: %s', (node, words) => {
		expect(aliasesOf(node)).toEqual(expect.arrayContaining(words.split(', ')));
	});

	// n8n's search does not look for names of operations, which errors and docs use.
	it('finds Bank by the names of the operations of payments', () => {
		const { name, operations = [] } = resources.find(({ value }) => value === 'payment') ?? {};
		const names = operations.map((operation) => `${name}: ${operation.name}`);
		expect(names).toContain('Payment: Resolve');
		expect(aliasesOf('Bank')).toEqual(expect.arrayContaining(names));
	});
});
