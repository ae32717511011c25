/** The signature in the form of the payment credential, and in the docs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { forms, signatureMethods } from '@bank/credentials';

import { optionValues } from './support/forms.ts';

const field = forms.bankClientCredentialsOAuth2Api.find(({ name }) => name === 'signature');

it('the signature is one of the methods, made elsewhere, or none', () => {
	expect([...optionValues(field)].sort()).toEqual(['given', 'none', ...Object.keys(signatureMethods)].sort());
});

it.each(Object.keys(signatureMethods))('with %s is in the docs of credentials and sandbox', (name) => {
	const read = (file: string) => readFileSync(path.resolve(__dirname, '../../../docs', file), 'utf8');
	const option = field?.options?.find((one) => 'value' in one && one.value === name);
	expect(read('credentials.md')).toContain(`\n| ${option?.name} |`);
	expect(read('sandbox.md')).toContain(`\n| \`${name}\` |`);
});
