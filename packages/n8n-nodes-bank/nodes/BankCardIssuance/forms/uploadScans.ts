import { definitions, InputError, scanIssues, splitList } from '@bank/core';

import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { readGenerated } from '../../shared/form/readForm.ts';

/**
 * 4.15, rule 3: the first upload contains all documents, a repeated one only those that were rejected. Documents are
 * compared by the bank's names for them.
 */
export const uploadScans = bindHooks(definitions.scan.upload, {
	async read(run, item) {
		const { parameters } = run;
		const upload = parameters.text('upload', item, 'whole') === 'rejected' ? 'rejected' : 'whole';
		const field = upload === 'whole' ? 'requiredDocuments' : 'rejectedDocuments';
		const expected = splitList(parameters.value(field, item, []), 'name');
		const input = await readGenerated(run, item);
		const documents = input.files?.map(({ document = '' }) => document) ?? [];
		const message = 'is required: the documents that the bank rejected, as "Scan: Get Results" lists them';
		if (upload === 'rejected' && expected.length === 0) throw new InputError([{ path: 'rejectedDocuments', message }]);
		const issues = expected.length === 0 ? [] : scanIssues(upload, expected, documents);
		if (issues.length > 0) throw new InputError(issues);
		return input;
	},
});
