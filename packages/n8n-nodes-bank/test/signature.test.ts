/** The signature in the form of the payment credential, and in the docs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { forms, signatureMethods } from '@bank/credentials';

import { optionValues } from './support/forms.ts';

it('the signature is one of the methods, made elsewhere, or none', () => {
	const field = forms.bankClientCredentialsOAuth2Api.find(({ name }) => name === 'signature');
	expect([...optionValues(field)].sort()).toEqual(['given', 'none', ...Object.keys(signatureMethods)].sort());
});

it.each(Object.entries(signatureMethods))('with %s is in the docs of credentials and sandbox', (name, { label }) => {
	const read = (file: string) => readFileSync(path.resolve(__dirname, '../../../docs', file), 'utf8');
	expect(read('credentials.md')).toContain(`\n| ${label} |`);
	expect(read('sandbox.md')).toContain(`\n| \`${name}\` |`);
});
