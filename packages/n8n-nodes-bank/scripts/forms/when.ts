import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

export type Conditions = NonNullable<IDisplayOptions['show']>;

/** Shown with these choices. For which operations a field is shown is added where forms are joined (join.ts). */
export function when(show: Conditions): NonNullable<INodeProperties['displayOptions']> {
	return { show };
}

/** Shown with these choices besides its own. */
export function alsoWhen(show: Conditions | undefined, field: INodeProperties): INodeProperties {
	return show === undefined ? field : { ...field, displayOptions: when({ ...show, ...field.displayOptions?.show }) };
}
