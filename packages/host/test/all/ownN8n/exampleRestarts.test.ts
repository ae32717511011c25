/** Examples that wait for a user while n8n is restarted or killed. */
import { readExample } from '../../../src/examples.ts';
import { answerQuestion, faultOf, outputOf, says } from '../../support/examples.expect.ts';
import { TriggerBed } from '../../support/triggerBed.ts';

const approval = readExample('payout-with-approval.json');
const unknownResults = readExample('payout-unknown-results.json');

let bed: TriggerBed;

beforeAll(async () => {
	bed = await TriggerBed.start({ workflows: [approval, unknownResults] });
});

afterAll(() => bed?.stop());

test('approvals and open questions outlive a restart and a kill, and pay once', async () => {
	const { rest, sandbox } = bed;
	await sandbox.addFault({ operation: 'payment.sendPackage', times: 1, fault: { kind: 'resetBefore' } });
	const open = await rest.runWorkflow(unknownResults.id);
	await rest.waitForQuestion(open);
	const approving = await rest.runWorkflow(approval.id);
	await rest.waitForQuestion(approving);
	await bed.testbed.restartN8n();
	await answerQuestion(rest, approving, says('Pay', 'Anna Approver'));
	await answerQuestion(rest, open, ['The bank does not have it', 'Anna']);
	await rest.waitForQuestion(approving, 2);
	await rest.waitForQuestion(open, 2);
	await bed.testbed.n8n.kill();
	await bed.testbed.restartN8n();
	await answerQuestion(rest, approving, says('Pay', 'Boris Approver'), 2);
	await answerQuestion(rest, open, ['Decide later', 'Anna'], 2);

	const [approved, answered] = [await rest.waitForExecution(approving), await rest.waitForExecution(open)];
	expect([approved, answered].map(faultOf)).toEqual([undefined, undefined]);
	const sequences = (node: string, execution = answered) => outputOf(execution, node).map(({ sequence }) => sequence);
	expect(sequences('Accepted', approved)).toEqual(['p-1', 'p-2', 'p-3']);
	expect([sequences('Paid Again'), sequences('Still Open')]).toEqual([['b-1'], ['b-2']]);
	const paid = (await sandbox.state()).ledger.flatMap(({ payments }) => payments.map(({ sequence }) => sequence));
	expect(paid.sort()).toEqual(['b-1', 'p-1', 'p-2', 'p-3']);
	// Each message from before the kill was stored once.
	expect((await rest.tableRows('Bank approvals')).map(({ who }) => who)).toEqual(['Anna Approver', 'Boris Approver']);
});
