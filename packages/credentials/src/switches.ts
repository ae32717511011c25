import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { forms } from './forms/index.ts';

/** Label of each switch, by the name of its field. Types that share a name share its meaning. */
const switches = new Map(
	Object.values(forms)
		.flat()
		.filter(({ default: initial }) => typeof initial === 'boolean')
		.map(({ name, displayName }) => [name, displayName]),
);

/**
 * Describes a switch that is neither on nor off. n8n's REST API and its import store any value: the form shows the text `true` as on, but
 * n8n removes the fields that it shows for `true`. So the credential may lack its limits, its certificate or a check.
 */
export function unreadableSwitch(credential: ICredentialDataDecryptedObject): string | undefined {
	for (const [name, value] of Object.entries(credential)) {
		const label = switches.get(name);
		if (label === undefined || typeof value === 'boolean' || value === undefined || value === null || value === '')
			continue;
		return `${label} must be true or false, got ${JSON.stringify(value).slice(0, 40)}`;
	}
	return undefined;
}
