import { readExamples } from '../../../src/examples.ts';
import { pollUntil } from '../../../src/poll.ts';
import { inEditor, type OpenEditor, openBankNodes } from '../../support/editor.ts';
import { services } from '../../support/examples.expect.ts';

inEditor((opened) => {
	test('every example opens, and so does the form of each operation that stands in one', async () => {
		await openBankNodes(opened(), readExamples());
	});

	/** The status of the newest execution of a workflow, or that its trigger listens. */
	const endOf = async ({ bed, editor }: OpenEditor, id: string, startedBefore: number): Promise<string> =>
		await pollUntil(
			async () => {
				const execution = (await bed.rest.allExecutions(id)).at(-1);
				const isNew = execution !== undefined && Date.parse(execution.startedAt) >= startedBefore;
				if (isNew && !['new', 'running'].includes(execution.status)) return execution.status;
				const stop = editor.page.getByTestId('stop-execution-waiting-for-webhook-button');
				if (!(await stop.isVisible())) return undefined;
				await stop.click();
				return 'listening';
			},
			{ what: `The end of workflow ${id}` },
		);

	test('every example that is run with the button of the editor ends well, or waits for a person or an event', async () => {
		const { bed, editor } = opened();
		for (const service of Object.values(services)) await bed.rest.activateToEnd(service);
		const ends: [string, string][] = [];
		for (const { file, workflow } of readExamples()) {
			await bed.sandbox.reset();
			// The button of a waiting workflow stays busy in the next one, unless the editor is reloaded.
			if (ends.at(-1)?.[1] === 'success') await editor.goToWorkflow(workflow.id, workflow.nodes.at(-1)?.name ?? '');
			else await editor.openWorkflow(workflow.id);
			const pressed = Date.now();
			await editor.page.getByTestId('execute-workflow-button').first().click();
			ends.push([file, await endOf(opened(), workflow.id, pressed)]);
		}
		for (const service of Object.values(services)) await bed.rest.deactivateToEnd(service);
		expect(ends.filter(([, end]) => !['success', 'waiting', 'listening'].includes(end))).toEqual([]);
	});
});
