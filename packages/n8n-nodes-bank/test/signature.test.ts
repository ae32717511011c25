/** The signature credential in the form of the node. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { signatureMethods } from '@bank/credentials';
import { type ICredentialTestFunctions, type INode, NodeHelpers } from 'n8n-workflow';

import { BankSignatureApi } from '../credentials/BankSignatureApi.credentials.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';

const bank = new Bank();
const node = { typeVersion: 1 } as INode;
const own = bank.description.credentials?.find(({ name }) => name === new BankSignatureApi().name);

const isAsked = (values: Record<string, string>) =>
	own !== undefined && NodeHelpers.displayParameter(values, own, node, bank.description);

describe('the signature credential', () => {
	it.each(Object.keys(signatureMethods))('is needed for payments that the node signs with %s', (signature) => {
		expect(isAsked({ resource: 'payment', signature })).toBe(true);
	});

	it('is not needed if the signature is given, or nothing is signed', () => {
		expect(isAsked({ resource: 'payment', signature: 'given' })).toBe(false);
		expect(isAsked({ resource: 'payment' })).toBe(false);
		expect(isAsked({ resource: 'cardLimit', signature: Object.keys(signatureMethods)[0] as string })).toBe(false);
	});

	it('has its methods in the form, besides a given signature', () => {
		const fieldOf = (name: string) => bank.description.properties.filter((property) => property.name === name);
		const [signature, ...others] = fieldOf('signature');
		expect(others).toEqual([]);
		const values = signature?.options?.map((option) => 'value' in option && option.value);
		expect(values?.toSorted()).toEqual(['given', ...Object.keys(signatureMethods)].toSorted());
		expect(signature).toMatchObject({ default: 'cmsDetached', noDataExpression: true });
		expect(fieldOf('signedBody')).toMatchObject([{ displayOptions: { show: { signature: ['given'] } } }]);
		// n8n's editor hides a field if there is a credential type for each of its values.
		expect(own?.displayOptions?.show?.['signature']).not.toContain('given');
	});

	it.each(Object.entries(signatureMethods))('%s is in the docs of credentials and sandbox', (name, { label }) => {
		const read = (file: string) => readFileSync(path.resolve(__dirname, '../../../docs', file), 'utf8');
		expect(read('credentials.md')).toContain(`\n| ${label} |`);
		expect(read('sandbox.md')).toContain(`\n| \`${name}\` |`);
	});

	it('is tested by the node, without a request', async () => {
		const { testSignature } = bank.methods.credentialTest;
		expect(own?.testedBy).toBe('testSignature');
		const context = {} as ICredentialTestFunctions;
		const credential = { id: '1', name: 'x', type: 'bankSignatureApi' };
		for (const data of [undefined, { certificateFormat: 'pem', signaturePrivateKey: '' }])
			expect(await testSignature.call(context, { ...credential, ...(data === undefined ? {} : { data }) })).toEqual({
				status: 'Error',
				message: expect.stringMatching(/^Private Key is empty\./),
			});
	});
});
