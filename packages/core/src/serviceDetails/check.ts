import { redact, isSecretName } from '../errors/redact.ts';
import { isRecord } from '../json.ts';
import { contradictsPass } from '../operations/unifiedChecks/messages.ts';
import { headerNameProblem, isHeaderName } from '../headers.ts';
import type { Operation } from '../operation.ts';
import { parsePath, type Step } from '../path.ts';
import { routeIssues } from '../client/address.ts';
import {
	carriesNoBody,
	type FieldDetails,
	fileField,
	isOutsideBody,
	type OperationDetails,
	placeholdersIn,
} from './details.ts';

/** Path of a value in the details. */
export type Keys = readonly (string | number)[];
export type AddIssue = (keys: Keys, message: string) => void;

/** Checks whether details that match the schema can be used for a request. */
export function consistencyIssues(
	operation: Operation,
	details: OperationDetails,
	ownHeaders: readonly string[],
	add: AddIssue,
): void {
	const { path, method = operation.method, token, files, names = {}, fields = {} } = details;
	if (path !== undefined) {
		const own = Object.keys(operation.pathFields?.entries ?? {});
		const named = [...Object.values(names), ...Object.keys(fields)].flatMap((name = '') => /^\w+$/.exec(name) ?? []);
		for (const { message } of routeIssues(path, [...own, ...named])) add(['path'], message);
		if (/[?&][^=]*(?:token|secret|key|passw)[^=]*=/i.test(path))
			add(['path'], 'holds what looks like a secret. Secrets belong in the other fields of the credential');
	}
	overlapIssues(details, add);
	placementIssues(operation, details, ownHeaders, add);
	if (details.body?.wrapper !== undefined && parsePath(details.body.wrapper) === undefined)
		add(['body', 'wrapper'], 'must be a field name such as request or data.request');
	if (details.body?.sendAs === 'form' && files !== undefined)
		add(['body', 'sendAs'], 'cannot be combined with "files"');
	if (carriesNoBody(method)) {
		if (details.body !== undefined) add(['body'], `must be empty, because ${method} carries no body`);
		if (operation.body !== undefined) add(['method'], `must not be ${method}, which carries no body`);
		if (operation.payload?.files !== undefined) add(['method'], `must not be ${method}, which cannot carry files`);
	}
	if (token !== undefined) tokenIssues(token, ownHeaders, add);
	if (files?.sendAs === 'multipart' && files.field?.includes('.') === true)
		add(['files', 'field'], 'must be the name of a form part, without dots');
	responseIssues(details, add);
}

/** Checks each field by itself, and whether the request has a place for it. */
function placementIssues(
	operation: Operation,
	details: OperationDetails,
	ownHeaders: readonly string[],
	add: AddIssue,
): void {
	const { path, method = operation.method, token, fields = {} } = details;
	const inPath = placeholdersIn(path);
	const headers = [...ownHeaders, 'authorization', ...(token?.sendAs === 'header' ? [token.name ?? ''] : [])];
	for (const [name, field] of Object.entries(fields)) {
		const { in: place, type, value } = field;
		const report = (message: string) => add(['fields', name], message);
		fieldIssues(name, field, report);
		if (
			operation.payload === undefined &&
			(value === undefined || (!isOutsideBody(field) && operation.body === undefined))
		)
			report(
				'must have "value" and, if the request has no body, "in" (query or header), because the form of this operation asks for no other data',
			);
		if (!isOutsideBody(field) && Object.hasOwn(operation.body?.entries ?? {}, parsePath(name)?.[0] ?? ''))
			report('is a field that the API description shows');
		const isNested = type === 'array' || type === 'object';
		if (inPath.includes(name)) {
			if (isNested || value !== undefined || place !== undefined)
				report(
					'is part of the path, so it must be a single value of the input: remove "value" and "in", or change its type',
				);
		} else if (place === 'header') {
			if (!isFreeHeader(name, headers))
				report('must be the name of a header that neither another field nor the connection or the credential uses');
			if (isNested) report('must be a plain value, because it goes into a header');
			headers.push(name);
		} else if (place === 'query') {
			if (!/^[\x21-\x7e]+$/.test(name)) report('must be the name of a query parameter');
			if (type === 'object') report('must be a plain value, because it goes into the query');
		} else if (carriesNoBody(method) && (place === 'body' || type === 'object' || /[.[]/.test(name)))
			report(`must be a plain value in the query, because ${method} carries no body: use "in": "query"`);
	}
}

function responseIssues({ responses = {}, checks }: OperationDetails, add: AddIssue): void {
	for (const [name, condition] of Object.entries(responses)) {
		if (!isRecord(condition)) continue;
		if ((condition.field === undefined) === (condition.header === undefined))
			add(['responses', name], 'must have either "field" or "header"');
	}
	for (const [index, name] of (checks?.ignore ?? []).entries())
		if (contradictsPass(name))
			add(['checks', 'ignore', index], 'is a code that the API description lists as a finding or an error');
	if (checks?.row !== undefined && !checks.row.includes('{check}') && checks.name === undefined)
		add(['checks', 'row'], 'must contain {check}, or "name" must say which field has the name of the check');
}

function fieldIssues(
	name: string,
	{ type, options, format, value, required }: FieldDetails,
	add: (message: string) => void,
): void {
	const kindOfOptions = { string: 'string', number: 'number', integer: 'number' }[type as string];
	if (options?.every((option) => typeof option === kindOfOptions) === false)
		add('has "options", which must be texts for the type string and numbers for the types number and integer');
	if (format !== undefined && type !== 'date') add('has a "format", which only the type date may have');
	if (value === undefined) return;
	const kind = typeof value;
	const wanted = type === 'integer' ? 'number' : type === 'date' ? 'string' : type;
	if (kind !== wanted || (type === 'integer' && !Number.isSafeInteger(value)))
		add(`has a "value" that is not of the type ${type}`);
	if (options !== undefined && !options.map(String).includes(String(value)))
		add('has a "value" that is not among its "options"');
	if (required === true) add('has a "value", so it must not be "required" of the input');
	const last = name.replace(/^.*[.\]]/, '');
	// A code that is always the same, such as `product.code`, is no secret.
	if ((isSecretName(last) && !/^code$/i.test(last)) || redact(String(value)).includes('[REDACTED]'))
		add('has a "value" that looks like a secret. Secrets belong in the other fields of the credential');
}

