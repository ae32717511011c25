/** Requests to triggers take linear time, because n8n has one thread. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { type Reader, superlinear, texts, values } from '../../../fixtures/src/growth.ts';
import { parseAddress, parseAddressRanges } from '../../nodes/shared/inbound/addressRanges.ts';
import { parseBody } from '../../nodes/shared/inbound/body.ts';
import { type InboundSettings, rejectionOf, settingsFaults } from '../../nodes/shared/inbound/checks.ts';
import { shortenIdentifier } from '../../nodes/shared/inbound/digest.ts';
import { BankTrigger } from '../../nodes/BankTrigger/BankTrigger.node.ts';
import { FakeWorkflow, inbound } from '../support/trigger.ts';

const settings: InboundSettings = {
	checks: ['header'],
	headerName: 'x-secret',
	headerSecret: 'secret',
	pathSecret: 'a-path-secret-of-the-bank',
	allowedAddresses: '192.0.2.0/24',
	trustedProxies: '0.0.0.0/0',
	certificateHeader: 'x-certificate',
	certificateValue: 'CN=bank',
	signatureHeader: 'x-signature',
	signatureAlgorithm: 'sha256',
	signatureEncoding: 'hex',
	signatureSecret: 'secret',
	signatureFormat: 'elements',
	signatureElement: 'v1',
	signatureTimestamp: true,
	timestampElement: 't',
};
const checks = ['path', 'header', 'address', 'certificate', 'signature'];

const requestOf = (text: string) => ({
	headers: { 'x-secret': text, 'x-certificate': text, 'x-signature': text, 'x-forwarded-for': text },
	rawBody: Buffer.from(text),
	pathSecret: text,
	socketAddress: '192.0.2.1',
	callerAddress: text,
});

const bodyOf = (text: string, parsed: unknown) =>
	parseBody({ getBodyData: () => parsed, getRequestObject: () => ({}) } as unknown as IWebhookFunctions, {
		ok: true,
		bytes: Buffer.from(text),
	});

test.each<[string, Reader<string>]>([
	...checks.map((check): [string, Reader<string>] => [
		`the check ${check}`,
		(text) => rejectionOf({ ...settings, checks: [check] }, requestOf(text)),
	]),
	...Object.keys(settings).map((field): [string, Reader<string>] => [
		`the setting ${field}`,
		(text) => settingsFaults({ ...settings, checks, [field]: text }),
	]),
	[
		'the public key of a signature',
		(text) => settingsFaults({ checks, signatureAlgorithm: 'publicSha256', signaturePublicKey: text }),
	],
	['an address', parseAddress],
	['address ranges', parseAddressRanges],
	['a body that n8n has not parsed', (text) => bodyOf(text, undefined)],
	['a body that n8n has parsed', (text) => bodyOf(text, { a: text })],
	['an identifier', shortenIdentifier],
])('%s is read in linear time', async (_name, read) => {
	expect(await superlinear(read, texts)).toEqual([]);
});

test('a delivery of any shape is received in linear time', async () => {
	const workflow = new FakeWorkflow({ object: 'ul_transaction_default', verifySender: false }, inbound({}));
	const receive: Reader<unknown> = async (body) => {
		const rawBody = Buffer.from(JSON.stringify(body));
		const request = { headers: {}, contentType: 'application/json', rawBody, body, socket: {}, ip: '192.0.2.1' };
		const { context, response } = workflow.delivery({ request, mode: 'manual' });
		await new BankTrigger().webhook.call(context);
		response.json('');
	};
	expect(await superlinear(receive, values)).toEqual([]);
});
