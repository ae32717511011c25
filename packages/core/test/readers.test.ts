/** Small readers of responses, names and texts of the services. */
import { scanIssues, tranchePurpose } from '../src/index.ts';

describe('the purpose of a tranche', () => {
	test.each([
		['Repayment', 'T-1', 'Repayment service Id: T-1'],
		[' Repayment \n', 'T-1', 'Repayment service Id: T-1'],
		['', 'T-1', 'service Id: T-1'],
		['Repayment service Id: T-1', 'T-1', 'Repayment service Id: T-1'],
		['service Id: T-1, repayment', 'T-1', 'service Id: T-1, repayment'],
		['By service Id: T-1. Thanks', 'T-1', 'By service Id: T-1. Thanks'],
		['service Id: T-12; service Id: T-1', 'T-1', 'service Id: T-12; service Id: T-1'],
	])('%j holds the text that 4.18 demands', (purpose, id, text) =>
		expect(tranchePurpose(purpose, id, 'service Id')).toBe(text),
	);

	test.each(['T-12', 'T-1-2', 'T-1a', 'T-1_b', 'T-1я', 'T-1.5', 'T-1/2', 'T-1#3', 'T-1:7'])(
		'is not taken for that of T-1 where it names %s',
		(other) => {
			expect(tranchePurpose(`service Id: ${other}`, 'T-1', 'service Id')).toBe(`service Id: ${other} service Id: T-1`);
		},
	);

	test('may be marked with the name of the service', () => {
		expect(tranchePurpose('Repayment', 'T-1', 'Invented Service Id')).toBe('Repayment Invented Service Id: T-1');
	});
});

describe('scans', () => {
	const said = (...given: Parameters<typeof scanIssues>) =>
		scanIssues(...given).map(({ path, message }) => `${path} ${message}`);

	test('of the first upload are the whole set', () => {
		expect(said('whole', ['Consent', 'Form'], ['form', ' CONSENT '])).toEqual([]);
		expect(said('whole', ['Consent', 'Form', 'Photo'], ['Form'])).toEqual([
			'files lack "Consent", "Photo": the first upload carries the whole set in one request',
		]);
		expect(said('whole', ['Form'], ['Form', 'Appendix'])).toEqual([]);
	});

	test('of a repeat are the rejected documents, all of them and no other', () => {
		expect(said('rejected', ['Form'], ['Form'])).toEqual([]);
		expect(said('rejected', ['Form', 'Photo'], ['Photo', 'Consent'])).toEqual([
			'files lack "Form": every document that was rejected is sent again',
			'files hold "Consent", which the bank did not reject: a repeat carries only rejected documents',
		]);
	});

	test('are sent once each', () => {
		expect(said('whole', ['Form'], ['Form', 'form', 'Form'])).toEqual([
			expect.stringMatching(/^files hold "form".* more than once$/),
		]);
	});

	test('are refused where nothing was rejected', () => {
		expect(said('rejected', [], ['Form'])).toHaveLength(1);
		expect(said('rejected', [], [])).toEqual([]);
	});
});
