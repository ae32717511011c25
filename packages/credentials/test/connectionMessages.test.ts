/** Advice for connection errors, and recognition of credential errors. */
import { connectionMessages, CredentialError, isCredentialError } from '../src/index.ts';

const field = 'the base URL';
const texts = connectionMessages(field);

it.each(Object.entries(texts))('the step %s is a complete sentence', (_step, text) => {
	expect(text).toMatch(/^[A-Z][\s\S]{8,}\.$/);
});

it('steps about TLS name the client certificate', () => {
	for (const step of ['checkBreak', 'registerCertificate', 'checkTls'] as const)
		expect(texts[step]).toMatch(/client certificate/i);
});

it('steps about a URL name its field', () => {
	for (const step of [
		'checkHost',
		'checkPort',
		'checkUrl',
		'checkConnection',
		'useGivenHostName',
		'checkPlainPort',
		'allowAddress',
	] as const)
		expect(texts[step]).toContain(field);
});

it('a CredentialError is recognized by its name, because n8n may load the class twice', () => {
	const fault = new CredentialError('Client ID is empty', 'Enter it.');
	expect([fault.message, isCredentialError(fault)]).toEqual(['Client ID is empty. Enter it.', true]);
	expect(isCredentialError(Object.assign(new Error('x'), { name: fault.name }))).toBe(true);
	for (const other of [new Error('x'), { name: fault.name }, undefined]) expect(isCredentialError(other)).toBe(false);
});
