/**
 * A credential that is opened and saved again in n8n's editor does the same as before. The editor does not store values that equal the
 * default. When it opens a credential, it shows the default for missing and empty values, but nothing for missing multiple choices.
 */
import { runInNewContext } from 'node:vm';

import {
	type ICredentialDataDecryptedObject,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';

import { forms } from '../src/forms/index.ts';
import { requestedScopes, restrictionsOf, testUrlOf } from '../src/index.ts';

const initial = ({ type, default: value }: INodeProperties) => (type === 'multiOptions' ? [] : value);

const opened = (properties: INodeProperties[], stored: INodeParameters): INodeParameters => ({
	...Object.fromEntries(properties.map((property) => [property.name, initial(property)])),
	...Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== '')),
});

const saved = (properties: INodeProperties[], form: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(properties, form, false, false, null, null) ?? {};

/** What n8n passes to the credential type. */
function decrypted(properties: INodeProperties[], stored: INodeParameters): ICredentialDataDecryptedObject {
	const $self = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null) ?? {};
	return Object.fromEntries(
		Object.entries($self).map(([name, value]) => {
			const expression = /^=\{\{([\s\S]*)\}\}$/.exec(String(value))?.[1];
			return [name, expression === undefined ? value : runInNewContext(expression, { $self })];
		}),
	) as ICredentialDataDecryptedObject;
}

/** Fields whose empty value means something are replaced by their meaning. */
function meaningOf(credential: ICredentialDataDecryptedObject) {
	const { limitTimeZone: _, ...others } = credential;
	return {
		...others,
		bankScopes: requestedScopes(credential),
		testPath: testUrlOf(credential),
		restrictions: restrictionsIn(credential),
	};
}

function restrictionsIn(credential: ICredentialDataDecryptedObject): unknown {
	try {
		return restrictionsOf(credential);
	} catch (error) {
		return String(error);
	}
}

/** Values that a user can enter. The editor does not save a form with an empty required field. */
function valuesOf({ type, options = [], required, default: usual }: INodeProperties): unknown[] {
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	if (type === 'multiOptions') return [[], choices, ...choices.map((choice) => [choice])];
	if (type === 'options') return choices;
	if (type === 'boolean') return [true, false];
	if (type === 'number') return [usual, 0];
	return [usual, 'entered', ...(required === true ? [] : [''])];
}

describe.each(Object.entries(forms))('%s', (_type, properties) => {
	const fields = properties.filter(({ type }) => type !== 'hidden' && type !== 'notice');

	it.each(fields.map((field) => [field.name, field] as const))('%s', (name, field) => {
		const conditions = Object.entries(field.displayOptions?.show ?? {}).map(([other, values = []]) => {
			const isMultiple = properties.some((property) => property.name === other && property.type === 'multiOptions');
			return [other, isMultiple ? values : values[0]];
		});
		for (const value of valuesOf(field)) {
			const form = { ...opened(properties, {}), ...Object.fromEntries(conditions), [name]: value };
			const once = saved(properties, form);
			const twice = saved(properties, opened(properties, once));
			expect(meaningOf(decrypted(properties, twice))).toEqual(meaningOf(decrypted(properties, once)));
		}
	});
});
