import { InputError, jsonOrText, scanFaults } from '@bank/core';

import { type Form, readGenerated } from '../../shared/form.ts';

/** 4.15, rule 3: the whole set at first, then only what was rejected. Names of documents are compared with those of the files. */
export const uploadScans: Form = {
	async read(form, item) {
		const upload = form.parameter('upload', item, 'whole') as 'whole' | 'rejected';
		const expected = namesOf(form.parameter(upload === 'whole' ? 'requiredDocuments' : 'rejectedDocuments', item, []));
		const input = await readGenerated(form, item);
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

function namesOf(value: unknown): string[] {
	return [value]
		.flat(2)
		.flatMap((part: unknown) => {
			const given = typeof part === 'string' && part.trim().startsWith('[') ? jsonOrText(part) : part;
			return Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [given];
		})
		.map((name) => String(name ?? '').trim())
		.filter((name) => name !== '');
}
