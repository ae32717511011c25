/** What to do about a connection, and how a fault of a credential is told from others. */
import { connectionTexts, CredentialFault, isCredentialFault } from '../src/index.ts';

const field = 'the base URL';
const texts = (more: { url?: string; hasCertificate?: boolean } = {}) => connectionTexts({ field, ...more });

it.each([undefined, true, false])(
	'every step is a whole sentence, where a certificate is shown: %p',
	(hasCertificate) => {
		for (const [step, text] of Object.entries(texts(hasCertificate === undefined ? {} : { hasCertificate })))
			expect([step, text]).toEqual([step, expect.stringMatching(/^[A-Z][\s\S]{8,}\.$/)]);
	},
);

it.each([
	['checkHost', /^Correct the base URL.*firewall, proxy, VPN/],
	['checkPort', /port of the base URL.*firewall/],
	['checkConnection', /^Check the base URL.*firewall/],
	['checkBreak', /connection to the bank;.*certificate, .*registered and in force/],
	[
		'trustAuthority',
		/paste its certificate \(PEM\) into CA of the Bank .*If something is there already.*chain is missing/,
	],
	['renewAuthority', /^Tell the bank, or paste the present certificate .*CA of the Bank .*clock/],
	['checkOwnCertificate', /certificate, private key and passphrase/],
	['convertCertificate', /openssl pkcs12 -legacy .*PEM/],
	['registerCertificate', /^Open the credential.*registered, .*still valid/],
	['checkTls', /the base URL begins with https .*where the bank demands a client certificate/],
	['checkPlainPort', /port of the base URL.* http or https/],
	['trustTokenServer', /NODE_EXTRA_CA_CERTS, .*Host-to-Host/],
	['useGivenTokenHost', /host name .* in Access Token URL/],
	['fixToken', /token URL, client ID, secret and scopes/],
	['askForLess', /Largest Answer/],
] as const)('%s says where to look, and what to do there', (step, words) => expect(texts()[step]).toMatch(words));

it('what may be due to the certificate is said by whether one was shown, where that is known', () => {
	for (const step of ['checkBreak', 'registerCertificate', 'checkTls'] as const) {
		const said = [texts()[step], texts({ hasCertificate: true })[step], texts({ hasCertificate: false })[step]];
		expect(new Set(said).size).toBe(3);
		expect(said[2]).toContain('Client Certificate');
	}
});

it('a connection that broke without TLS is first of all one of the wrong address', () => {
	expect(texts({ url: 'http://api.test' }).checkBreak).toContain('whether the address must begin with https');
	expect(texts({ url: 'https://api.test' }).checkBreak).not.toContain('must begin with https');
});

it('steps that are about an address name its field', () => {
	const named = texts();
	for (const step of [
		'checkHost',
		'checkPort',
		'checkUrl',
		'checkConnection',
		'useGivenHostName',
		'checkPlainPort',
	] as const)
		expect(named[step]).toContain(field);
});

it('a fault of a credential is known by its name: n8n may have loaded the class twice', () => {
	const fault = new CredentialFault('Client ID is empty', 'Enter it.');
	expect([fault.message, isCredentialFault(fault)]).toEqual(['Client ID is empty. Enter it.', true]);
	expect(isCredentialFault(Object.assign(new Error('x'), { name: fault.name }))).toBe(true);
	for (const other of [new Error('x'), { name: fault.name }, undefined]) expect(isCredentialFault(other)).toBe(false);
});
