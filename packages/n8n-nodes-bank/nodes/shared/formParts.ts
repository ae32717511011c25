import type { INodeProperties } from 'n8n-workflow';

/**
 * What a person writes of a form whose rest is generated: `descriptions/<resource>.<operation>.ts` exports it as `parts`. Read by
 * `pnpm generate` only, which puts each field into its place in `descriptions/generated/` and says for which operation it is shown.
 * A file that exports a form whole, under a name that ends in `Form`, is taken as it is.
 */
export interface FormParts {
	/** Fields of the schema that the form asks for in its own way: they are not generated. */
	asksItself?: readonly string[];
	/** Stand after the identifiers in the path. */
	fields?: readonly INodeProperties[];
	/** Stand right before the options. */
	lastFields?: readonly INodeProperties[];
	/** Stand among the options that every form has. */
	options?: readonly INodeProperties[];
	/** Help for generated fields that says more than their schema, by name. */
	help?: Readonly<Record<string, string>>;
	/** What the node makes of the answer, where that is not simply the answer: for the reference. */
	returns?: string;
	/** An item that the node makes of the answer, where that is not simply the answer: for n8n's editor, before anything has run. */
	item?: Readonly<Record<string, unknown>>;
}
