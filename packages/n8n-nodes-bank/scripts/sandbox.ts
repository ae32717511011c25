import type { Operation } from '@bank/core';

/** What the sandbox bank takes where the API description shows nothing: examples for forms and docs. */
export interface SandboxExample {
	/** Where the sandbox has put an operation of which no path is shown. */
	path?: string;
	/** JSON that the sandbox takes. The names of its fields are not shown, so any will do. */
	payload?: string;
}

export function sandboxExampleOf({ examplePath, payload }: Operation): SandboxExample {
	return {
		...(examplePath === undefined ? {} : { path: examplePath }),
		...(payload?.example === undefined ? {} : { payload: payload.example }),
	};
}
