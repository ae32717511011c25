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
