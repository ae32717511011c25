import { restCredential } from '../../shared/authentication.ts';
import { oncePerRun } from '../../shared/run/run.ts';

/** Who sends a package, where the form leaves it to the credential. */
export interface Sender {
	partnerId: unknown;
	inn: unknown;
	account: unknown;
}

export const senderOf = oncePerRun(async ({ context }): Promise<Sender> => {
	const credential = await context.getCredentials(restCredential('clientCredentials', undefined));
	const { partnerId, inn, account } = credential;
	return { partnerId, inn, account };
});
