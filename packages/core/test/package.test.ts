/** Unsigned payment packages, and the columns of recipient tables. */
import { oracleOf } from '../../fixtures/src/oracle.ts';
import { operationById, preparePackage, recipientFields, textToSign } from '../src/index.ts';
import { issuesOf, prepared } from './support/bank.ts';
import { sampleOf } from './support/samples.ts';

interface Signed {
	total: number;
	payments: object[];
	signedBody: string;
}

const unsigned = ({ signedBody: _, ...body }: Signed) => body;

describe('a prepared package', () => {
	test.each(['all fields', 'only the required fields'] as const)(
		'equals the package that is sent, without the signature: %s',
		(name) => {
			const { body } = sampleOf('payment.sendPackage', name).input as { body: Signed };
			const sent = prepared('payment.sendPackage', { body });
			expect(prepared(preparePackage, { body: unsigned(body) })).toEqual({
				...sent,
				body: textToSign(sent.input.body as object),
				input: { ...sent.input, body: unsigned(sent.input.body as Signed) },
			});
		},
	);

	test('is refused if the package that is sent would be refused', () => {
		const { body } = sampleOf('payment.sendPackage', 'all fields').input as { body: Signed };
		const wrong = { ...body, total: 1, payments: body.payments.map((payment) => ({ ...payment, sequence: 's' })) };
		const refused = issuesOf('payment.sendPackage', { body: wrong });
		expect(refused.map(({ path }) => path)).toEqual(['total', 'payments[0].sequence', 'payments[1].sequence']);
		expect(issuesOf(preparePackage, { body: unsigned(wrong) })).toEqual(refused);
	});

	test('sends nothing, and needs the credential that would send it', () => {
		const { auth } = operationById('payment.sendPackage');
		expect(preparePackage).toMatchObject({ auth, effect: 'none', errors: [] });
	});
});

test('a table of recipients has a column for each field of a payment, required ones first; the sequence has a default', () => {
	const described = Object.entries(oracleOf('payment.sendPackage').body ?? {}).flatMap(([place, said]) => {
		const name = place.replace('payments[].', '');
		const [type, need] = said.split(' ');
		return name === place || type === 'object' ? [] : [{ name, required: need === 'req' && name !== 'sequence' }];
	});
	const inOrder = [true, false].flatMap((required) => described.filter((field) => field.required === required));
	expect(recipientFields.map(({ name, required }) => ({ name, required }))).toEqual(inOrder);
	const titles = Object.fromEntries(recipientFields.map(({ name, title }) => [name, title]));
	expect(titles).toMatchObject({ amount: 'Amount', nspkBankId: 'Recipient Bank ID', 'name.first': 'First Name' });
});
