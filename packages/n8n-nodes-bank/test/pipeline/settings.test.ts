/** Reads the options of the form. */
import { arrayFormatIn, logNameOf, requestLimitsOf } from '../../nodes/shared/pipeline/settings.ts';
import { faultsOf, runOf, withEffect } from './support.ts';

const withOptions = (options: Record<string, unknown>) => runOf(withEffect('money'), { parameters: { options } });

it.each([undefined, null, '', ' ', {}, []])('an expression that returns %j sets nothing', (value) => {
	expect(arrayFormatIn({ arrayFormat: value as never })).toEqual({});
});

it('the payment log has a name, which is not an expression', async () => {
	expect(logNameOf(withOptions({}))).toBe('Bank Payment Log');
	expect(logNameOf(withOptions({ logToDataTable: ' Payouts ' }))).toBe('Payouts');
	const refused = async (logToDataTable: unknown) => await faultsOf(() => logNameOf(withOptions({ logToDataTable })));
	expect(await refused(' ')).toMatchObject([{ path: 'logToDataTable', message: expect.stringMatching(/is required/) }]);
	expect(await refused(() => 'Log of today')).toMatchObject([
		{ path: 'logToDataTable', message: expect.stringMatching(/not an expression/) },
	]);
});

it.each([0, 901, 1e15, 'soon'])('a timeout of %s is refused', async (timeout) => {
	expect(await faultsOf(() => requestLimitsOf({ timeout }))).toMatchObject([
		{ path: 'timeout', message: 'must be a whole number from 1 to 900' },
	]);
});

it('spaces around a setting are ignored', () => {
	expect(arrayFormatIn({ arrayFormat: ' comma ' })).toEqual({ arrayFormat: 'comma' });
});
