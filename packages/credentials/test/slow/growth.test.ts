/** Reading credentials, certificates and responses takes linear time, because n8n has one thread. */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type Reader, superlinear, texts } from '../../../fixtures/src/growth.ts';
import { validatePath } from '../../src/address.ts';
import { createConnectionError, quoted } from '../../src/credentialError.ts';
import { forms } from '../../src/forms/index.ts';
import { openPfx, countVisibleIterations } from '../../src/keyPair/pfx.ts';
import {
	agentOptionsOf,
	validateBaseUrl,
	baseUrlOf,
	validateCertificate,
	validateCredential,
	validateGateway,
	repairPem,
	requestPartsOf,
	describeCertificate,
	validateSignature,
	validateStored,
	storedToken,
	testUrlOf,
	requestedScopes,
} from '../../src/index.ts';
import { authenticateDirectly } from '../../src/probe.ts';
import { addBearerToken, scopeOf } from '../../src/renewal.ts';
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
/** Header of a PFX file. */
const pfxStart = Buffer.from('3080020103308006092a864886f70d010701a0802480', 'hex');
const readPfx = (bytes: Buffer) =>
	[countVisibleIterations, (file: Buffer) => openPfx(file, 'x')].map((read) => attempt(() => read(bytes)));
const attempt = (read: () => unknown) => {
	try {
		return read();
	} catch {
		return undefined;
	}
};
const request: IHttpRequestOptions = { url: 'https://bank.test/x' };

/** Functions that read a credential before a request. */
const readers: Record<string, (credential: ICredentialDataDecryptedObject) => unknown> = {
	agentOptionsOf,
	validateBaseUrl,
	baseUrlOf,
	validateCertificate,
	validateCredential,
	validateGateway,
	requestPartsOf,
	describeCertificate,
	validateStored,
	storedToken,
	testUrlOf,
	requestedScopes,
	scopeOf,
	validateSignature: (credential) => validateSignature({ method: 'cmsDetached', credential }),
	authenticateDirectly: (credential) => authenticateDirectly(credential, request),
	addBearerToken: (credential) => addBearerToken(credential, request, ''),
};

const fields = [...new Set(Object.values(forms).flatMap((form) => form.map(({ name }) => name)))];

test.each(Object.keys(readers))('%s reads every field of every form in linear time', async (name) => {
	for (const certificateFormat of ['pem', 'pfx']) {
		// All fields at once.
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
	['a path', (text) => validatePath('Test Path', text)],
	['a base URL', (text) => validateBaseUrl({ ...plain, sandboxBaseUrl: text })],
	['words of a library', (text) => quoted(text)],
	['an error', (text) => createConnectionError(new Error(text), { field: 'x', url: text, hasCertificate: true })],
	['a token', (text) => requestToken(answering(text, 200) as never, plain, {})],
	['a redirect', (text) => requestToken(answering(text, 302) as never, plain, {})],
	['a refused token', (text) => requestToken(answering(JSON.stringify({ error: text }), 400) as never, plain, {})],
	['a page', (text) => requestToken(answering(text, 500) as never, plain, {})],
	['a DER file', (text) => readPfx(Buffer.from(text, 'latin1'))],
	['a PFX file', (text) => readPfx(Buffer.concat([pfxStart, Buffer.from(text, 'latin1')]))],
])('%s is read in linear time', async (_name, read) => {
	expect(await superlinear(read, texts)).toEqual([]);
});

/** Nested sequences, octet strings and unterminated values. */
test.each(['3080', '2480', 'a080', '3000', '0400', '020101', '308200', '30', '0000', '3080020101'])(
	'DER of %s, again and again, is read in linear time',
	async (token) => {
		const bytes = (size: number) => Buffer.from(token.repeat(size / token.length), 'hex');
		const around = (size: number) => Buffer.concat([pfxStart, bytes(size)]);
		const inputs = [bytes, around].map((of) => ({ name: token, large: of(262_144), small: of(32_768) }));
		expect(await superlinear(readPfx, inputs)).toEqual([]);
	},
);
