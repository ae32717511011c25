/**
 * A package on its whole way, with a signature: from the form over plan and seal to a bank that demands and verifies it.
 *
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
	certificateFormat: 'pem',
	signaturePrivateKey: privateKey,
	signatureCertificate: certificate,
});
const pfx = ({ pfx: file, passphrase }: Signer): Json => ({
	certificateFormat: 'pfx',
	signaturePfx: file,
	signaturePassphrase: passphrase,
});

const row = (index: number, more: Json = {}) =>
	recipient(index, { amount: 1000.1 + index, paymentDescription: 'Выплата за март, "по договору"', ...more });

interface Given extends RunOptions {
	/** The signature credential, if any. */
	signer?: Json;
}

function pay(parameters: Json, { signer, ...options }: Given = {}, operation = 'sendPackage') {
	return run(
		`payment.${operation}`,
		{ ...sender, ...mapped, ...parameters },
		{
			items: [row(1), row(2)],
			...(signer === undefined
				? {}
				: { node: { credentials: { bankSignatureApi: { id: '1', name: 'Signer of ours' } } } }),
			credentials: {
				bankClientCredentialsOAuth2Api: { environment: 'sandbox', sandboxBaseUrl: bank.connection.baseUrl, token },
				...(signer === undefined ? {} : { bankSignatureApi: signer }),
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

	it.each(['first', 'last'])(
		'is accepted by a bank that requires it, with the signature %s',
		async (signaturePosition) => {
			for (const signer of [pem(bank.connection.signer), pfx(bank.connection.signer)]) {
				const items = await pay({ signature, options: { signaturePosition } }, { signer });
				expect(jsonOf(items)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
			}
			const places = sent().map((body) => Object.keys(body).at(signaturePosition === 'first' ? 0 : -1));
			expect(places).toEqual(['signedBody', 'signedBody']);
			expect(paid()).toHaveLength(4);
		},
	);

	it('is rejected if it is signed with another key', async () => {
		const stranger = await globalThis.sandboxBank.issueSigner();
		const refusal = await refusalOf(pay({ signature }, { signer: pem(stranger) }));
		expect(refusal.description).toMatch(/body\.signedBody was made with another key|not registered/);
		expect(paid()).toEqual([]);
	});

	it('has its own signature if several packages are sent', async () => {
		await pay({ signature, options: { maxPayments: 1 } }, { signer: pem(bank.connection.signer) });
		const signatures = sent().map(({ signedBody }) => signedBody);
		expect(new Set(signatures).size).toBe(2);
		expect(paid()).toHaveLength(2);
	});

	it('is the same payment when it is signed and sent again', async () => {
		const remembered = new Set<string>();
		for (let times = 0; times < 2; times++)
			await pay({ signature }, { signer: pem(bank.connection.signer), remembered, continueOnFail: true });
		expect(sent()).toHaveLength(1);
	});
});

describe('a credential that cannot sign is reported before anything is sent', () => {
	afterEach(() => expect(bank.calls.list).toEqual([]));

	it('if there is none', async () => {
		expect(await refusalOf(pay({ signature: 'rsaSha256' }))).toMatchObject({
			message: 'No credential of the type Bank Payment Signature API is chosen',
			description: expect.stringMatching(/choose one.* Nothing was sent\.$/),
		});
	});

	it('for every item if the node continues on errors', async () => {
		const output = await pay({ signature: 'cmsDetached' }, { signer: {}, continueOnFail: true });
		expect(output.map(({ json, pairedItem }) => [json['error'], pairedItem])).toEqual(
			[0, 1].map((item) => [expect.stringContaining('cannot sign: Private Key is empty'), { item }]),
		);
		for (const { json } of output) expect(json).toMatchObject({ details: { outcome: 'notSent' } });
	});
});

describe('an unknown choice is refused', () => {
	afterEach(() => expect(bank.calls.list).toEqual([]));

	it.each([
		['a method', { signature: 'gost' }, 'Signature "gost" is not a signature'],
		['a position', { signedBody: 'x', options: { signaturePosition: () => 'middle' } }, 'must be first or last'],
	])('%s', async (_what, parameters, words) => {
		expect((await refusalOf(pay(parameters))).message).toContain(words);
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
		await pay({ signedBody: serviceSigns(toSign), options: { signaturePosition } });
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

	it('needs no credential', async () => {
		const { toSign } = await prepared();
		await pay({ signature: 'given', signedBody: serviceSigns(toSign) }, { signer: {} });
		expect(paid()).toHaveLength(2);
	});
});
