import { InputError, isNothing } from '@bank/core';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { columnIn, columnPath, leftToEngine } from './columnPath.ts';
import { isItemJson } from './itemJson.ts';

type ReadParameter = (name: string, item: number, fallback: unknown) => unknown;

/** The lifecycle hooks, the polls and the calls of a trigger all read their parameters so, and a form that lists choices. */
type TriggerContext = Pick<
	IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions,
	'getNodeParameter'
>;

/** Of a field as the user has written it. */
export const isExpression = (written: unknown): boolean => typeof written === 'string' && written.startsWith('=');

/** A text without an expression, or a plain value: the same for every item. */
const isConstant = (raw: unknown): boolean =>
	['string', 'number', 'boolean'].includes(typeof raw) && !isExpression(raw);

/** What the user filled in. An expression may give anything at all, so that each reading says what it wants. */
export class Parameters {
	readonly #read: ReadParameter;

	constructor(read: ReadParameter) {
		this.#read = read;
	}

	/** Of an action node: for each of its items. What needs no engine for expressions does not wait for it. */
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
			const looked = column === undefined ? leftToEngine : columnIn(items[item]?.json, column);
			if (looked !== leftToEngine) return looked;
			// n8n types a fallback by the answer it expects.
			const value: unknown = context.getNodeParameter(name, item, fallback as never);
			if (isSame) constants.set(name, value);
			return value;
		});
	}

	/** Where there are no items: of a trigger, or of a form that is filled in. */
	static ofTrigger(context: TriggerContext): Parameters {
		return new Parameters((name, _item, fallback) => context.getNodeParameter(name, fallback as object));
	}

	/** As it is, without how it was chosen. Without a fallback n8n throws where the field is hidden. */
	value(name: string, item = 0, fallback?: unknown): unknown {
		return chosenIn(this.#read(name, item, fallback));
	}

	/** Without the spaces at its ends; empty where there is nothing. */
	text(name: string, item = 0, fallback = ''): string {
		return String(this.value(name, item, fallback) ?? '').trim();
	}

	/** Only a plain yes is one: an expression that gives nothing switches nothing on. */
	flag(name: string, item = 0, fallback = false): boolean {
		return isOn(this.value(name, item, fallback));
	}

	/**
	 * The members of a collection; those that the user has not added are absent.
	 * @throws InputError a filter or field was added and has no value: without a filter that names a missing column, everything would be read
	 */
	group(name: string, item = 0): IDataObject {
		const group = this.value(name, item, {});
		if (!isItemJson(group)) return {};
		// Without it the bank would give everything, where a part was asked for. Other optional fields without a value are not sent.
		const empty = name === 'filters' ? Object.keys(group).filter((key) => isNothing(group[key])) : [];
		if (empty.length > 0)
			throw new InputError(empty.map((path) => ({ path, message: 'is empty: remove the filter or give a value' })));
		return group;
	}

	/** The members of *Options*. */
	options(item = 0): IDataObject {
		return this.group('options', item);
	}
}

/** What was chosen from a list or given by its identifier, which n8n tells with the value. */
export const chosenIn = (value: unknown): unknown => (isItemJson(value) && value.__rl === true ? value.value : value);

export const isOn = (value: unknown): boolean => value === true || value === 'true';