/** Paths that are taken, by their steps. */
interface Taken {
	isValue: boolean;
	next: Map<Step, Taken>;
}

/**
 * Returns false if the path equals or passes through a path that is taken, or needs a list where there is an object.
 */
function takePath(root: Taken, steps: readonly Step[]): boolean {
	let node = root;
	for (const step of steps) {
		const [other = step] = node.next.keys();
		if (node.isValue || typeof other !== typeof step) return false;
		const next = node.next.get(step) ?? { isValue: false, next: new Map<Step, Taken>() };
		node.next.set(step, next);
		node = next;
	}
	if (node.isValue || node.next.size > 0) return false;
	node.isValue = true;
	return true;
}

/** Checks that every name is a field name or path, and that no path equals or passes through another. */
function overlapIssues({ names = {}, fields = {}, files = {}, path }: OperationDetails, add: AddIssue): void {
	const taken: Taken = { isValue: false, next: new Map() };
	const take = (keys: readonly string[], place: string | undefined) => {
		if (place === undefined) return;
		const steps = parsePath(place);
		if (steps === undefined || steps.some((step) => ['__proto__', 'constructor', 'prototype'].includes(String(step))))
			add(keys, 'must be a field name such as number, request.number or items[0].number, with at most 20 steps');
		else if (!takePath(taken, steps)) add(keys, 'overlaps with another field: each needs its own path');
	};
	const isInPath = (place: string | undefined) => placeholdersIn(path).includes(place ?? '');
	for (const [name, place] of Object.entries(names)) take(['names', name], isInPath(place) ? undefined : place);
	for (const [name, field] of Object.entries(fields))
		if (isOutsideBody(field)) continue;
		else if (!isInPath(name)) take(['fields', name], name);
		else if (Object.values(names).includes(name)) add(['fields', name], 'is already used for another value');
	for (const key of ['field', 'fileName', 'mimeType', 'documentName'] as const)
		take(['files', key], files[key] === undefined ? undefined : fileField(files[key], 0));
	for (const [name, { field }] of Object.entries(files.documents ?? {}))
		take(['files', 'documents', name, 'field'], field === undefined ? undefined : fileField(field, 0));
}

const isFreeHeader = (name: string, used: readonly string[]): boolean =>
	(headerNameProblem(name) === undefined || /^accept(?:-language)?$/i.test(name)) &&
	!used.some((header) => header.toLowerCase() === name.toLowerCase());

function tokenIssues(
	{ sendAs, name }: NonNullable<OperationDetails['token']>,
	ownHeaders: readonly string[],
	add: AddIssue,
): void {
	if (name === undefined) return;
	if (sendAs === 'bearer') add(['token', 'name'], 'must be empty: "bearer" has its own header');
	else if (!isHeaderName(name))
		add(['token', 'name'], `must be the name of a ${sendAs === 'query' ? 'query parameter' : 'header'}`);
	if (sendAs !== 'header') return;
	if (!isFreeHeader(name, [...ownHeaders, 'authorization']))
		add(
			['token', 'name'],
			'must not be a header that belongs to the connection or the credential, such as Host or Authorization',
		);
}
