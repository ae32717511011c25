import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { responseObject, choice, count, day, fields, identifiers } from '../../schemas/fields.ts';
import { periodIssues } from '../statement/order.ts';
import { bankOperation, simplifyOperation } from './bankOperation.ts';

export const getMany = defineOperation({
	id: 'accountOperation.getMany',
	spec: '4, P6',
	action: 'Get many account operations',
	description: 'Read the history of operations on cards and accounts',
	responseSummary:
		'One item per operation: amount in currency (where it has minorUnits, value / minorUnits), direction INCOME or EXPENSE, ' +
		'status SUCCESS, HOLD (not done yet) or FAILED, counterparty, dateTime. Both days of a period are included.',
	notes: ['`dateTo` is not before `dateFrom`.'],
	auth: 'authorizationCode',
	scope: 'operations-history',
	effect: 'read',
	method: 'GET',
	path: '/api/pp/v1/operations',
	query: fields({
		dateFrom: v.optional(day('From', 'First day, inclusive')),
		dateTo: v.optional(day('To', 'Last day, inclusive')),
		accounts: v.optional(
			identifiers('Account', 'Accounts', 'Account numbers to filter by: a list, or several separated by commas', {
				placeholder: 'e.g. 40702810000000000001',
				holds: 'account',
			}),
		),
		cards: v.optional(
			identifiers('Card', 'Cards', 'Card identifiers to filter by: a list, or several separated by commas', {
				placeholder: 'e.g. card-0001',
				holds: 'card',
			}),
		),
		operationDirection: v.optional(
			choice({ INCOME: 'Incoming', EXPENSE: 'Outgoing' }, 'Direction', 'Only incoming or only outgoing operations'),
		),
		offset: v.optional(count('Offset', 'Number of operations to skip')),
		limit: v.optional(count('Limit', 'Number of operations per page')),
	}),
	response: responseObject({ operations: v.array(bankOperation) }),
	list: { key: 'operations', offset: 'offset', limit: 'limit', simplify: simplifyOperation },
	errors: restErrors('access_denied', 'unknown_endpoint'),
	rules: ({ query }) => periodIssues('dateTo', query.dateFrom, query.dateTo),
});
