/** No text in a credential, in a certificate or in a response of the bank costs more than its size: n8n has one thread. */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type Reader, superlinear, texts } from '../../../fixtures/src/growth.ts';
import { pathFault } from '../../src/address.ts';
import { brokenConnection, quoted } from '../../src/faults.ts';
import { forms } from '../../src/forms/index.ts';
import { openPfx, visibleRounds } from '../../src/identity/pfx.ts';
import {
	agentOptionsOf,
	baseUrlFault,
	baseUrlOf,
	certificateFault,
	credentialFault,
	gatewayFault,
	repairPem,
	requestPartsOf,
	shownCertificate,
	signatureFault,
	storedFault,
	storedToken,
	testUrlOf,
	wantedScopes,
} from '../../src/index.ts';
import { authenticateDirectly } from '../../src/probe.ts';
import { bearer, scopeOf } from '../../src/renewal.ts';
import { requestToken } from '../../src/tokens.ts';

const usable: ICredentialDataDecryptedObject = {
	environment: 'sandbox',
	sandboxBaseUrl: 'https://bank.test',
	accessTokenUrl: 'https://bank.test/token',
	clientId: 'id',
	clientSecret: 'secret',
	useCertificate: true,
	useGateway: true,
};
/** The beginning of a PFX file, up to its content. */
const pfxStart = Buffer.from('3080020103308006092a864886f70d010701a0802480', 'hex');
const readPfx = (bytes: Buffer) =>
	[visibleRounds, (file: Buffer) => openPfx(file, 'x')].map((read) => attempt(() => read(bytes)));
const attempt = (read: () => unknown) => {
	try {
		return read();
	} catch {
		return undefined;
	}
};
const request: IHttpRequestOptions = { url: 'https://bank.test/x' };

/** What reads a credential before anything is sent. */
const readers: Record<string, (credential: ICredentialDataDecryptedObject) => unknown> = {
	agentOptionsOf,
	baseUrlFault,
	baseUrlOf,
	certificateFault,
	credentialFault,
	gatewayFault,
	requestPartsOf,
	shownCertificate,
	storedFault,
	storedToken,
	testUrlOf,
	wantedScopes,
	scopeOf,
	signatureFault: (credential) => signatureFault({ method: 'cmsDetached', credential }),
	authenticateDirectly: (credential) => authenticateDirectly(credential, request),
	bearer: (credential) => bearer(credential, request, ''),
};

const fields = [...new Set(Object.values(forms).flatMap((form) => form.map(({ name }) => name)))];

test.each(Object.keys(readers))('%s reads every field of every form in linear time', async (name) => {
	for (const certificateFormat of ['pem', 'pfx']) {
		// All at once: whichever of them is read, it is read to its end.
		const read: Reader<string> = (text) =>
			readers[name]?.({
				...Object.fromEntries(fields.map((field) => [field, text])),
				...usable,
				certificateFormat,
			});
		expect(await superlinear(read, texts)).toEqual([]);
	}
});

const answering = (text: string, statusCode: number) => async () =>
	await Promise.resolve({ statusCode, headers: { location: text }, body: text });
const plain = { ...usable, useCertificate: false, useGateway: false };

test.each<[string, Reader<string>]>([
	['a text with PEM', repairPem],
	['a path', (text) => pathFault('Test Path', text)],
	['a base URL', (text) => baseUrlFault({ ...plain, sandboxBaseUrl: text })],
	['words of a library', (text) => quoted(text)],
	['an error', (text) => brokenConnection(new Error(text), { field: 'x', url: text, hasCertificate: true })],
	['a token', (text) => requestToken(answering(text, 200) as never, plain, {})],
	['a redirect', (text) => requestToken(answering(text, 302) as never, plain, {})],
	['a refused token', (text) => requestToken(answering(JSON.stringify({ error: text }), 400) as never, plain, {})],
	['a page', (text) => requestToken(answering(text, 500) as never, plain, {})],
	['a DER file', (text) => readPfx(Buffer.from(text, 'latin1'))],
	['a PFX file', (text) => readPfx(Buffer.concat([pfxStart, Buffer.from(text, 'latin1')]))],
])('%s is read in linear time', async (_name, read) => {
	expect(await superlinear(read, texts)).toEqual([]);
});

/** Sequences, octet strings and values without an end, again and again. */
test.each(['3080', '2480', 'a080', '3000', '0400', '020101', '308200', '30', '0000', '3080020101'])(
	'DER of %s, again and again, is read in linear time',
	async (token) => {
		const bytes = (size: number) => Buffer.from(token.repeat(size / token.length), 'hex');
		const around = (size: number) => Buffer.concat([pfxStart, bytes(size)]);
		const inputs = [bytes, around].map((of) => ({ name: token, large: of(262_144), small: of(32_768) }));
		expect(await superlinear(readPfx, inputs)).toEqual([]);
	},
);
