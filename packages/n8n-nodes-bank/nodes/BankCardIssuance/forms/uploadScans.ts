import { InputError, scanFaults, splitList } from '@bank/core';

import type { Form } from '../../shared/form.ts';
import { readGenerated } from '../../shared/readForm.ts';

/** 4.15, rule 3: the whole set at first, then only what was rejected. Names of documents are compared with those of the files. */
export const uploadScans: Form = {
	async read(run, item) {
		const { parameters } = run;
		const upload = parameters.text('upload', item, 'whole') === 'rejected' ? 'rejected' : 'whole';
		const expected = splitList(
			parameters.value(upload === 'whole' ? 'requiredDocuments' : 'rejectedDocuments', item, []),
			'name',
		);
		const input = await readGenerated(run, item);
		if (upload === 'rejected' && expected.length === 0) {
			throw new InputError([
				{
					path: 'rejectedDocuments',
					message: 'is required: the documents that the bank rejected, as Scan: Get Results lists them',
				},
			]);
		}
		const faults =
			expected.length === 0
				? []
				: scanFaults(
						upload,
						expected,
						(input.files ?? []).map(({ field }) => field),
					);
		if (faults.length > 0) throw new InputError(faults);
		return input;
	},
};
