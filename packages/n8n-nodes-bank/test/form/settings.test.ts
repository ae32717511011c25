/** Reads the options of the form. */
import { arrayFormatIn, logNameOf } from '../../nodes/shared/form/settings.ts';
import { faultsOf, runOf, withEffect } from '../pipeline/support.ts';

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

it('spaces around a setting are ignored', () => {
	expect(arrayFormatIn({ arrayFormat: ' comma ' })).toEqual({ arrayFormat: 'comma' });
});
