/** Which requests use the cached credential, and which do not. */
import { definitions } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { credentialCache } from '../../nodes/shared/http/credentialCache.ts';

const reading = definitions.cardLimit.getMany;
const paying = definitions.payment.sendPackage;

beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => jest.useRealTimers());

/** @param stored the stored credential, by the number of reads */
function held(stored: (reading: number) => string) {
	let readings = 0;
	const context = {
		async getCredentials<T extends object = ICredentialDataDecryptedObject>(): Promise<T> {
			return { accessToken: stored(++readings) } as unknown as T;
		},
	};
	const opened = { credential: { accessToken: 'opened' }, at: Date.now() };
	const withCredential = credentialCache(context, { credentialType: 'type', opened });
	return {
		/** The token of a request; absent if n8n's helper reads it itself. */
		async lent(operation: typeof reading | typeof paying = reading, renewed?: string): Promise<unknown> {
			return await withCredential(operation, async ({ credentialsDecrypted }) => {
				const data = credentialsDecrypted?.data;
				const token_ = data?.accessToken;
				if (data !== undefined && renewed !== undefined) data.accessToken = renewed;
				return token_;
			});
		},
		readings: () => readings,
	};
}

it('the first reads use the credential as it was opened', async () => {
	const { lent, readings } = held(String);
	expect([await lent(), await lent()]).toEqual(['opened', 'opened']);
	expect(readings()).toBe(0);
});

it('after a second the credential is read again, once for simultaneous requests', async () => {
	const { lent, readings } = held((reading_) => `stored ${reading_}`);
	jest.setSystemTime(1_001_000);
	expect(await Promise.all([lent(), lent(), lent()])).toEqual(['stored 1', 'stored 1', 'stored 1']);
	jest.setSystemTime(1_002_000);
	expect(await lent()).toBe('stored 2');
	expect(readings()).toBe(2);
});

it('a token that n8n has refreshed for one request is read for the next, and does not change a parallel one', async () => {
	const { lent } = held(() => 'stored');
	const [renewed, beside] = await Promise.all([lent(reading, 'renewed'), lent()]);
	expect([renewed, beside, await lent()]).toEqual(['opened', 'opened', 'stored']);
});

it('a request with an effect gets no cached credential', async () => {
	expect(await held(String).lent(paying)).toBeUndefined();
});

it('if the credential cannot be read, n8n reports why', async () => {
	const { lent } = held(() => {
		throw new Error('gone');
	});
	jest.setSystemTime(1_002_000);
	expect(await lent()).toBeUndefined();
});
