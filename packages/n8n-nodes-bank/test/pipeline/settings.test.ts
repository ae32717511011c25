/** Reads the options of the form. */
import { arrayFormatIn, logNameOf, protectionOf } from '../../nodes/shared/pipeline/settings.ts';
import { faultsOf, make, runOf, withEffect } from './support.ts';

const withOptions = (options: Record<string, unknown>) => runOf(withEffect('money'), { parameters: { options } });

it.each([undefined, null, '', ' ', {}, []])('an expression that returns %j sets nothing', (value) => {
	expect(arrayFormatIn({ arrayFormat: value as never })).toEqual({});
	for (const shareProtectionWith of [value, { __rl: true, value }])
		expect(protectionOf(withOptions({ shareProtectionWith })).sharedWorkflowId).toBeUndefined();
});

it.each([' w-1 ', { __rl: true, mode: 'id', value: ' w-1' }])(
	'a workflow to share with may be given as %j',
	(shareProtectionWith) => {
		expect(protectionOf(withOptions({ shareProtectionWith })).sharedWorkflowId).toBe('w-1');
	},
);

it.each(['={{ $json.nope }}', { __rl: true, mode: 'id', value: '={{ $json.nope }}' }])(
	'an expression that returns no workflow is refused, because payments would not be protected: %j',
	async (shareProtectionWith) => {
		const found = await faultsOf(() => protectionOf(withOptions({ shareProtectionWith })));
		expect(found).toEqual([expect.objectContaining({ path: 'shareProtectionWith' })]);
	},
);

it('the payment log is on unless its name is empty, and is for payments only', () => {
	expect(logNameOf(withOptions({}))).toBe('Bank Payment Log');
	expect(logNameOf(withOptions({ logToDataTable: ' Payouts ' }))).toBe('Payouts');
	expect(protectionOf(withOptions({ logToDataTable: ' ' })).logName).toBeUndefined();
	expect(protectionOf(withOptions({})).logName).toBe('Bank Payment Log');
	expect(protectionOf(runOf({ ...make, oncePerPath: true })).logName).toBeUndefined();
});

it('spaces around a setting are ignored', () => {
	expect(arrayFormatIn({ arrayFormat: ' comma ' })).toEqual({ arrayFormat: 'comma' });
});
