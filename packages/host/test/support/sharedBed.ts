import type { Login } from '../../src/n8nRest.ts';

/** Addresses of the n8n and the sandbox that globalSetup started. */
export interface SharedBed {
	n8nUrl: string;
	sandboxUrl: string;
	login: Login;
	/** Session of the signed-in owner. */
	session: string;
}

// Test files may run in another process, and jest passes on the environment.
const variable = 'BANK_E2E_BED';

export function shareBed(bed: SharedBed) {
	process.env[variable] = JSON.stringify(bed);
}

export function sharedBed(): SharedBed {
	return JSON.parse(process.env[variable] ?? '') as SharedBed;
}
