import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { orderSummary, reportOrder, statementIssues, statementOrder } from './order.ts';

export const orderAccount = defineOperation({
	id: 'statement.orderAccount',
	spec: '4, P5',
	name: 'Order Account Statement',
	action: 'Order account statement',
	description: 'Order a statement of one or more accounts for a period',
	responseSummary: orderSummary,
	notes: ['`dateEnd` is not before `dateBegin`.'],
	auth: 'authorizationCode',
	scope: 'debit-statements',
	effect: 'order',
	method: 'POST',
	path: '/api/pp/v1/reports/type/account',
	body: statementOrder,
	response: reportOrder,
	errors: restErrors('access_denied', 'unknown_endpoint'),
	rules: statementIssues,
});
