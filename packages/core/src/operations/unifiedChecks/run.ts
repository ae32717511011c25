import * as v from 'valibot';

import { unifiedChecks } from '../../errors/unifiedChecks.ts';
import type { ValidationIssue } from '../../validation.ts';
import { defineOperation } from '../../operation.ts';
import { choice, codes, fields, group, listOf, optionalText } from '../../schemas/fields.ts';
import { type CheckName, checkNames } from './names.ts';

const optional = (title: string, description: string, example: string) =>
	optionalText(title, description, { placeholder: `e.g. ${example}` });

const checksBody = fields({
	checks: listOf(
		group(
			{
				checkName: choice(checkNames, 'Check', 'Which check'),
				// Text, not a boolean: "the text true to run, false to skip".
				isToCall: choice({ true: 'Run', false: 'Skip' }, 'Run', 'Whether the check runs'),
			},
			'Check',
			'One check',
		),
		'Checks',
		'The checks to run',
	),
	exs: optional('External System Code', 'Code of the external system (exs)', 'PARTNER'),
	idg: optional('System Code', 'System code; needed for Blacklist Blocks', 'SYS1'),
	chklst: v.optional(
		codes('Check Codes', 'Codes of the blocks to check, separated by commas; needed for Blacklist Blocks', {
			placeholder: 'e.g. A01,A02',
		}),
	),
	cus: optional('Client ID', 'Identifier of the client (cus)', 'C-1001'),
	fnm1: optional('Surname', 'Surname of the person (fnm1)', 'Ivanova'),
	fnm2: optional('First Name', 'First name of the person (fnm2)', 'Anna'),
	fnm3: optional('Patronymic', 'Patronymic of the person (fnm3)', 'Petrovna'),
	dtbr: optional('Date of Birth', 'Date of birth, in the format that the bank gave you', '1990-01-31'),
	ucd: optional('Document Type', 'Type of the identity document (ucd)', '21'),
	ser: optional('Document Series', 'Series of the identity document (ser)', '4500'),
	num: optional('Document Number', 'Number of the identity document (num)', '123456'),
	dopn: optional('Document Issue Date', 'Document issue date, in the format that the bank gave you', '2010-02-01'),
	edt: optional('Document Expiry Date', 'Document expiry date, in the format that the bank gave you', '2030-02-01'),
	ucdo: optional('Old Document Type', 'Type of an old identity document; temporarily unused', '21'),
	sero: optional('Old Document Series', 'Series of an old identity document; temporarily unused', '4500'),
	numo: optional('Old Document Number', 'Number of an old identity document; temporarily unused', '654321'),
	crf: optional('Tax Number', 'Tax number of the legal entity or individual (crf)', '7700000000'),
	fior: optional('Insurance Account Number', 'Number of the insurance account (fior)', '112-233-445 95'),
	cod: optional('Cod', 'Value of the field cod. Ask your bank.', '1'),
	ecs: optional('Calling System', 'Description of the calling system', 'CRM'),
	cban: optional('Block Code', 'Code of a block (cban)', '01'),
	customerType: optional('Client Type', 'Client type, as the bank gave it to you', '1'),
});

type ChecksBody = v.InferOutput<typeof checksBody>;

/**
 * Each of these fields says who is checked. The fields of an old document are not among them: 4.14 calls them
 * "temporarily unused".
 */
const identifying = ['fnm1', 'fnm2', 'fnm3', 'dtbr', 'ser', 'num', 'crf', 'fior', 'cus'] as const;

/**
 * Fields that a check needs according to 4.14 and to the message codes of 7.3 for missing ones. A request that names no person
 * or company is refused, because the bank might respond that the check is passed. The compliance check is left out, because 4.14
 * says what it needs.
 */
function requiredFieldIssues(body: ChecksBody): ValidationIssue[] {
	const called = new Set(body.checks.filter(({ isToCall }) => isToCall === 'true').map(({ checkName }) => checkName));
	const has = (...names: (keyof ChecksBody)[]) => names.every((name) => body[name] !== undefined);
	const issues: ValidationIssue[] = [];
	const need = (check: CheckName, name: keyof ChecksBody) => {
		if (called.has(check) && !has(name))
			issues.push({ path: name, message: `is needed for ${checkNames[check]} (${check})` });
	};
	need('WSCustomerComplianceCheckGet', 'idg');
	need('WSCustomerComplianceCheckGet', 'chklst');
	need('WSResultSOZSalaryProject', 'crf');
	if (called.has('WSGlobalSearch') && !has('crf') && !has('fnm1', 'fnm2', 'dtbr') && !has('num'))
		issues.push({
			path: 'crf',
			message:
				`is needed for ${checkNames.WSGlobalSearch} (WSGlobalSearch), or ` +
				`surname, first name and date of birth, or the number of the identity document`,
		});
	const isForSomebody = [...called].some((name) => name !== 'WSCustomerComplianceCheckGet');
	if (isForSomebody && !identifying.some((name) => has(name)) && !issues.some(({ path }) => path === 'crf'))
		issues.push({
			path: 'fnm1',
			message:
				'is needed, or another field that says who is checked: first name, patronymic, date of birth, series or ' +
				'number of the identity document, tax number, insurance account number or client ID',
		});
	if (called.size === 0) issues.push({ path: 'checks', message: 'must contain at least one check to run' });
	// The response has one result for each check, so the results of several persons could not be told apart.
	for (const name of ['crf', 'cus', 'fior', 'fnm1', 'num'] as const)
		if (/[,;]/.test(body[name] ?? ''))
			issues.push({ path: name, message: 'must name one person or company, without commas' });
	return issues;
}

export const run = defineOperation({
	id: 'unifiedCheck.run',
	spec: '4.14',
	serviceVersion: '1.2.0',
	action: 'Run unified checks',
	description:
		'Check a person or a company: passports, bankruptcy, reputation, terrorism, blacklists and more in one request',
	responseSummary:
		'verdict: passed, failed or incomplete; for each check passed, failed, notRun or unclear; messages with code and meaning; ' +
		'reasons why a check is unclear.',
	notes: [
		'`isToCall` is text: `true` or `false`.',
		'`idg` and `chklst` are needed for `WSCustomerComplianceCheckGet`; several codes are separated by commas, without spaces.',
		'`crf` is needed for `WSResultSOZSalaryProject`; `WSGlobalSearch` needs it, or `fnm1`, `fnm2` and ' +
			'`dtbr`, or `num` (by the message codes of 7.3).',
		'Other checks need at least one of `fnm1`, `fnm2`, `fnm3`, `dtbr`, `ser`, `num`, `crf`, `fior` and `cus`.',
	],
	auth: 'mutualTls',
	effect: 'read',
	// The API description shows neither method nor path. It shows a body, so the method is likely POST.
	body: checksBody,
	hasChecks: true,
	dialect: unifiedChecks,
	rules: ({ body }) => requiredFieldIssues(body),
});
