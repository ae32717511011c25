import type { ObjectSchema } from '@bank/core';
import type { GenericSchema } from 'valibot';

export function entriesOf(group: ObjectSchema | undefined): [string, GenericSchema][] {
	return Object.entries(group?.entries ?? {});
}
