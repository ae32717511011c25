import * as v from 'valibot';

import { count, day, decimal, flag, group, listOf, optionalText } from '../../schemas/fields.ts';

/**
 * The blocks inside `partner` (2.4), in the order of the description. Everything is optional, because the description
 * does not mark anything as required.
 */

const money = (title: string, description: string) => v.optional(decimal(title, description, { kind: 'amount' }));
const sum = () => money('Sum', 'Sum in currency units');
const date = (title = 'Date') => v.optional(day(title, 'Date of the record'));
const quantity = (description = 'Quantity of the record') => v.optional(count('Quantity', description));
const category = () => optionalText('Category', 'Category of the record');

const rows = (title: string, description: string, entries: v.ObjectEntries) =>
	v.optional(listOf(group(entries, title, description), title, description));
const sums = (title: string, description: string) => rows(title, description, { sum: sum(), date: date() });
const quantities = (title: string, description: string) =>
	rows(title, description, { quantity: quantity(), date: date() });
const datedSums = (title: string, description: string) =>
	rows(title, description, { factDate: date('Actual Date'), sum: sum(), date: date() });
const categorySums = (title: string, description: string) =>
	rows(title, description, { sum: sum(), category: category() });
const overdue = (title: string, description: string) =>
	rows(title, description, {
		overDueDate: v.optional(day('Overdue Date', 'Overdue date of the record')),
		duration: v.optional(count('Duration', 'Length of the delay in days')),
		sum: sum(),
	});
const block = (title: string, description: string, entries: v.ObjectEntries) =>
	v.optional(group(entries, title, description));

