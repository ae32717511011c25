import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Certificates, issueCertificates } from '@bank/fixtures/sandbox';
import { listen, stopListening } from '../listen.ts';

/**
 * A minimal bank with prepared responses, so that the benchmark measures the client. The sandbox bank validates every request, which
 * would add the same time to both sides.
 */
export interface BenchBank {
	/** `url` is plain HTTP, `tlsUrl` mutual TLS. */
	url: string;
	tlsUrl: string;
	certificates: Certificates;
	/** Delay of each response in milliseconds. */
	delay: number;
	/** Number of operations in the history. */
	operations: number;
	/** Maximum number of simultaneous requests since it was set to 0. */
	atOnce: number;
	close(): Promise<void>;
}

export const token = {
	access_token: 'bench-access-token',
	token_type: 'Bearer',
	refresh_token: 'bench-refresh-token',
	expires_in: 86_400,
};

const money = (value: number) => ({ value, currency: 'RUB', minorUnits: 100 });

const limit = {
	id: 1001,
	activity: { from: '01-01-2026', to: '31-12-2026' },
	validity: 'monthly',
	created: '2026-01-01',
	coveredOperations: ['allDebits', 'onlineShopping', 'cashWithdrawals'],
	limits: { single: money(1_500_000), max: money(10_000_000), rest: money(7_350_000), turnover: money(2_650_000) },
	countriesRestrictions: { restrictionType: 'including', list: [{ isoCode: 'RU', description: 'Russia' }] },
};

const newest = Date.UTC(2026, 2, 31, 10);

function operationAt(index: number, count: number) {
	return {
		id: `BENCH-${String(count - index).padStart(6, '0')}`,
		dateTime: new Date(newest - index * 60_000).toISOString(),
		title: 'Fake Market No. 1',
		amount: money(100 + (index % 90_000)),
		comment: 'Purchase (invented)',
		mcc: '5411',
		category: { id: 'groceries', name: 'Groceries' },
		direction: index % 3 === 0 ? 'INCOME' : 'EXPENSE',
		status: 'SUCCESS',
		type: 'PURCHASE',
		terminal: { number: '00000001', name: 'FAKE MARKET', city: '000', countryCode: 'RU' },
		recipient: { name: 'Ivan I. (invented)', bankBik: '000000000', phoneNumber: '+70000000002' },
		fee: 0,
		reference: `BENCH-REF-${index}`,
		isAnotherClient: false,
		cashout: false,
	};
}

interface PaymentBody {
	client: { partnerId: number };
	payments: { amount: number; phone: string; sequence: string; paymentDescription: string }[];
}

/** A response of P1. */
function paid({ client, payments }: PaymentBody) {
	return {
		client,
		payPackage: 7_000_000_001,
		payments: payments.map((payment, index) => ({
			...payment,
			feeAmount: 5,
			transactionId: `BENCH-TX-${payment.sequence}-${index}`,
			createDate: '2026-03-31T09:00:00.000Z',
		})),
	};
}

export async function startBank(): Promise<BenchBank> {
	const certificates = await issueCertificates();
	const pages = new Map<string, string>();
	const bank = { delay: 0, operations: 10_000, atOnce: 0 };
	let underWay = 0;
	const page = (url: URL): string => {
		const [offset, size] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name) ?? 0));
		const key = `${bank.operations} ${offset} ${size}`;
		const count = Math.max(0, Math.min(size ?? 0, bank.operations - (offset ?? 0)));
		const rows = () => Array.from({ length: count }, (_, index) => operationAt((offset ?? 0) + index, bank.operations));
		const text = pages.get(key) ?? JSON.stringify({ operations: rows() });
		pages.set(key, text);
		return text;
	};
	const answerOf = async (request: IncomingMessage): Promise<string> => {
		const url = new URL(request.url ?? '', 'http://bank');
		if (url.pathname === '/token') return JSON.stringify(token);
		if (request.headers.authorization !== `Bearer ${token.access_token}`)
			throw new Error(`${url.pathname} was asked without the token`);
		if (url.pathname === '/api/pp/v1/operations') return page(url);
		if (url.pathname.endsWith('/user-limits')) return JSON.stringify({ limits: [limit] });
		if (url.pathname === '/api/b2cpay/jp/v1/payments')
			return JSON.stringify(paid(JSON.parse(await textOf(request)) as PaymentBody));
		throw new Error(`The bank of the bench has no ${url.pathname}`);
	};
	const serve = async (request: IncomingMessage, response: ServerResponse) => {
		bank.atOnce = Math.max(bank.atOnce, ++underWay);
		try {
			const text = await answerOf(request);
			if (bank.delay > 0) await sleep(bank.delay);
			response.writeHead(200, { 'content-type': 'application/json' }).end(text);
		} catch (error) {
			response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }));
		} finally {
			underWay--;
		}
	};
	const listener: RequestListener = (request, response) => void serve(request, response);
	const { ca, server: own } = certificates;
	const plain = createServer(listener);
	const secured = createSecureServer(
		{ ca, cert: own.certificate, key: own.privateKey, requestCert: true, rejectUnauthorized: true },
		listener,
	);
	return Object.assign(bank, {
		url: `http://127.0.0.1:${await listen(plain)}`,
		tlsUrl: `https://127.0.0.1:${await listen(secured)}`,
		certificates,
		async close() {
			for (const server of [plain, secured]) await stopListening(server);
		},
	});
}
