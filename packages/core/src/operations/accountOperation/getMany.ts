import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { answer, choice, count, day, fields, identifiers } from '../../schemas/fields.ts';
import { amount } from '../../schemas/money.ts';
import { simplifyOperation } from '../../simplify.ts';
import { periodFaults } from '../statement/order.ts';

const about = (title: string, description: string) => v.pipe(v.string(), v.title(title), v.description(description));
const maybe = (title: string, description: string) => v.optional(about(title, description));

/** An operation on a card or account (2.6). */
export const bankOperation = answer({
	id: about('ID', 'Operation identifier'),
	dateTime: about('Date and Time', 'Date and time of the operation, ISO 8601'),
	title: about('Title', 'Operation title'),
	amount,
	comment: maybe('Comment', 'Comment'),
	mcc: maybe('MCC', 'Merchant category code'),
	category: v.optional(answer({ id: about('ID', 'Category identifier'), name: about('Name', 'Category name') })),
	direction: about('Direction', 'INCOME (incoming) or EXPENSE (outgoing)'),
	loyalty: v.optional(
		answer({
			title: maybe('Title', 'Title'),
			percent: v.optional(v.pipe(v.number(), v.title('Percent'), v.description('Percent'))),
			amount: v.optional(amount),
		}),
	),
	// 3.2: SUCCESS, HOLD, FAILED; null for an incoming operation or an undefined status.
	status: v.nullish(
		about('Status', 'SUCCESS, HOLD (in processing) or FAILED; null for an incoming operation or when undefined'),
	),
	type: maybe('Type', 'Operation type'),
	terminal: v.optional(
		answer({
			number: maybe('Number', 'Terminal number'),
			name: maybe('Name', 'Point of sale'),
			city: maybe('City', 'City code'),
			countryCode: maybe('Country', 'Country code'),
		}),
	),
	sender: v.optional(
		answer({
			name: maybe('Name', 'Sender name'),
			accountNumber: maybe('Account', 'Sender account number'),
			bankBik: maybe('Bank Code', 'BIK of the sender bank'),
			bankName: maybe('Bank', 'Sender bank'),
			// A sample shows a number.
			phoneNumber: maybe('Phone', 'Sender phone'),
			maskedCardNumber: maybe('Card', 'Masked card number'),
		}),
	),
	recipient: v.optional(
		answer({
			name: maybe('Name', 'Recipient name'),
			bankBik: maybe('Bank Code', 'BIK of the recipient bank'),
			bankName: maybe('Bank', 'Recipient bank'),
			phoneNumber: maybe('Phone', 'Recipient phone'),
		}),
	),
	fee: v.pipe(v.number(), v.title('Fee'), v.description('Operation commission')),
	reference: maybe('Reference', "Identifier of the operation in the bank's core system"),
	isAnotherClient: v.pipe(
		v.boolean(),
		v.title('Another Client'),
		v.description('The operation was made by another client'),
	),
	cashout: v.pipe(v.boolean(), v.title('Cash'), v.description('Cash withdrawal at a cash machine')),
});

export const getMany = defineOperation({
	id: 'accountOperation.getMany',
	spec: '4, P6',
	name: 'Get Many',
	action: 'Get many operations',
	description: 'Read the history of operations on cards and accounts',
	auth: 'authorizationCode',
	scope: 'operations-history',
	effect: 'read',
	method: 'GET',
	path: '/api/pp/v1/operations',
	query: fields({
		dateFrom: v.optional(day('From', 'First day, inclusive')),
		dateTo: v.optional(day('To', 'Last day, inclusive')),
		accounts: v.optional(
			identifiers('Account', 'Accounts', 'Account numbers to select by: a list, or several separated by commas', {
				placeholder: 'e.g. 40702810000000000001',
			}),
		),
		cards: v.optional(
			identifiers('Card', 'Cards', 'Card identifiers to select by: a list, or several separated by commas', {
				placeholder: 'e.g. card-0001',
			}),
		),
		operationDirection: v.optional(
			choice({ INCOME: 'Incoming', EXPENSE: 'Outgoing' }, 'Direction', 'Only incoming or only outgoing operations'),
		),
		offset: v.optional(count('Offset', 'Number of operations to skip')),
		limit: v.optional(count('Limit', 'Number of operations per page')),
	}),
	response: answer({ operations: v.array(bankOperation) }),
	list: { key: 'operations', offset: 'offset', limit: 'limit', simplify: simplifyOperation },
	errors: restErrors('access_denied', 'unknown_endpoint'),
	rules: ({ query }) => periodFaults(query.dateFrom, query.dateTo, 'dateTo', 'dateFrom'),
});