export const partner = group(
	{
		numberOfInteractionDays: v.optional(count('Days of Work Together', 'Days since work with the partner began')),
		startDateOfInteraction: v.optional(day('Start of Work Together', 'Start date of work with the partner')),
		transactionsInfo: block(
			'Transactions',
			"Monthly figures of the seller's transactions with the partner, last 2-3 years",
			{
				transactionsMSBSumList: sums('Monthly Sum', "Monthly sum of the seller's transactions with the partner"),
				transactionsMSBQuantityList: quantities('Monthly Count', 'Monthly count of transactions'),
				transactionsMSBAvgSumList: sums('Monthly Average', 'Monthly average transaction sum'),
				minSumTransactionMSB: sums('Monthly Minimum', 'Monthly minimum single transaction sum'),
				transactionsMSBMaxSumList: sums('Monthly Maximum', 'Monthly maximum single transaction sum'),
			},
		),
		sellerInventory: block('Seller Inventory', 'Stock on the marketplace, monthly', {
			inventorySumAndQuantityList: rows('Stock', 'Monthly stock value and stock quantity on the marketplace', {
				sum: sum(),
				quantity: quantity('Pieces'),
				date: date(),
			}),
		}),
		sellerQuality: block('Seller Quality', 'Ratings, returns and concentration of goods', {
			sellerRatings: rows('Ratings', 'Monthly seller rating', {
				rating: v.optional(decimal('Rating', 'Rating of the seller')),
				date: date(),
			}),
			returnedQuantityList: quantities('Returns', 'Monthly count of returns and unfulfilled orders'),
			reasonForRefundList: rows('Reasons for Returns', 'Monthly reasons for returns', {
				reason: optionalText('Reason', 'Why goods came back'),
				date: date(),
			}),
			goodsConcentrationLevels: rows(
				'Concentration of Goods',
				"Share of each good in the seller's sales on the request date",
				{
					concentrationLevelOfSum: v.optional(decimal('Share of Sum', 'Percent of sales in money')),
					concentrationLevelOfQuantity: v.optional(decimal('Share of Quantity', 'Percent of sales in units')),
					nameOfGood: optionalText('Name of Good', 'Name of the good'),
				},
			),
		}),
		premiumAccount: block('Premium Account', 'Premium marketplace account', {
			hasPremiumAccount: v.optional(
				flag('Has Premium Account', 'Whether the seller has a premium marketplace account on the request date'),
			),
		}),
		delay: block('Delays', 'Overdue payments', {
			loans: overdue('Loans', 'Overdue installments, loans and other financial products'),
			goods: overdue('Goods', 'Overdue payments for purchased goods and logistics services'),
		}),
		procuredGoodsInfo: block('Procured Goods', 'Goods bought from the partner', {
			// Text by the description, an array of strings in the sample: both are accepted and sent unchanged.
			categories: v.optional(
				v.pipe(
					v.union([v.array(v.string()), v.string()]),
					v.title('Categories'),
					v.description('Categories of goods bought from the partner'),
				),
			),
		}),
		feeList: sums('Fees', 'Monthly payments for partner services (logistics)'),
		transportedGoodsInfo: block('Transported Goods', 'Transported cargo', {
			deliveries: rows('Deliveries', 'Transported cargo', {
				date: date(),
				transportedGoodsVolumeAndCategoryList: rows('Volumes', 'Volume by category', {
					volume: v.optional(decimal('Volume', 'Ton-kilometres per month')),
					category: category(),
				}),
			}),
		}),
		vat: block('VAT', 'Value-added tax, quarterly', {
			totalTaxBaseList: sums('Tax Base', 'Total VAT tax base, quarterly'),
			counterparts: rows('Counterparties', 'Count of counterparties per quarter with purchase and sale sums', {
				quantity: quantity('Count of counterparties'),
				date: date(),
				purchases: sums('Purchases', 'Purchase sums per quarter'),
				sales: sums('Sales', 'Sale sums per quarter'),
			}),
			purchaseAndSaleOperations: quantities(
				'Ledger Operations',
				'Number of operations in purchase and sales ledgers, quarterly',
			),
		}),
		insurancePremiumsInfo: block('Insurance Premiums', 'Insurance premiums, quarterly', {
			mandatoryPensionInsuranceSumList: sums('Pension', 'Pension insurance premiums payable, quarterly'),
			mandatoryMedicalInsuranceSumList: sums('Medical', 'Medical insurance premiums, quarterly'),
			mandatoryPensionInsuranceSurchargeSumList: sums(
				'Pension Surcharge',
				'Pension premiums at the additional tariff, quarterly',
			),
			supplementarySocialSupportSumList: sums(
				'Additional Social Security',
				'Premiums for additional social security, quarterly',
			),
			mandatorySocialInsuranceSumList: sums(
				'Social',
				'Social insurance premiums for temporary disability and maternity, quarterly',
			),
		}),
		profitTax: block('Profit Tax', 'Profit tax, quarterly', {
			incomes: sums('Incomes', 'Income from sales, quarterly'),
			costs: sums('Costs', 'Losses and expenses, quarterly'),
			totalProfits: sums('Total Profits', 'Total profit or loss, quarterly'),
		}),
		twoPersonalIncomeTaxesInfo: block('Personal Income Tax, Yearly (2)', 'Personal income tax, yearly', {
			fullCostSumList: sums('Calculated', 'Personal income tax calculated, yearly'),
			retentionSumList: sums('Withheld', 'Personal income tax withheld, yearly'),
			paidSumList: sums('Transferred', 'Personal income tax transferred, yearly'),
			employeesQuantityList: quantities('Headcount', 'Headcount, yearly'),
		}),
		sixPersonalIncomeTaxesInfo: block(
			'Personal Income Tax, Yearly (6)',
			'Personal income tax by actual dates, yearly',
			{
				factIncomes: datedSums('Actual Income', 'Actual income received, yearly'),
				retentionPITDateAndSumList: datedSums('Withheld', 'Date and sum of withheld personal income tax, yearly'),
				imposedKBKTaxes: sums('Taxes Accrued', 'Taxes accrued per budget code, yearly'),
				imposedInterests: sums('Interest Accrued', 'Penalty interest accrued, yearly'),
				imposedFines: sums('Fines Accrued', 'Fines accrued, yearly'),
				paidKBKTaxes: sums('Taxes Paid', 'Taxes paid, yearly'),
				paidKBKInterests: sums('Interest Paid', 'Penalty interest paid, yearly'),
				paidKBKFines: sums('Fines Paid', 'Fines paid, yearly'),
			},
		),
		calculationsInformation: block('Calculations', 'Current penalties on the request date', {
			currentInterestsSum: money('Current Interest', 'Current penalty interest on the request date'),
			currentInterestsAndCategories: categorySums(
				'Current Interest by Category',
				'Current penalty interest, by category',
			),
			// The description notes that the field is named taxes and means fines.
			currentTaxesSum: money('Current Fines', 'Current fines on the request date (as the reference labels it)'),
			currentFinesAndCategories: categorySums('Current Fines by Category', 'Current fines, by category'),
		}),
	},
	'Partner Data',
	"The borrower's work with the partner",
);
