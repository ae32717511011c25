/** A field of a response and its values; without values, any value. */
export interface ConditionDetails {
	field: string;
	values?: readonly (string | number | boolean)[] | undefined;
}

/** What the responses of an operation mean, as the bank told it. */
export interface ResponseDetails {
	ready?: ConditionDetails | undefined;
	notReady?: ConditionDetails | undefined;
	notReadyStatuses?: readonly number[] | undefined;
	no?: ConditionDetails | undefined;
}
