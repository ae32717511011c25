import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { fields, flag, optionalText } from '../../schemas/fields.ts';
import { orderSummary, reportOrder, statementIssues, statementOrder } from './order.ts';

export const orderCredit = defineOperation({
	id: 'statement.orderCredit',
	spec: '4, P4',
	name: 'Order Credit Statement',
	action: 'Order credit statement',
	description:
		'Order a stamped certificate with contract terms, outstanding debt, interest accrued to date and operation history',
	responseSummary: orderSummary,
	notes: ['`dateEnd` is not before `dateBegin`.'],
	auth: 'authorizationCode',
	scope: 'credit-statements',
	effect: 'order',
	method: 'POST',
	path: '/api/pp/v1/reports/type/credit/statement',
	body: fields({
		...statementOrder.entries,
		agreementNumber: optionalText('Agreement Number', 'Credit contract number', { placeholder: 'e.g. 0001-2026' }),
		// The API description says "deposit" here, although this is the statement of a credit.
		operationsHistory: flag('Operations History', 'Whether to include detailed information on operations'),
	}),
	response: reportOrder,
	errors: restErrors('access_denied', 'unknown_endpoint'),
	rules: statementIssues,
});
