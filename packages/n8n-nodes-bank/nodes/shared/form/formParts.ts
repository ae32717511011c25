import type { INodeProperties } from 'n8n-workflow';

/**
 * Hand-written parts of a generated form: `descriptions/<resource>.<operation>.ts` exports them as `parts`. The
 * generator puts each field into its place in `descriptions/generated/` and adds its display options. A file that
 * exports a whole form, under a name that ends in `Form`, is used unchanged.
 */
export interface FormParts {
	/** Names of schema fields that this form replaces; they are not generated. */
	asksItself?: readonly string[];
	/** Fields placed after the identifiers of the path. */
	fields?: readonly INodeProperties[];
	/** Fields placed before the options. */
	lastFields?: readonly INodeProperties[];
	/** Additional options. */
	options?: readonly INodeProperties[];
	/** Descriptions that replace those of the schema, by field name. */
	help?: Readonly<Record<string, string>>;
	/** Output of the node for the reference, if it is not the response. */
	returns?: string;
	/** Example output item for the editor, if it is not the response. */
	item?: Readonly<Record<string, unknown>>;
}
