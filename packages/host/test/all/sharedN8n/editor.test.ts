import { readExamples } from '../../../src/examples.ts';
import { pollUntil } from '../../../src/poll.ts';
import { inEditor, type OpenEditor, openBankNodes } from '../../support/editor.ts';
import { services } from '../../support/examples.expect.ts';

inEditor((opened) => {
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

	describe('an example opens, with a form of each operation, and ends well or waits for a person or an event', () => {
		const seen = new Set<string>();
		beforeAll(async () => {
			const { bed, editor } = opened();
			for (const service of Object.values(services)) await bed.rest.activateToEnd(service);
			await editor.openWorkflow(readExamples()[0]?.workflow.id ?? '');
		});
		afterAll(async () => {
			for (const service of Object.values(services)) await opened().bed.rest.deactivateToEnd(service);
		});

		test.each(readExamples().map(({ file, workflow }) => [file, workflow] as const))('%s', async (_, workflow) => {
			const { bed, editor } = opened();
			await bed.sandbox.reset();
			await editor.goToWorkflow(workflow);
			await openBankNodes(editor, workflow.nodes, seen);
			const pressed = Date.now();
			await editor.page.getByTestId('execute-workflow-button').first().click();
			const end = await endOf(opened(), workflow.id, pressed);
			expect(['success', 'waiting', 'listening']).toContain(end);
			// Otherwise the button of the next workflow is busy.
			if (end === 'waiting') await editor.page.getByTestId('stop-execution-button').click();
		});
	});
});
