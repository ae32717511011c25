import { createServer, type Server } from 'node:http';
import loans from '@bank/fixtures/samples/loanApplication/create.json';
import payments from '@bank/fixtures/samples/payment/sendPackage.json';
import statements from '@bank/fixtures/samples/statement/orderAccount.json';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../../src/browser.ts';
import { listen, stopListening } from '../../../src/listen.ts';
import type { SandboxAdmin } from '../../../src/sandboxAdmin.ts';
import { type SandboxThread, startSandboxThread } from '../../../src/sandboxThread.ts';

/** Text from callers that would change the page title if the browser interpreted it as markup. */
export const hostile = `"'><img src=x onerror=document.title='taken'><script>document.title='taken'</script>`;

/** A sandbox bank, a receiver for its webhooks, and a browser. */
export class ConsoleBed {
	readonly sandbox: SandboxAdmin;
	/** Responds 200, or 409 with hostile text if the path contains `refuse`. */
	readonly subscriberUrl: string;
	private readonly thread: SandboxThread;
	private readonly subscriber: Server;
	private readonly page: Page;

	private constructor(thread: SandboxThread, subscriber: Server, subscriberUrl: string, page: Page) {
		this.sandbox = thread.admin;
		this.subscriberUrl = subscriberUrl;
		this.thread = thread;
		this.subscriber = subscriber;
		this.page = page;
	}

	static async open(): Promise<ConsoleBed> {
		const subscriber = createServer((request, response) => {
			request.resume();
			const refuses = request.url?.includes('refuse');
			response.writeHead(refuses ? 409 : 200).end(refuses ? hostile : '{}');
		});
		const url = `http://127.0.0.1:${await listen(subscriber)}`;
		const thread = await startSandboxThread({ port: 0, n8nUrl: url });
		return new ConsoleBed(thread, subscriber, url, await (await launchChromium()).newPage());
	}

	/** Shows a connected page of the console, always in the same tab: a new one takes seconds. */
	async show(path: string, viewport = { width: 1280, height: 720 }): Promise<Page> {
		await this.page.setViewportSize(viewport);
		await this.page.goto(this.sandbox.baseUrl + path);
		await this.page.getByText('Live', { exact: true }).waitFor();
		return this.page;
	}

	/** Sends an unknown request, which adds an entry to the log. */
	async call(path = '/api/unknown'): Promise<void> {
		await fetch(this.sandbox.baseUrl + path);
	}

	/** Sends a package with this purpose; the same sequence again is paid again. */
	async pay(sequence: string, paymentDescription = 'Reward'): Promise<void> {
		const { body, ...request } = sampleOf(payments);
		const [payment] = payments.cases.at(-1)?.request.body.payments ?? [];
		const paid = [{ ...payment, sequence, paymentDescription }];
		await this.ask('clientCredentials', { ...request, body: { ...body, total: payment?.amount, payments: paid } });
	}

	/** Sends a request with a valid token. */
	private async ask(client: 'clientCredentials' | 'authorizationCode', { method, path, body }: Asked): Promise<void> {
		const { clientId } = this.sandbox.clients[client];
		const { access_token: token } = await this.sandbox.issueTokens({ clientId });
		await fetch(this.sandbox.baseUrl + path, {
			method,
			headers: {
				accept: 'application/json',
				authorization: `Bearer ${token}`,
				...(body && { 'content-type': 'application/json' }),
			},
			...(body && { body: JSON.stringify(body) }),
			// A fault may break the connection.
		}).catch(() => undefined);
	}

	/** Deletes a subscription with the API (P11). */
	async delete(id: string, object: string): Promise<void> {
		await this.ask('authorizationCode', { method: 'DELETE', path: `/api/v1/webhooks/${id}?object=${object}` });
	}

	/** Data for every page, with hostile text in every field that callers control. */
	async fill(): Promise<void> {
		await this.sandbox.reset();
		await this.call(`/api/pp/v1/${encodeURIComponent(hostile)}?q=${encodeURIComponent(hostile)}`);
		await this.pay('paid', hostile);
		await this.pay('paid');
		await this.pay('', '');
		await this.sandbox.addFault({ operation: 'payment.sendPackage', fault: { kind: 'resetAfter' } });
		await this.pay('lost');
		await this.ask('authorizationCode', sampleOf(statements));
		await this.ask('clientCredentials', sampleOf(loans));
		await this.sandbox.addFault({
			operation: 'loanApplication.create',
			times: 3,
			fault: { kind: 'latency', ms: 5000 },
		});
		for (const { id } of (await this.sandbox.state()).webhooks.slice(0, 1))
			await this.sandbox.send('POST', `/_sandbox/webhooks/${id}/enable`);
		const [paid] = (await this.sandbox.state()).ledger;
		await this.sandbox.sendEvents({ payPackage: paid?.payPackage });
		await this.sandbox.sendEvents({ payload: hostile });
		await this.sandbox.sendEvents({ url: `${this.subscriberUrl}/refuse`, attempts: 2, retrySeconds: 5000 });
		await this.sandbox.sendCourierOrders();
		await this.sandbox.sendCourierOrders({ order: hostile, url: `${this.subscriberUrl}/refuse` });
	}

	async close(): Promise<void> {
		await this.page.context().browser()?.close();
		await this.thread.stop();
		await stopListening(this.subscriber);
	}
}

interface Asked {
	method: string;
	path: string;
	body?: object;
}

/** The last case has only the required fields. */
function sampleOf({ cases }: { cases: readonly { request: Asked }[] }): Asked {
	const last = cases.at(-1);
	if (last === undefined) throw new Error('There is no sample');
	return last.request;
}
