/**
 * A signed package on its whole way: from the form through plan and encode to a bank that requires and verifies the
 * signature.
 * @jest-environment ../fixtures/jestEnvironment.cjs
 */
import { createHash, sign } from 'node:crypto';

import type { Sandbox, SandboxOptions, Signer } from '../../fixtures/src/sandbox/index.ts';
import { jsonOf, mapped, refusalOf, run, type RunOptions } from './support/bank.ts';
import { recipient, sender } from './support/payout.ts';

declare global {
	/** Set by the test environment. */
	var sandboxBank: typeof import('../../fixtures/src/sandbox/index.ts');
}

type Json = Record<string, unknown>;

const methods = ['rsaSha256', 'cmsDetached'] as const;
type Method = (typeof methods)[number];

let bank: Sandbox;
let token: string;

beforeAll(async () => {
	bank = await globalThis.sandboxBank.startSandbox({ port: 0 } satisfies SandboxOptions);
	const { clientId } = bank.connection.clients.clientCredentials;
	token = (await bank.authorization.issue({ clientId })).access_token;
});
afterEach(() => bank.reset());
afterAll(() => bank.close());

const demand = (demandSignature: Method) => bank.changeQuirks({ demandSignature });

const pem = ({ privateKey, certificate }: Pick<Signer, 'privateKey' | 'certificate'>): Json => ({
	signatureKeyFormat: 'pem',
	signaturePrivateKey: privateKey,
	signatureCertificate: certificate,
});
const pfx = ({ pfx: file, passphrase }: Signer): Json => ({
	signatureKeyFormat: 'pfx',
	signaturePfx: file,
	signaturePassphrase: passphrase,
});

const row = (index: number, more: Json = {}) =>
	recipient(index, { amount: 1000.1 + index, paymentDescription: 'Выплата за март, "по договору"', ...more });

interface Given extends RunOptions {
	/** Fields of the signature in the payment credential. */
	signer?: Json;
}

function pay(parameters: Json, { signer, ...options }: Given = {}, operation = 'sendPackage') {
	return run(
		`payment.${operation}`,
		{ ...sender, ...mapped, ...parameters },
		{
			items: [row(1), row(2)],
			credentials: {
				bankClientCredentialsOAuth2Api: {
					environment: 'sandbox',
					sandboxBaseUrl: bank.connection.baseUrl,
					token,
					...signer,
				},
			},
			...options,
		},
	);
}

const paid = () => bank.bank.ledger.entries.flatMap(({ payments }) => payments);
const sent = () =>
	bank.calls.list.filter(({ operation }) => operation === 'payment.sendPackage').map(({ body }) => body as Json);

describe.each(methods)('a package that the node signs with %s', (signature) => {
	beforeEach(() => demand(signature));
	const ownKey = () => ({ signature, ...pem(bank.connection.signer) });

	it.each(['first', 'last'])(
		'is accepted by a bank that requires it, with the signature %s',
		async (signaturePosition) => {
			for (const key of [pem(bank.connection.signer), pfx(bank.connection.signer)]) {
				const items = await pay({}, { signer: { ...key, signature, signaturePosition } });
				expect(jsonOf(items)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
			}
			const places = sent().map((body) => Object.keys(body).at(signaturePosition === 'first' ? 0 : -1));
			expect(places).toEqual(['signedBody', 'signedBody']);
			expect(paid()).toHaveLength(4);
		},
	);

	it('is rejected if it is signed with another key', async () => {
		const stranger = await globalThis.sandboxBank.issueSigner();
		const refusal = await refusalOf(pay({}, { signer: { signature, ...pem(stranger) } }));
		expect(refusal.description).toMatch(/body\.signedBody was made with another key|not registered/);
		expect(paid()).toEqual([]);
	});

	it('has its own signature if several packages are sent', async () => {
		await pay({ options: { maxPayments: 1 } }, { signer: ownKey() });
		const signatures = sent().map(({ signedBody }) => signedBody);
		expect(new Set(signatures).size).toBe(2);
		expect(paid()).toHaveLength(2);
	});
});

describe('a credential that cannot sign is reported before anything is sent', () => {
	afterEach(() => expect(bank.calls.list).toEqual([]));

	it.each([
		['none', {}, 'Signature is None. Choose the signature that your bank expects'],
		['no key', { signature: 'cmsDetached' }, 'Signature Key is empty. Paste the whole text'],
		['another method', { signature: 'gost' }, 'Signature "gost" is not one of the form'],
	])('if it has %s', async (_what, signer, words) => {
		const { message, description } = await refusalOf(pay({}, { signer: { signature: 'none', ...signer } }));
		expect(message).toContain(`The credential "bankClientCredentialsOAuth2Api" cannot sign: ${words}`);
		expect(description).toBe('Nothing was sent.');
	});

	it('together with the problems of the rows', async () => {
		const signer = { signature: 'rsaSha256' };
		const items = [row(1, { amount: 'x' }), row(2, { phone: '' })];
		const { text } = await refusalOf(pay({ paymentRun: '' }, { signer, items }));
		for (const words of [
			'cannot sign: Signature Key',
			'Payment Run is required',
			'Amount must be',
			'Phone is required',
		])
			expect(text).toContain(words);
	});

	it('if the node has a signature too', async () => {
		const signer = { signature: 'rsaSha256', ...pem(bank.connection.signer) };
		expect((await refusalOf(pay({ signedBody: 'x' }, { signer }))).message).toBe(
			'Package Signature must not be given: the credential "bankClientCredentialsOAuth2Api" signs the packages. Remove it under "Options"',
		);
	});
});

describe('a signature that was made elsewhere', () => {
	const prepared = async () => {
		const last = jsonOf(await pay({}, {}, 'preparePackage')).at(-1);
		return last as { toSign: string; fingerprint: string };
	};
	const serviceSigns = (text: string) =>
		sign('sha256', Buffer.from(text), bank.connection.signer.privateKey).toString('base64');

	beforeEach(() => demand('rsaSha256'));

	it.each(['first', 'last'])('of the text from Prepare Package is accepted, %s', async (signaturePosition) => {
		const { toSign, fingerprint } = await prepared();
		expect(fingerprint).toBe(createHash('sha256').update(toSign).digest('hex'));
		expect(bank.calls.list).toEqual([]);
		await pay({ signedBody: serviceSigns(toSign) }, { signer: { signaturePosition } });
		expect(paid()).toHaveLength(2);
	});

	it('is rejected if the package has changed since, and nobody is paid', async () => {
		const { toSign } = await prepared();
		const items = [row(1), row(2, { paymentDescription: 'Выплата за март, "по договору".' })];
		const refusal = await refusalOf(pay({ signedBody: serviceSigns(toSign) }, { items }));
		expect(refusal.description).toContain('body.signedBody');
		expect(sent()).toHaveLength(1);
		expect(paid()).toEqual([]);
	});

	it('is missed together with the problems of the rows', async () => {
		const { text } = await refusalOf(pay({}, { items: [row(1, { amount: 'x' })] }));
		expect(text).toContain(
			'Package Signature is missing: the credential "bankClientCredentialsOAuth2Api" says that signatures are made',
		);
		expect(text).toContain('Amount must be');
		expect(sent()).toEqual([]);
	});
});
