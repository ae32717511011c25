/** Advice for connection errors, and recognition of credential errors. */
import { connectionMessages, CredentialError, isCredentialError } from '../src/index.ts';

const field = 'the base URL';
const texts = (more: { url?: string; hasCertificate?: boolean } = {}) => connectionMessages({ field, ...more });

it.each([undefined, true, false])('every step is a complete sentence (hasCertificate: %p)', (hasCertificate) => {
	for (const [step, text] of Object.entries(texts(hasCertificate === undefined ? {} : { hasCertificate })))
		expect([step, text]).toEqual([step, expect.stringMatching(/^[A-Z][\s\S]{8,}\.$/)]);
});

it('advice about the certificate depends on whether one was sent, if that is known', () => {
	for (const step of ['checkBreak', 'registerCertificate', 'checkTls'] as const) {
		const said = [texts()[step], texts({ hasCertificate: true })[step], texts({ hasCertificate: false })[step]];
		expect(new Set(said).size).toBe(3);
		expect(said[2]).toContain('Client Certificate');
	}
});

it('a connection that broke without TLS suggests https', () => {
	expect(texts({ url: 'http://api.test' }).checkBreak).toContain('whether it must start with https');
	expect(texts({ url: 'https://api.test' }).checkBreak).not.toContain('must start with https');
});

it('steps about a URL name its field', () => {
	const named = texts();
	for (const step of [
		'checkHost',
		'checkPort',
		'checkUrl',
		'checkConnection',
		'useGivenHostName',
		'checkPlainPort',
		'allowAddress',
	] as const)
		expect(named[step]).toContain(field);
});

it('a CredentialError is recognized by its name, because n8n may load the class twice', () => {
	const fault = new CredentialError('Client ID is empty', 'Enter it.');
	expect([fault.message, isCredentialError(fault)]).toEqual(['Client ID is empty. Enter it.', true]);
	expect(isCredentialError(Object.assign(new Error('x'), { name: fault.name }))).toBe(true);
	for (const other of [new Error('x'), { name: fault.name }, undefined]) expect(isCredentialError(other)).toBe(false);
});
