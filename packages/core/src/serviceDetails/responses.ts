/** A field of a response with its values. Without values, any value matches. */
export interface ConditionDetails {
	field: string;
	values?: readonly (string | number | boolean)[] | undefined;
}

/** Meaning of the responses of an operation, as the bank described it to the user. */
export interface ResponseDetails {
	ready?: ConditionDetails | undefined;
	notReady?: ConditionDetails | undefined;
	notReadyStatuses?: readonly number[] | undefined;
	no?: ConditionDetails | undefined;
}
