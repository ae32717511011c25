import type { preparePackage as operation } from '@bank/core';

import type { Form } from '../../shared/form.ts';
import { itemAt } from './package.ts';
import { packageJobs } from './packages.ts';
import { destinationOf, rowsOf } from './rows.ts';
import { signable } from './signature.ts';

/** What *Send Package* would send, one item for each recipient; nothing is sent, and no token is asked for. */
export const preparePackage: Form<typeof operation> = {
	jobs: (run) => packageJobs(run),
	async shown(run, job, { input: { body } }) {
		const rows = rowsOf(job, body, await destinationOf(run));
		const { toSign } = signable(body);
		return rows.map((row, index) => ({
			// Once is enough: of 500 recipients each would carry the whole package. Not the first, which n8n's table shows at its top.
			json: index === rows.length - 1 ? { ...row, toSign } : row,
			pairedItem: { item: itemAt(job.items, index) },
		}));
	},
};
