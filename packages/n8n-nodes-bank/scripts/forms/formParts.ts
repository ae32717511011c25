import type { INodeProperties } from 'n8n-workflow';

/**
 * Hand-written parts of a generated form: `parts/<resource>.<operation>.ts` exports them as `parts`. The generator puts each field
 * into its place in `descriptions/generated/` and adds its display options.
 */
export interface FormParts {
	/** Replaces the notice above the form. Only forms of operations with an effect at the bank have one. */
	notice?: Pick<INodeProperties, 'displayName' | 'displayOptions'>;
	/** Names of fields and options that are not generated, because the hand-written parts have them. */
	handWritten?: readonly string[];
	/** Fields placed after the identifiers of the path. */
	fields?: readonly INodeProperties[];
	/** Fields placed before the optional fields and the options. */
	lastFields?: readonly INodeProperties[];
	/** Additional optional fields. */
	additionalFields?: readonly INodeProperties[];
	/** Additional options. They replace generated ones of the same name. */
	options?: readonly INodeProperties[];
	/** Descriptions that replace those of the schema, by field name. */
	help?: Readonly<Record<string, string>>;
	/** Output of the node for the reference, if it is not the response. */
	returns?: string;
	/** Example output item for the editor, if it is not the response. */
	item?: Readonly<Record<string, unknown>>;
}

export const textField = (
	displayName: string,
	name: string,
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...more, description });
