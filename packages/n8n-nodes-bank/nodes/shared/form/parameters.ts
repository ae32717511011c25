import { InputError, isBlank, isRecord } from '@bank/core';
import {
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	isExpression,
	isSafeObjectProperty,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { isItemJson } from './itemJson.ts';

type ReadParameter = (name: string, item: number, fallback: unknown) => unknown;

/** Lifecycle hooks, polls and webhooks of triggers, and list searches. */
type TriggerContext = Pick<
	IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions,
	'getNodeParameter'
>;

/** Whether a raw value is the same for every item. */
const isConstant = (raw: unknown): boolean =>
	['string', 'number', 'boolean'].includes(typeof raw) && !isExpression(raw);

/** Reads parameters. An expression may return any type, so each method converts to the type it promises. */
export class Parameters {
	readonly #read: ReadParameter;

	constructor(read: ReadParameter) {
		this.#read = read;
	}

	/** For action nodes, per item. Constants and column paths bypass n8n's expression engine. */
	static ofItems(context: Pick<IExecuteFunctions, 'getInputData' | 'getNodeParameter'>): Parameters {
		const written = new Map<string, { isConstant: boolean; column?: readonly string[] | undefined }>();
		const constants = new Map<string, unknown>();
		const writtenOf = (name: string) => {
			const known = written.get(name);
			if (known !== undefined) return known;
			const raw: unknown = context.getNodeParameter(name, 0, {}, { rawExpressions: true });
			const found = { isConstant: isConstant(raw), column: columnPath(raw) };
			written.set(name, found);
			return found;
		};
		const items = context.getInputData();
		return new Parameters((name, item, fallback) => {
			if (constants.has(name)) return constants.get(name);
			const { column, isConstant: isSame } = writtenOf(name);
			const looked = column === undefined ? NEEDS_EVALUATION : columnIn(items[item]?.json, column);
			if (looked !== NEEDS_EVALUATION) return looked;
			// n8n infers the result type from the fallback.
			const value: unknown = context.getNodeParameter(name, item, fallback as never);
			if (isSame) constants.set(name, value);
			return value;
		});
	}

	/** For triggers and list searches, which have no items. */
	static ofTrigger(context: TriggerContext): Parameters {
		return new Parameters((name, _item, fallback) => context.getNodeParameter(name, fallback as object));
	}

	/** The value, without the mode of a resource locator. Without a fallback n8n throws for a hidden field. */
	value(name: string, item = 0, fallback?: unknown): unknown {
		return chosenIn(this.#read(name, item, fallback));
	}

	/** Trimmed text; empty if missing. */
	text(name: string, item = 0, fallback = ''): string {
		return String(this.value(name, item, fallback) ?? '').trim();
	}

	/** True only for true or "true": an expression without a result turns nothing on. */
	flag(name: string, item = 0, fallback = false): boolean {
		return isOn(this.value(name, item, fallback));
	}

	/**
	 * The values of a collection; fields that the user did not add are absent.
	 * @throws InputError for an empty filter, because the bank would then return everything
	 */
	group(name: string, item = 0): IDataObject {
		const group = this.value(name, item, {});
		if (!isItemJson(group)) return {};
		const empty = name === 'filters' ? Object.keys(group).filter((key) => isBlank(group[key])) : [];
		if (empty.length > 0)
			throw new InputError(empty.map((path) => ({ path, message: 'is empty: remove the filter or give a value' })));
		return group;
	}

	options(item = 0): IDataObject {
		return this.group('options', item);
	}
}

/** The value of a resource locator, or the value itself. */
const chosenIn = (value: unknown): unknown => (isItemJson(value) && value.__rl === true ? value.value : value);

export const isOn = (value: unknown): boolean => value === true || value === 'true';

/**
 * Expressions such as `={{ $json['Amount due'] }}`, which the editor writes when a column is dropped on a field. Reading
 * them here saves up to half a millisecond each in n8n's expression engine.
 */
const columnExpression = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\]*"\]|\['[^'\\]*'\])+)\s*\}\}$/;
const columnStep = /\.(\w+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g;

/** The steps of the path; undefined for any other expression. */
function columnPath(expression: unknown): readonly string[] | undefined {
	const [, found] = typeof expression === 'string' ? (columnExpression.exec(expression) ?? []) : [];
	if (found === undefined) return undefined;
	const steps = [...found.matchAll(columnStep)].map((match) => match.slice(1).join(''));
	return steps.every(isOrdinary) ? steps : undefined;
}

/** Whether n8n allows a property name: it rejects names that could be used to leave its sandbox. */
const isOrdinary = (name: string): boolean =>
	!name.includes('constructor') && name.split(/\W/).every((word) => isSafeObjectProperty(word));

/** The value needs n8n's engine, which returns wrapped objects and lists. */
const NEEDS_EVALUATION = Symbol('left to the engine');

type Column = string | number | boolean | null | undefined | typeof NEEDS_EVALUATION;

/** The value at the path as the engine would return it; undefined if missing. */
function columnIn(json: unknown, steps: readonly string[]): Column {
	let value = json;
	for (const name of steps) {
		if (value === undefined || value === null) return undefined;
		if (typeof value !== 'object') return NEEDS_EVALUATION;
		const here: unknown = Array.isArray(value) ? { ...value } : value;
		if (!isRecord(here)) return NEEDS_EVALUATION;
		// Inherited properties such as `toString` and `length` are not columns.
		if (!Object.hasOwn(here, name)) return name in value || name in {} ? NEEDS_EVALUATION : undefined;
		value = here[name];
	}
	switch (typeof value) {
		case 'string':
		case 'number':
		case 'boolean':
		case 'undefined':
			return value;
		default:
			return value === null ? null : NEEDS_EVALUATION;
	}
}
